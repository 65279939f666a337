/** How operations and tags are named after a group and version. Mirrors apiserver pkg/endpoints/openapi. */
import type { GroupVersion } from '../../apimachinery/object.ts';
import type { JsonObject } from '../../base/json.ts';

/** `RbacAuthorizationV1`, `CoreV1`. */
export function operationName(gv: GroupVersion): string {
  return groupName(gv.group) + capital(gv.version);
}

/** `RbacAuthorization`. */
export function groupName(group: string): string {
  const short = group === '' ? 'core' : group.endsWith('.k8s.io') ? group.slice(0, -'.k8s.io'.length) : group;
  return short.split(/[.-]/).map(capital).join('');
}

/** `rbacAuthorization_v1`, `core_v1`. */
export function tagName(gv: GroupVersion): string {
  return `${groupTag(gv.group)}_${gv.version}`;
}

export function groupTag(group: string): string {
  const name = groupName(group);
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

/** `/api/v1`, `/apis/apps/v1`. */
export function basePath(gv: GroupVersion): string {
  return gv.group === '' ? `/api/${gv.version}` : `/apis/${gv.group}/${gv.version}`;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `a Pod`, `an Event`; plurals have none. Mirrors GetArticleForNoun. */
export function withArticle(noun: string): string {
  if (noun.endsWith('s') && !noun.endsWith('ss')) return noun;
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

const unsafe = /[<>&\u2028\u2029]/g;

/** JSON as encoding/json of Go writes it: safe in a page. */
export function asMarshalled(text: string): string {
  return text.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The same with a blank before each line but the first, and one more for each depth. */
export function indented(document: JsonObject): string {
  return asMarshalled(JSON.stringify(document, undefined, 1).replaceAll('\n', '\n '));
}
