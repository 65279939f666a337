/** How operations and tags are named after a group and version. Mirrors apiserver pkg/endpoints/openapi. */
import type { GroupVersion } from '../../apimachinery/object.ts';

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
