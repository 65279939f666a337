/**
 * What types and fields are for, in upstream's words. They are in no source of ours: a package of TypeScript types, which is installed,
 * has them as comments, and its files are read when somebody first asks for a description.
 */
export interface Description {
  /** Of the type itself; empty where nothing is said. */
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** The text of a file of the package, e.g. `core/v1.d.ts`; undefined where there is none. */
export type ReadTypes = (path: string) => string | undefined;

const metadataOfAll = ['apiVersion', 'kind', 'metadata'] as const;

export class Descriptions {
  readonly #read: ReadTypes;
  readonly #files = new Map<string, ReadonlyMap<string, Description>>();

  constructor(read: ReadTypes) {
    this.#read = read;
  }

  /** By the name of an OpenAPI definition, e.g. `io.k8s.api.core.v1.PodSpec`. */
  of(definition: string): Description | undefined {
    const [group = '', version = '', name = ''] = definition.split('.').slice(-3);
    return this.#types(`${group}/${version}.d.ts`).get(name);
  }

  /** Of what every object has; upstream says the same of it everywhere. */
  ofEveryObject(): ReadonlyMap<string, string> {
    const known = this.of('io.k8s.api.core.v1.Pod')?.fields;
    return new Map(metadataOfAll.flatMap((name) => (known?.has(name) === true ? [[name, known.get(name) as string]] : [])));
  }

  #types(path: string): ReadonlyMap<string, Description> {
    let types = this.#files.get(path);
    if (types === undefined) {
      types = describedIn(this.#read(path) ?? '');
      this.#files.set(path, types);
    }
    return types;
  }
}

const comment = /^\s*\/\*\*\s?(.*?)\s*(\*\/)?$/;
const typeLine = /^export (?:interface|type) (\w+)/;
const fieldLine = /^ {4}(?:readonly )?"?([\w$-]+)"?\??:/;

/** The comments before types and their fields. */
export function describedIn(source: string): ReadonlyMap<string, Description> {
  const types = new Map<string, Description>();
  let fields = new Map<string, string>();
  let said = '';
  let open: string[] | undefined;
  for (const line of source.split('\n')) {
    if (open !== undefined) {
      const isLast = line.trimEnd().endsWith('*/');
      open.push(line.replace(/\s*\*\/\s*$/, '').replace(/^\s*\* ?/, ''));
      if (!isLast) continue;
      said = open.join('\n').trim();
      open = undefined;
      continue;
    }
    const begun = comment.exec(line);
    if (begun !== null) {
      const [, text = '', end] = begun;
      if (end === undefined) open = [text];
      else said = text;
      continue;
    }
    const type = typeLine.exec(line)?.[1];
    const field = fieldLine.exec(line)?.[1];
    if (type !== undefined) types.set(type, { text: said, fields: (fields = new Map()) });
    else if (field !== undefined && said !== '') fields.set(field, said);
    said = '';
  }
  return types;
}
