/**
 * About how many bytes of heap a value of plain data takes. Counted from its shape alone, so that every machine and every restore comes
 * to the same number. The constants are fitted to what V8 was seen to take for ConfigMaps of one long text and of 60,000 keys, Roles,
 * Endpoints and pods.
 */
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
    weight += slotBytes + weightOf((value as Record<string, unknown>)[key], without);
  }
  return keys > sharedKeysMax ? weight + keyTexts + keys * tableSlotBytes : weight;
}

function textWeight(text: string): number {
  const { length } = text;
  return textBytes + (length > shortText && wide.test(text) ? 2 * length : length);
}
