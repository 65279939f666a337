/**
 * Reads the struct types of a Go API package: field names, protobuf numbers, types and the keys that patches need, from the struct
 * tags and `+` markers of the published sources. Facts only; comments and code of the sources are not carried over.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GoField {
  readonly goName: string;
  /** The Go type as written, e.g. `[]Container` or `map[string]string`. */
  readonly goType: string;
  readonly embedded: boolean;
  /** JSON name; empty for inlined fields. */
  readonly json: string;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** protobuf field number; 0 for TypeMeta and for what protobuf does not carry. */
  readonly number: number;
  /** Its items stand one by one on the wire, whatever Go calls their type. */
  readonly repeated: boolean;
  readonly patchStrategy: string | undefined;
  readonly patchMergeKey: string | undefined;
  readonly markers: readonly string[];
}

export interface GoStruct {
  readonly name: string;
  readonly markers: readonly string[];
  readonly fields: readonly GoField[];
}

export interface GoPackage {
  readonly structs: ReadonlyMap<string, GoStruct>;
  /** `type PodPhase string`, `type ResourceList map[…]…`, `type X = v1.X`, `type X v1.X`. */
  readonly named: ReadonlyMap<string, string>;
  /** Those of them that are types of their own (`type X v1.X`), and no other names of one (`type X = v1.X`). */
  readonly defined: ReadonlySet<string>;
  /** Import name → path. */
  readonly imports: ReadonlyMap<string, string>;
  /** Types marked `+enum`, with the names of their constants. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** Constants by name: a text in quotes, or another constant, `v1.IPv4Protocol`. */
  readonly constants: ReadonlyMap<string, string>;
}

export function readGoPackage(folder: string): GoPackage {
  const structs = new Map<string, GoStruct>();
  const named = new Map<string, string>();
  const imports = new Map<string, string>();
  const marked = new Set<string>();
  const defined = new Set<string>();
  const constants = new Map<string, Constant>();
  const files = readdirSync(folder).filter((file) => file.endsWith('.go') && !/_test\.go$|^zz_|generated|^conversion|^register|^doc\.go/.test(file));
  for (const file of files) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    readImports(lines, imports);
    readTypes(lines, structs, named, { marked, defined });
    readConstants(lines, constants);
  }
  const namesOf = (type: string): readonly string[] => [...constants].flatMap(([name, constant]) => (constant.type === type ? [name] : []));
  const enums = new Map([...marked].map((type) => [type, namesOf(type)]));
  return { structs, named, defined, imports, enums, constants: new Map([...constants].map(([name, { value }]) => [name, value])) };
}

interface Constant {
  readonly type: string;
  readonly value: string;
}

/** `PodPending PodPhase = "Pending"` or `Exact = PathType("Exact")`, in a group or not. */
function readConstants(lines: readonly string[], constants: Map<string, Constant>): void {
  for (const line of lines) {
    const [, name, before, within, value] =
      /^(?:\s+|const )(\w+)(?:\s+(\w+))?\s*=\s*(?:(\w+)\()?("[^"]*"|\w+\.\w+)\)?\s*(?:\/\/.*)?$/.exec(line) ?? [];
    const type = before ?? within;
    if (name !== undefined && type !== undefined && value !== undefined) constants.set(name, { type, value });
  }
}

function readImports(lines: readonly string[], imports: Map<string, string>): void {
  for (const line of lines) {
    const match = /^\s*(?:import\s+)?(\w+)?\s*"([^"]+)"\s*$/.exec(line);
    if (match !== null) imports.set(match[1] ?? (match[2] as string).split('/').pop() ?? '', match[2] as string);
    if (/^(type|func|const|var) /.test(line)) return;
  }
}

function readTypes(
  lines: readonly string[],
  structs: Map<string, GoStruct>,
  named: Map<string, string>,
  { marked, defined }: Readonly<Record<'marked' | 'defined', Set<string>>>,
): void {
  let markers: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const marker = /^\s*\/\/\s*\+(.*)$/.exec(line);
    if (marker !== null) markers.push((marker[1] as string).trim());
    const struct = /^type (\w+) struct \{\s*(\/\/.*)?$/.exec(line);
    const empty = /^type (\w+) struct\s*\{\s*\}/.exec(line);
    if (empty !== null) {
      structs.set(empty[1] as string, { name: empty[1] as string, markers, fields: [] });
    } else if (struct !== null) {
      const end = lines.indexOf('}', i);
      structs.set(struct[1] as string, { name: struct[1] as string, markers, fields: readFields(lines.slice(i + 1, end)) });
      i = end;
    } else {
      const alias = /^type (\w+)\s+(?:=\s*)?([^\s{]+)\s*(\/\/.*)?$/.exec(line);
      if (alias !== null) named.set(alias[1] as string, alias[2] as string);
      if (alias !== null && !line.includes('=')) defined.add(alias[1] as string);
      if (alias !== null && markers.includes('enum')) marked.add(alias[1] as string);
    }
    if (!/^\s*\/\//.test(line) && line.trim() !== '') markers = [];
  }
}

function readFields(lines: readonly string[]): readonly GoField[] {
  const fields: GoField[] = [];
  let markers: string[] = [];
  for (const line of lines) {
    const marker = /^\s*\/\/\s*\+(.*)$/.exec(line);
    if (marker !== null) markers.push((marker[1] as string).trim());
    if (/^\s*\/\//.test(line)) continue;
    const field = parseField(line, markers);
    if (field !== undefined) fields.push(field);
    if (line.trim() !== '') markers = [];
  }
  return fields;
}

function parseField(line: string, markers: readonly string[]): GoField | undefined {
  const match = /^\s*(?:(\w+)\s+)?([\w.*[\]]+)\s*`(.*)`/.exec(line);
  if (match === null) return undefined;
  const [, name, goType, tags] = match as unknown as [string, string | undefined, string, string];
  const json = tagOf(tags, 'json');
  if (json === undefined || json === '-') return undefined;
  const [jsonName = '', ...flags] = json.split(',');
  const inline = flags.includes('inline');
  const protobuf = tagOf(tags, 'protobuf');
  return {
    goName: name ?? goType.split('.').pop()?.replace('*', '') ?? '',
    goType,
    embedded: name === undefined,
    json: inline ? '' : jsonName,
    omitEmpty: flags.includes('omitempty'),
    omitZero: flags.includes('omitzero'),
    number: protobuf === undefined ? 0 : Number(protobuf.split(',')[1]),
    repeated: protobuf?.split(',')[2] === 'rep',
    patchStrategy: tagOf(tags, 'patchStrategy'),
    patchMergeKey: tagOf(tags, 'patchMergeKey'),
    markers,
  };
}

function tagOf(tags: string, key: string): string | undefined {
  return new RegExp(`(?:^|\\s)${key}:"([^"]*)"`).exec(tags)?.[1];
}
