/**
 * What one side has told during a story, and what stands for it in requests: `$version:NAME`, `$first:NAME`, `$uid:NAME` of an object, `$listed` and
 * `$continue` of the last list. In answers revisions and uids get the names `<rv1>`, `<uid1>` … in the order in which they were first told, so that it
 * shows whether a write made a revision and whom a reference means.
 */
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import type { Asked } from './reads.ts';
import type { Answered } from './sides.ts';

const placeholder = /\$(version|first|uid|listed|continue)(:[\w.-]+)?/g;

/** A uid, or a revision where one may stand: as a whole string, or in what is said of preconditions. */
const told = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=")\d{3,}(?=\\*")|(?<=(?:precondition|meta): |(?:precondition|record) \()\d+/g;

export class Memory {
  readonly #told = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #versions = 0;
  #uids = 0;

  resolve(asked: Asked): Asked {
    const fill = (text: string): string => text.replaceAll(placeholder, (whole) => this.#told.get(whole) ?? '');
    const body = asked.body === undefined ? {} : { body: JSON.parse(fill(JSON.stringify(asked.body))) as JsonValue };
    return { ...asked, path: fill(asked.path), query: fill(asked.query), ...body };
  }

  learn({ text }: Answered): void {
    if (!text.startsWith('{') || text.includes('}\n{')) return;
    const body = JSON.parse(text) as JsonObject;
    if (body['kind'] === 'Status') return;
    const items = body['items'];
    if (!Array.isArray(items)) return this.#learnObject(body);
    const { resourceVersion, continue: next } = (body['metadata'] ?? {}) as { resourceVersion?: string; continue?: string };
    this.#told.set('$listed', resourceVersion ?? '');
    this.#told.set('$continue', encodeURIComponent(next ?? ''));
    for (const item of items as readonly JsonObject[]) this.#learnObject(item);
  }

  #learnObject({ metadata }: JsonObject): void {
    const { name, uid, resourceVersion } = (metadata ?? {}) as { name?: string; uid?: string; resourceVersion?: string };
    if (typeof name !== 'string') return;
    if (typeof resourceVersion === 'string' && resourceVersion !== '') {
      this.#told.set(`$version:${name}`, resourceVersion);
      if (!this.#told.has(`$first:${name}`)) this.#told.set(`$first:${name}`, resourceVersion);
      if (!this.#names.has(resourceVersion)) this.#names.set(resourceVersion, `<rv${++this.#versions}>`);
    }
    if (typeof uid === 'string' && uid !== '') {
      this.#told.set(`$uid:${name}`, uid);
      if (!this.#names.has(uid)) this.#names.set(uid, `<uid${++this.#uids}>`);
    }
  }

  /** The answer with those names instead. */
  mask(answered: Answered): Answered {
    return { ...answered, text: this.#named(answered.text), headers: answered.headers };
  }

  #named(text: string): string {
    return text.replaceAll(told, (found) => this.#names.get(found) ?? found);
  }
}
