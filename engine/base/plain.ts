/**
 * Plain objects that are filled field by field and then kept. V8 gives `{}` room for four fields and puts further ones into a list beside
 * it; a constructor learns from its first objects how much room they need. So there is one for each number of fields, and their
 * prototype is that of all plain objects: nobody can tell what they make from a literal.
 */
export type Fields = { [key: string]: unknown };

const fieldsMax = 24;
/** A constructor has learnt after so many objects. */
const lessons = 8;
const makers = Array.from({ length: fieldsMax + 1 }, (_, size) => makerOf(size));

/** An empty object with room for so many fields; it may get fewer or more. */
export function roomFor(fields: number): Fields {
  const maker = makers[fields];
  return maker === undefined ? {} : new maker();
}

/**
 * The field that a loop over the keys of the object has come to. What V8 13.6 compiles of `object[key]` inside of
 * `for (key in object)` can learn nothing of what it reads, so it is thrown away each time it runs and compiled again, for ever.
 */
export function fieldAt<T>(object: { readonly [key: string]: T }, key: string): T | undefined {
  return object[key];
}

/** How many fields it has. */
export function fieldCount(object: object): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}

/** The fields that have a value, in their order. */
export function givenFields<T>(fields: { readonly [key: string]: T | undefined }): { [key: string]: T } {
  let count = 0;
  for (const key in fields) if (fieldAt(fields, key) !== undefined) count++;
  const made = roomFor(count) as { [key: string]: T };
  for (const key in fields) {
    const value = fieldAt(fields, key);
    if (value !== undefined) made[key] = value;
  }
  return made;
}

/** The object with another value in one field, which comes last; without the field when there is no value. */
export function withField<T extends object>(object: T, name: string, value: unknown): T {
  const made = roomFor(fieldCount(object) + (name in object ? 0 : 1));
  for (const key in object) if ((key as string) !== name) made[key] = fieldAt(object as Fields, key);
  if (value !== undefined) made[name] = value;
  return made as T;
}

function makerOf(size: number): new () => Fields {
  const maker = function () {} as unknown as { new (): Fields; prototype: object };
  maker.prototype = Object.prototype;
  for (let lesson = 0; lesson < lessons; lesson++) {
    const example = new maker();
    for (let field = 0; field < size; field++) example[`field${field}`] = undefined;
  }
  return maker;
}
