/** The tables of a release about fields, made ready: what is hidden, what is refused, and the messages without it. */
import type { MessageSchema, SchemaRegistry } from '../apimachinery/schema.ts';
import type { GatedRefusal, ReleaseFields } from '../contracts/release.ts';

/** Message → names of fields. */
export type Hidden = ReadonlyMap<string, ReadonlySet<string>>;

/** Of a closed set: the values that are refused, and those that are named instead. */
interface ClosedSet {
  readonly later: readonly string[];
  readonly known: readonly string[];
}

/** A field that may not say something. */
interface RefusedField {
  readonly refusals: readonly GatedRefusal[];
}

/** A text that is judged. */
interface JudgedText {
  readonly judge: (text: string) => readonly string[];
}

/** What may not be said of the fields of a message. */
export type UnsupportedValues = { readonly [field: string]: ClosedSet | RefusedField | JudgedText };

export function hiddenFields({ later, gated }: ReleaseFields, featureEnabled: (gate: string) => boolean): Hidden {
  const hidden = new Map<string, Set<string>>(Object.entries(later).map(([name, fields]) => [name, new Set(fields)]));
  for (const [name, fields] of Object.entries(gated)) {
    const off = Object.entries(fields).flatMap(([field, gate]) => (featureEnabled(gate) ? [] : [field]));
    if (off.length > 0) hidden.set(name, new Set([...(hidden.get(name) ?? []), ...off]));
  }
  return hidden;
}

export function unsupportedValues(
  { laterValues, refused, judged }: ReleaseFields,
  featureEnabled: (gate: string) => boolean,
): ReadonlyMap<string, UnsupportedValues> {
  const isOff = ([, { gate }]: readonly [string, { readonly gate?: string }]): boolean => gate === undefined || !featureEnabled(gate);
  const values = new Map<string, UnsupportedValues>();
  for (const [name, fields] of Object.entries(laterValues)) {
    const off = Object.fromEntries(Object.entries<ClosedSet & { readonly gate?: string }>(fields).filter(isOff));
    if (Object.keys(off).length > 0) values.set(name, { ...values.get(name), ...off });
  }
  for (const [name, fields] of Object.entries(refused)) {
    const off = Object.entries(fields).flatMap(([field, rules]) => {
      const refusals = (Array.isArray(rules) ? (rules as readonly GatedRefusal[]) : [rules as GatedRefusal]).filter(
        ({ gate }) => !featureEnabled(gate),
      );
      return refusals.length === 0 ? [] : [[field, { refusals }] as const];
    });
    if (off.length > 0) values.set(name, { ...values.get(name), ...Object.fromEntries(off) });
  }
  for (const [name, fields] of Object.entries(judged)) {
    const judges = Object.fromEntries(Object.entries(fields).map(([field, judge]) => [field, { judge }]));
    values.set(name, { ...values.get(name), ...judges });
  }
  return values;
}

export function narrowed(all: SchemaRegistry, hidden: Hidden, zeros: Hidden): SchemaRegistry {
  const made = new Map<string, MessageSchema>();
  const get = (name: string): MessageSchema | undefined => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const message = all.get(name);
    const fields = hidden.get(name);
    const written = zeros.get(name);
    if (message === undefined || (fields === undefined && written === undefined)) return message;
    const shown = message.fields.filter((field) => field.inline === true || fields?.has(field.name) !== true);
    const narrow = { ...message, fields: shown.map((field) => (written?.has(field.name) === true ? { ...field, omitEmpty: false } : field)) };
    made.set(name, narrow);
    return narrow;
  };
  return { get, mustGet: (name) => get(all.mustGet(name).name) as MessageSchema, names: () => all.names() };
}

/** Whether a message, or one that it holds, is one of those looked for. Found out once for each. */
export class Reaching {
  readonly #all: SchemaRegistry;
  readonly #isMeant: (name: string) => boolean;
  readonly #known = new Map<string, boolean>();

  constructor(all: SchemaRegistry, isMeant: (name: string) => boolean) {
    this.#all = all;
    this.#isMeant = isMeant;
  }

  from(schema: MessageSchema): boolean {
    const known = this.#known.get(schema.name);
    if (known !== undefined) return known;
    const met = new Map([[schema.name, schema]]);
    let found = false;
    for (const message of met.values()) {
      if (this.#isMeant(message.name) || this.#known.get(message.name) === true) {
        found = true;
        break;
      }
      for (const { type } of message.fields) {
        const inner = typeof type === 'string' ? undefined : this.#all.get(type.message);
        if (inner !== undefined) met.set(inner.name, inner);
      }
    }
    this.#known.set(schema.name, found);
    return found;
  }
}
