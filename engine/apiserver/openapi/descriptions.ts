/**
 * What types and fields are for, in upstream's words. They are in no source of ours: packages of TypeScript types, which are installed,
 * have them as comments, and their files are read when somebody first asks for a description.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { DescribingPackage } from '../../contracts/release.ts';
import type { Rewords } from '../../contracts/release-documents.ts';

export interface Description {
  /** Of the type itself; empty where nothing is said. */
  readonly text: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** The text of a file of a package, e.g. `kubernetes-types/core/v1.d.ts`; undefined where there is none. */
export type ReadTypes = (path: string) => string | undefined;

/** Groups and versions (`apps.v1beta1`) that no package knows any more, and whose types are described where others of the same names are. */
export type Elsewhere = { readonly [groupVersion: string]: readonly string[] };

/** Where a package has a type: files of which one may have it, and what it is called there. */
interface Place {
  readonly files: readonly string[];
  readonly name: string;
}

const metadataOfAll = ['apiVersion', 'kind', 'metadata'] as const;
const domains = ['', '.k8s.io', '.authorization.k8s.io', '.apiserver.k8s.io'] as const;

const machinery = 'io.k8s.apimachinery.pkg.';

const places: { readonly [name in DescribingPackage]: (definition: string) => Place } = {
  'kubernetes-models': (definition) => {
    const type = definition.slice(definition.lastIndexOf('.') + 1);
    return { files: modelFolders(definition).map((folder) => `${folder}/${type}.d.ts`), name: `I${type}` };
  },
  'kubernetes-types': placesIn('kubernetes-types'),
  'kubernetes-types-1.17': placesIn('kubernetes-types-1.17'),
};

function placesIn(name: string): (definition: string) => Place {
  return (definition) => {
    const [group = '', version = '', type = ''] = definition.split('.').slice(-3);
    return { files: [`${name}/${group}/${version}.d.ts`], name: type };
  };
}

function modelFolders(definition: string): readonly string[] {
  const [group = '', version = ''] = definition.split('.').slice(-3);
  if (group === 'meta') return [`@kubernetes-models/apimachinery/apis/meta/${version}`];
  if (definition.startsWith(machinery))
    return [`@kubernetes-models/apimachinery/${definition.slice(machinery.length).split('.').slice(0, -1).join('/')}`];
  if (group === 'core') return [`kubernetes-models/${version}`];
  return domains.map((domain) => `kubernetes-models/${group}${domain}/${version}`);
}

export class Descriptions {
  readonly #read: ReadTypes;
  readonly #packages: readonly DescribingPackage[];
  readonly #elsewhere: Elsewhere;
  readonly #rewords: Rewords;
  readonly #files = new Map<string, TypesFile | undefined>();

  /** Of several packages the first that says something of a type or field is heard, and what is said elsewhere after all. */
  constructor(
    read: ReadTypes,
    packages: readonly DescribingPackage[],
    { elsewhere = {}, rewords = [] }: { readonly elsewhere?: Elsewhere | undefined; readonly rewords?: Rewords | undefined } = {},
  ) {
    this.#read = read;
    this.#packages = packages;
    this.#elsewhere = elsewhere;
    this.#rewords = rewords;
  }

  /** By the name of an OpenAPI definition, e.g. `io.k8s.api.core.v1.PodSpec`. */
  of(definition: string): Description | undefined {
    const names = [definition, ...this.#namesElsewhere(definition)];
    const all = names.flatMap((name) => this.#packages.flatMap((one) => this.#said(places[one](name)) ?? []));
    if (all.length < 2) return all[0];
    return {
      text: all.find(({ text }) => text !== '')?.text ?? '',
      fields: new Map(all.toReversed().flatMap(({ fields }) => [...fields])),
    };
  }

  /** Of what every object has; upstream says the same of it everywhere. */
  ofEveryObject(): ReadonlyMap<string, string> {
    const known = this.of('io.k8s.api.core.v1.Pod')?.fields;
    return new Map(metadataOfAll.flatMap((name) => (known?.has(name) === true ? [[name, known.get(name) as string]] : [])));
  }

  #namesElsewhere(definition: string): readonly string[] {
    const [group = '', version = '', type = ''] = definition.split('.').slice(-3);
    return (getOwn(this.#elsewhere, `${group}.${version}`) ?? []).map((other) => `io.k8s.api.${other}.${type}`);
  }

  #said({ files, name }: Place): Description | undefined {
    for (const path of files) {
      const types = this.#types(path);
      if (types !== undefined) return this.#asThen(types.get(name));
    }
    return undefined;
  }

  #asThen(said: Description | undefined): Description | undefined {
    if (said === undefined || this.#rewords.length === 0) return said;
    const asThen = (words: string): string => this.#rewords.reduce((text, [now, then]) => text.replaceAll(now, then), words);
    return { text: asThen(said.text), fields: new Map([...said.fields].map(([field, words]) => [field, asThen(words)])) };
  }

  #types(path: string): TypesFile | undefined {
    if (this.#files.has(path)) return this.#files.get(path);
    const source = this.#read(path);
    const types = source === undefined ? undefined : new TypesFile(source);
    this.#files.set(path, types);
    return types;
  }
}

const declaration = /\nexport (?:interface|type) (\w+)/g;

/** A file has hundreds of types, and a first table waits for what is said of three: each is read when it is asked for. */
export class TypesFile {
  readonly #source: string;
  /** Where the part of the file begins that tells of a type, and ends. */
  readonly #parts = new Map<string, { readonly from: number; readonly to: number }>();

  constructor(source: string) {
    this.#source = `\n${source}`;
    const found = [...this.#source.matchAll(declaration)];
    for (const [place, { index, 1: name = '' }] of found.entries()) {
      // Its comment stands behind the end of the type before.
      const before = found[place - 1]?.index ?? 0;
      const end = this.#source.lastIndexOf('\n}', index);
      this.#parts.set(name, { from: end > before ? end + 2 : before, to: found[place + 1]?.index ?? this.#source.length });
    }
  }

  get names(): readonly string[] {
    return [...this.#parts.keys()];
  }

  get(name: string): Description | undefined {
    const part = this.#parts.get(name);
    return part && describedIn(this.#source.slice(part.from, part.to)).get(name);
  }
}

const valuesListed = '\n\nPossible enum values:';

/** Without the list of values, which upstream adds where OpenAPI tells them (`OpenAPIEnums`), and nowhere else. */
export function withoutListedValues(text: string): string {
  const at = text.indexOf(valuesListed);
  return at < 0 ? text : text.slice(0, at);
}

const comment = /^\s*\/\*\*\s?(.*?)\s*(\*\/)?$/;
const typeLine = /^export (?:interface|type) (\w+)/;
const fieldLine = /^ {4}(?:readonly )?"?([\w$-]+)"?\??:/;
/** What a comment must not hold as it is, and what tools put there beside upstream's words. */
const escaped = /\\([*_[\]`/])/g;
const marked = /\n@deprecated$/;

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
      said = open.join('\n').trim().replace(marked, '').replace(escaped, '$1');
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
