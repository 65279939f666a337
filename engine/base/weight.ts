/**
 * About how many bytes of heap a value of plain data takes. Counted from its shape alone, so that every machine and every restore comes
 * to the same number. The constants are fitted to what V8 was seen to take for ConfigMaps of one long text and of 60,000 keys, Roles,
 * Endpoints and pods.
 */
import { fieldAt } from './plain.ts';

const objectBytes = 56;
const listBytes = 40;
const textBytes = 16;
const slotBytes = 8;
/** From here on V8 keeps an object's keys in a table of its own instead of a shape that many share. */
const sharedKeysMax = 32;
const tableSlotBytes = 40;
/** Short texts hardly weigh, whatever their alphabet. */
const shortText = 64;
const wide = /[^\0-\xff]/;

/** Members of the name `without` weigh nothing, whether they are there or not. */
export function weightOf(value: unknown, without?: string): number {
  if (typeof value === 'string') return textWeight(value);
  if (typeof value !== 'object' || value === null) return slotBytes;
  if (Array.isArray(value)) {
    let weight = listBytes;
    for (const item of value) weight += slotBytes + weightOf(item, without);
    return weight;
  }
  let weight = objectBytes;
  let keys = 0;
  let keyTexts = 0;
  for (const key in value) {
    if (key === without) continue;
    keys++;
    keyTexts += textBytes + key.length;
    weight += slotBytes + weightOf(fieldAt(value as Record<string, unknown>, key), without);
  }
  return keys > sharedKeysMax ? weight + keyTexts + keys * tableSlotBytes : weight;
}

/** `weightOf(value, without)`, when `old` weighs so much: what the two share is not counted again. */
export function weightLike(value: unknown, old: unknown, oldWeight: number, without?: string): number {
  return oldWeight + difference(value, old, without);
}

function difference(value: unknown, old: unknown, without: string | undefined): number {
  if (value === old) return 0;
  if (Array.isArray(value) && Array.isArray(old)) return differenceOfLists(value, old, without);
  if (!isObject(value) || !isObject(old) || Array.isArray(value) || Array.isArray(old)) return weightOf(value, without) - weightOf(old, without);
  let keys = 0;
  let change = 0;
  for (const key in value) {
    keys++;
    if (key === without) continue;
    const field = fieldAt(value, key);
    // Somebody else chose the keys: what every object inherits is none of them.
    change += Object.hasOwn(old, key) ? difference(field, old[key], without) : slotBytes + weightOf(field, without);
  }
  let oldKeys = 0;
  for (const key in old) {
    oldKeys++;
    if (key !== without && !Object.hasOwn(value, key)) change -= slotBytes + weightOf(fieldAt(old, key), without);
  }
  // The keys themselves weigh something where they are many.
  return Math.max(keys, oldKeys) > sharedKeysMax ? weightOf(value, without) - weightOf(old, without) : change;
}

function differenceOfLists(value: readonly unknown[], old: readonly unknown[], without: string | undefined): number {
  const shared = Math.min(value.length, old.length);
  let change = 0;
  for (let i = 0; i < shared; i++) change += difference(value[i], old[i], without);
  for (let i = shared; i < value.length; i++) change += slotBytes + weightOf(value[i], without);
  for (let i = shared; i < old.length; i++) change -= slotBytes + weightOf(old[i], without);
  return change;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textWeight(text: string): number {
  const { length } = text;
  return textBytes + (length > shortText && wide.test(text) ? 2 * length : length);
}
