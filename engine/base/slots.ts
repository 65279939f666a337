/**
 * What a component remembers between two tasks (law 9), declared once: each slot has a name, a type (a codec) and its first value, and
 * is saved, checked when it is loaded, and compared by what is declared. Members of a component are the slots' own maps, sets and
 * fields, so there is nothing to write by hand and nothing to forget.
 *
 * A state that an earlier build saved lacks the slots that were declared since. A slot that is absent keeps its first value, whole parts
 * too, so whoever adds one need do nothing; what is there is checked as ever. That is right as long as the first value says "nothing
 * has been seen yet"; without which nothing could go on is named by `mustBeThere`. Members of records are told by `addedLater`
 * (codecs.ts), for a record has no first value.
 */
import { assert } from './assert.ts';
import { type Codec, list, mapOf, membersOf, StateError, text, texts } from './codecs.ts';
import { setOwn } from './dictionary.ts';
import type { JsonObject, JsonValue } from './json.ts';

interface Slot {
  save(before: JsonValue | undefined): JsonValue;
  /** The value that the data stands for; nothing is changed before all slots have been read. */
  load(saved: JsonValue | undefined, path: string): () => void;
  /** The same where there is none: its first value. */
  loadAbsent(path: string): () => void;
}

/** Reasons of work that waits. */
export const causesCodec: Codec<readonly string[]> = list(text);

export class Slots {
  readonly #slots = new Map<string, Slot>();
  /** What is done while loading, in the order of declaration: a slot is loaded, or a step made. */
  readonly #order: (string | (() => void))[] = [];
  readonly #afterwards: (() => void)[] = [];
  readonly #needed = new Set<string>();

  map<V>(name: string, codec: Codec<V>): Map<string, V> {
    return this.#map(name, mapOf(codec));
  }

  /** A map of which each entry is written as a piece of its own: for many. */
  members<V>(name: string, codec: Codec<V>, order?: (a: V, b: V) => number): Map<string, V> {
    return this.#map(name, membersOf(codec, order));
  }

  #map<V>(name: string, whole: Codec<Map<string, V>>): Map<string, V> {
    const values = new Map<string, V>();
    this.#declare(name, {
      save: (before) => whole.encode(values, before),
      load: (saved, path) => {
        const loaded = whole.decode(saved, path);
        return () => {
          values.clear();
          for (const [key, value] of loaded) values.set(key, value);
        };
      },
      loadAbsent: () => () => values.clear(),
    });
    return values;
  }

  set(name: string): Set<string> {
    const values = new Set<string>();
    this.#declare(name, {
      save: (before) => texts.encode(values, before),
      load: (saved, path) => {
        const loaded = texts.decode(saved, path);
        return () => {
          values.clear();
          for (const value of loaded) values.add(value);
        };
      },
      loadAbsent: () => () => values.clear(),
    });
    return values;
  }

  /** A field of the owner. */
  field<T>(name: string, codec: Codec<T>, get: () => T, set: (value: T) => void): void {
    this.#declare(name, {
      save: (before) => codec.encode(get(), before),
      load: (saved, path) => {
        const loaded = codec.decode(saved, path);
        return () => set(loaded);
      },
      // Nobody but its owner knows its first value, which it has as long as nothing ran.
      loadAbsent: () => () => undefined,
    });
  }

  /** Slots of a part of the owner. */
  part(name: string): Slots {
    const part = new Slots();
    this.adopt(name, part);
    return part;
  }

  /** The same, of a part that has made its own. */
  adopt(name: string, part: Slots): void {
    this.#declare(name, {
      save: (before) => part.save(before),
      load: (saved, path) => part.#load(saved, path),
      loadAbsent: (path) => part.#load({}, path),
    });
  }

  /** Parts that come with their keys, e.g. one per node: `open` makes the part of a key, or gives the one that is there. */
  family(name: string, parts: ReadonlyMap<string, Slots>, open: (key: string) => Slots): void {
    this.#declare(name, {
      save: (before) => membersBeside(before, parts),
      load: (saved, path) => {
        if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
        const loads = Object.entries(saved as JsonObject).map(([key, value]) => open(key).#load(value, `${path}.${key}`));
        return () => {
          for (const load of loads) load();
        };
      },
      loadAbsent: () => () => undefined,
    });
  }

  /** Slots that a state of any build has: one that lacks them is refused. */
  mustBeThere(...names: readonly string[]): void {
    for (const name of names) {
      assert(this.#slots.has(name), `slot ${name} is declared`);
      this.#needed.add(name);
    }
  }

  /** Runs while loading, after the slots declared before it and before those after it. */
  step(act: () => void): void {
    this.#order.push(act);
  }

  /** Runs when everything has been restored. */
  onRestored(act: () => void): void {
    this.#afterwards.push(act);
  }

  /** `before` is what was saved earlier: every part that is still the same is given back itself. */
  save(before?: JsonValue): JsonValue {
    return membersBeside(before, this.#slots);
  }

  /** The slots but some, whose values somebody saves otherwise. */
  saveWithout(names: readonly string[]): JsonObject {
    const saved = Array.from(this.#slots).filter(([name]) => !names.includes(name));
    return Object.fromEntries(saved.map(([name, slot]) => [name, slot.save(undefined)]));
  }

  /** All or nothing: throws StateError and changes nothing when some slot is of another type, or one that must be there is absent. */
  restore(saved: JsonValue, owner: string): void {
    this.read(saved, owner)();
  }

  /** One slot of those that are saved apart. */
  restoreOne(name: string, saved: JsonValue, owner: string): void {
    const slot = this.#slots.get(name);
    if (slot === undefined) throw new StateError(`${owner}.${name}`, 'declared', saved);
    slot.load(saved, `${owner}.${name}`)();
  }

  /** The first half of it: everything is read and checked and nothing changed; the result takes it up. */
  read(saved: JsonValue, owner: string): () => void {
    return this.#load(saved, owner);
  }

  #declare(name: string, slot: Slot): void {
    assert(name !== '' && !this.#slots.has(name), `slot ${name} is declared once`);
    this.#slots.set(name, slot);
    this.#order.push(name);
  }

  #load(saved: JsonValue | undefined, path: string): () => void {
    if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new StateError(path, 'an object', saved);
    const values = saved as { readonly [name: string]: JsonValue };
    const unknown = Object.keys(values).find((name) => !this.#slots.has(name));
    if (unknown !== undefined) throw new StateError(`${path}.${unknown}`, 'declared', values[unknown]);
    const loads = this.#order.map((one) => (typeof one === 'string' ? this.#loadOne(one, values, `${path}.${one}`) : one));
    return () => {
      for (const load of loads) load();
      for (const act of this.#afterwards) act();
    };
  }

  #loadOne(name: string, values: { readonly [name: string]: JsonValue }, path: string): () => void {
    const slot = this.#slots.get(name) as Slot;
    if (Object.hasOwn(values, name)) return slot.load(values[name], path);
    if (this.#needed.has(name)) throw new StateError(path, 'there', undefined);
    return slot.loadAbsent(path);
  }
}

function membersBeside(before: JsonValue | undefined, parts: ReadonlyMap<string, Pick<Slot, 'save'>>): JsonValue {
  const old = typeof before === 'object' && before !== null && !Array.isArray(before) ? (before as JsonObject) : {};
  const saved: Record<string, JsonValue> = {};
  let isSame = before !== undefined && Object.keys(old).length === parts.size;
  for (const [name, part] of parts) {
    const was = Object.hasOwn(old, name) ? old[name] : undefined;
    const now = part.save(was);
    isSame &&= now === was;
    setOwn(saved, name, now);
  }
  return isSame ? old : saved;
}

/** Where two saved states differ, as paths; empty when they are equal. */
export function differences(a: JsonValue | undefined, b: JsonValue | undefined, path = ''): readonly string[] {
  if (a === b) return [];
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return [path];
  const [left, right] = [a, b] as unknown as [Record<string, JsonValue>, Record<string, JsonValue>];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((name) => differences(left[name], right[name], path === '' ? name : `${path}.${name}`));
}
