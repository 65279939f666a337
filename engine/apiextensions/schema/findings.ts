/**
 * What validation finds out about one value, before it becomes field errors. Mirrors pkg/validation/errors and validate/result.go of
 * kube-openapi: faults of equal text are told once, and a count of what was checked says which branch of an `anyOf` came closest.
 */
import {
  type Double,
  type FieldError,
  type FieldPath,
  invalid,
  notSupportedOf,
  required,
  tooLongCharacters,
  tooMany,
  typeInvalid,
} from '../../apimachinery/field-errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import type { JsonValue } from '../../base/json.ts';
import type { EnumValues } from './enum-values.ts';
import { inOrder } from './rewrite.ts';

/** Where a value stands: `spec`, then `.ports`, then `[0]`. The root has none. */
export interface Spot {
  readonly above: Spot | undefined;
  readonly step: string;
  /** Made when a fault needs it. Parts are shared: what is long is long once, whatever stands below it. */
  text: string | undefined;
}

/** What stands below the root by name begins without a dot. */
export function spotOf(above: Spot | undefined, name: string): Spot {
  return { above, step: above === undefined ? name : `.${name}`, text: undefined };
}

/** Upstream writes a dot before names that only `additionalProperties` or `required` know, at the root too. */
export function dotted(above: Spot | undefined, name: string): Spot {
  return { above, step: `.${name}`, text: undefined };
}

export function itemOf(above: Spot | undefined, index: number): Spot {
  return { above, step: `[${index}]`, text: undefined };
}

export function spotText(spot: Spot | undefined): string {
  if (spot === undefined) return '';
  spot.text ??= spotText(spot.above) + spot.step;
  return spot.text;
}

export interface Fault {
  /** Upstream's own text, by which faults are told apart. */
  readonly text: string;
  /** As a fault of the field that the validated value is. */
  at(path: FieldPath | undefined): FieldError;
}

/** Characters of all texts together: one schema may find as much wrong with each of a hundred thousand items as it is long. */
const textMax = 1 << 23;

export class Findings {
  readonly faults: Fault[] = [];
  /** How many checks were made, as upstream counts. */
  matchCount = 0;
  #length = 0;
  #texts: Set<string> | undefined;

  get isValid(): boolean {
    return this.faults.length === 0;
  }

  add(fault: Fault): void {
    if (this.#length >= textMax) return;
    if (this.faults.length === 0) {
      this.faults.push(fault);
      this.#length += fault.text.length;
      return;
    }
    this.#texts ??= new Set(this.faults.map(({ text }) => text));
    if (this.#texts.has(fault.text)) return;
    this.#texts.add(fault.text);
    this.#length += fault.text.length;
    this.faults.push(fault);
  }

  merge(other: Findings | undefined): void {
    if (other === undefined) return;
    for (const fault of other.faults) this.add(fault);
    this.matchCount += other.matchCount;
  }
}

/** Findings of one fault and nothing else: upstream counts no check then. */
export function faulty(fault: Fault): Findings {
  const findings = new Findings();
  findings.add(fault);
  return findings;
}

/** The field of a spot within the value at a path. A value that is the root of everything has no name: upstream writes `<nil>`. */
function fieldOf(path: FieldPath | undefined, spot: string): FieldPath {
  const name = spot.startsWith('.') ? spot.slice(1) : spot;
  if (name === '') return path ?? nowhere;
  return path === undefined ? named(name) : path.child(name);
}

function named(name: string): FieldPath {
  return { toString: () => name } as FieldPath;
}

const nowhere = named('<nil>');

export function wrongType(spot: Spot | undefined, wanted: string, was: string): Fault {
  const name = spotText(spot);
  const text = `${name} in body must be of type ${wanted}: ${goQuote(was)}`;
  return { text, at: (path) => typeInvalid(fieldOf(path, name), was, text) };
}

/** `value` undefined: upstream has none and shows an empty text. */
export function wrongValue(spot: Spot | undefined, value: JsonValue | Double | undefined, what: string): Fault {
  const name = spotText(spot);
  const text = `${name} in body ${what}`;
  return { text, at: (path) => invalid(fieldOf(path, name), value ?? '', text) };
}

/** The text names the spot in a way of its own. */
export function wrongAs(spot: Spot | undefined, value: JsonValue | Double, text: (name: string) => string): Fault {
  const name = spotText(spot);
  const written = text(name);
  return { text: written, at: (path) => invalid(fieldOf(path, name), value, written) };
}

/** A fault that upstream does not tie to the spot: it is one of the whole value. */
export function wrongWhole(text: string): Fault {
  return { text, at: (path) => invalid(path ?? nowhere, '', text) };
}

export function missing(spot: Spot): Fault {
  const name = spotText(spot);
  return { text: `${name} in body is required`, at: (path) => required(fieldOf(path, name)) };
}

export function notListed(spot: Spot | undefined, value: JsonValue, listed: EnumValues): Fault {
  const name = spotText(spot);
  return { text: `${name} in body should be one of ${listed.key}`, at: (path) => notSupportedOf(fieldOf(path, name), inOrder(value), listed.texts) };
}

export function overlong(spot: Spot | undefined, most: number): Fault {
  const name = spotText(spot);
  return {
    text: `${name} in body should be at most ${most} chars long`,
    at: (path) => overlongAt(fieldOf(path, name), most),
  };
}

/** Characters are counted, and bytes are what upstream says. */
function overlongAt(path: FieldPath, most: number): FieldError {
  const fault = tooLongCharacters(path, most);
  return { ...fault, detail: fault.detail.replace('character', 'byte') };
}

export function overfull(spot: Spot | undefined, count: number, most: number, what: 'items' | 'properties'): Fault {
  const name = spotText(spot);
  return { text: `${name} in body should have at most ${most} ${what}`, at: (path) => tooMany(fieldOf(path, name), count, most) };
}
