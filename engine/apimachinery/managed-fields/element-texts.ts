/**
 * Path elements of keys and of list items that are told apart by one text, each made once: many objects have the same ones, and a text that is
 * found again is compared in an instant.
 */
import { isObject, type JsonValue } from '../../base/json.ts';
import { flat } from '../../base/text.ts';
import { itemElement, keyless, type ListNode } from './types.ts';

const textsMax = 5_000;
/** What is longer is hardly met again. */
const lengthMax = 128;

export class ElementTexts {
  readonly #ofKeys = new Map<string, string>();
  readonly #ofItems = new Map<ListNode, Map<string, string>>();
  #count = 0;

  /** `f:app` for `app`. */
  ofKey(key: string): string {
    return this.#ofKeys.get(key) ?? this.#remember(this.#ofKeys, key, flat(['f:', key]));
  }

  /** As `itemElement` tells. */
  ofItem(list: ListNode, item: JsonValue): string | undefined {
    const told = toldBy(list, item);
    if (told === undefined) return addressed(itemElement(list, item));
    let known = this.#ofItems.get(list);
    if (known === undefined) this.#ofItems.set(list, (known = new Map()));
    return known.get(told) ?? this.#remember(known, told, flat([itemElement(list, item) ?? '']));
  }

  #remember(texts: Map<string, string>, key: string, text: string): string {
    if (key.length > lengthMax) return text;
    if (++this.#count > textsMax) {
      this.#count = 1;
      this.#ofKeys.clear();
      for (const known of this.#ofItems.values()) known.clear();
    }
    texts.set(key, text);
    return text;
  }
}

/** What cannot be addressed leaves its object without a type, and so without owners. */
export class Untyped extends Error {}

function addressed(element: string | undefined): string | undefined {
  if (element === keyless) throw new Untyped('an item has none of the keys of its list');
  return element;
}

/** The one text that tells the item from others; undefined where it takes more than that. */
function toldBy({ relation, keys }: ListNode, item: JsonValue): string | undefined {
  if (relation === 'set') return typeof item === 'string' ? item : undefined;
  const [key] = keys;
  if (keys.length !== 1 || key === undefined || !isObject(item)) return undefined;
  const value = item[key];
  return typeof value === 'string' ? value : undefined;
}
