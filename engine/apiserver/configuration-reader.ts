/**
 * Reading the files that configure an API server: strictly, a field that nobody knows is a fault, in the words of upstream's decoder.
 * Mirrors what runtime.Decode does with a codec factory that has EnableStrict.
 */
import { goQuote } from '../apimachinery/quote.ts';
import { noTypeMeta, typeMetaOfGo } from '../apimachinery/serializer/go-names.ts';
import { unmarshalYaml } from '../apimachinery/serializer/yaml.ts';
import { parseDuration } from '../apimachinery/time.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** What is wrong with a configuration, in one line. */
export class ConfigurationFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationFault';
  }
}

/** What an admission plugin finds only when it has been told of its surroundings. */
export class InitializationFault extends ConfigurationFault {}

/** Throws ConfigurationFault for what is neither YAML nor JSON, and for what is no object. */
export function parseDocument(text: string): JsonObject {
  return parseOnce(text).document;
}

/** With what is wrong where the document says something twice. */
export function parseOnce(text: string): { readonly document: JsonObject; readonly duplicate: string | undefined } {
  try {
    const { value, duplicates } = unmarshalYaml(text);
    const document = value as JsonValue;
    if (isObject(document)) return { document, duplicate: duplicates[0] };
    if (document === null) throw new ConfigurationFault(`Object 'Kind' is missing in '${text}'`);
    throw new ConfigurationFault(`${noTypeMeta(document)} ${typeMetaOfGo}`);
  } catch (error) {
    if (error instanceof ConfigurationFault) throw error;
    throw new ConfigurationFault(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

/** Whether a document is of one of these kinds (`apiVersion/kind`). Throws ConfigurationFault where it says nothing of its kind. */
export function isKind(document: JsonObject, apiVersions: readonly string[], kind: string): boolean {
  const { apiVersion, kind: given } = document;
  if (typeof given !== 'string' || given === '') throw new ConfigurationFault(`Object 'Kind' is missing in '${JSON.stringify(document)}'`);
  if (typeof apiVersion !== 'string' || apiVersion === '')
    throw new ConfigurationFault(`Object 'apiVersion' is missing in '${JSON.stringify(document)}'`);
  return given === kind && apiVersions.includes(apiVersion);
}

export function mustBeKind(document: JsonObject, apiVersions: readonly string[], kind: string): void {
  if (isKind(document, apiVersions, kind)) return;
  const [kindText, version] = [goQuote(String(document['kind'])), goQuote(String(document['apiVersion']))];
  throw new ConfigurationFault(`no kind ${kindText} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
}

/** The fields of an object, read one by one. Absent and null are the same: nothing. */
export class Fields {
  readonly path: string;
  readonly #object: JsonObject;

  /** `known` are the fields that there may be, any where it is absent; `path` is empty for a document. */
  constructor(object: JsonValue | undefined, path: string, known?: readonly string[]) {
    if (object !== undefined && object !== null && !isObject(object)) throw new ConfigurationFault(`${path}: an object is expected`);
    this.#object = isObject(object) ? object : {};
    this.path = path;
    const unknown = known === undefined ? [] : Object.keys(this.#object).filter((name) => !known.includes(name));
    if (unknown.length > 0) throw new ConfigurationFault(`strict decoding error: unknown field ${goQuote(this.pathOf(unknown[0] as string))}`);
  }

  pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): JsonValue | undefined {
    const value = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    return value === null ? undefined : value;
  }

  /** Empty where there is none. */
  text(name: string): string {
    return this.#of(name, 'string', (value) => (typeof value === 'string' ? value : undefined)) ?? '';
  }

  optionalText(name: string): string | undefined {
    return this.#of(name, 'string', (value) => (typeof value === 'string' ? value : undefined));
  }

  boolean(name: string): boolean | undefined {
    return this.#of(name, 'boolean', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  integer(name: string): number | undefined {
    return this.#of(name, 'whole number', (value) => (typeof value === 'number' && Number.isInteger(value) ? value : undefined));
  }

  /** In milliseconds. */
  duration(name: string): number | undefined {
    return this.#of(name, 'duration', (value) => (typeof value === 'string' ? parseDuration(value) : undefined));
  }

  list(name: string): readonly JsonValue[] {
    return this.#of(name, 'list', (value) => (Array.isArray(value) ? (value as readonly JsonValue[]) : undefined)) ?? [];
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value, index) => {
      if (typeof value === 'string') return value;
      throw new ConfigurationFault(`${this.pathOf(name)}[${index}]: a string is expected`);
    });
  }

  map(name: string): ReadonlyMap<string, string> {
    const value = this.raw(name);
    if (value !== undefined && !isObject(value)) throw new ConfigurationFault(`${this.pathOf(name)}: an object is expected`);
    return new Map(
      Object.entries(value ?? {}).map(([key, text]) => {
        if (typeof text === 'string') return [key, text] as const;
        throw new ConfigurationFault(`${this.pathOf(name)}.${key}: a string is expected`);
      }),
    );
  }

  fields(name: string, known?: readonly string[]): Fields {
    return new Fields(this.raw(name), this.pathOf(name), known);
  }

  each(name: string, known?: readonly string[]): readonly Fields[] {
    return this.list(name).map((value, index) => new Fields(value, `${this.pathOf(name)}[${index}]`, known));
  }

  #of<T>(name: string, what: string, read: (value: JsonValue) => T | undefined): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const found = read(value);
    if (found === undefined) throw new ConfigurationFault(`${this.pathOf(name)}: a ${what} is expected`);
    return found;
  }
}
