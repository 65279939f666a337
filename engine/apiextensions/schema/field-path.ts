/** Paths that name fields and members of maps and nothing else, followed through a schema. Mirrors ValidFieldPath of pkg/apiserver/schema/cel/validation.go. */
import type { Structural } from './structural.ts';

export interface FoundField {
  /** The steps, as names. */
  readonly steps: readonly string[];
  /** As upstream writes it: `.` before names, brackets around keys of maps. */
  readonly text: string;
  /** Undefined for members of a map of which nothing is said. */
  readonly schema: Structural | undefined;
}

/** What the path leads to, or why it leads nowhere. */
export function followPath(path: string, structural: Structural, allowsBrackets: boolean): FoundField | string {
  const tokens = tokensOf(path);
  const steps: string[] = [];
  let text = '';
  let schema: Structural | undefined = structural;
  for (let at = 0; at < tokens.length; at++) {
    const mark = tokens[at] as string;
    if (mark !== '.' && mark !== '[') return `expected [ or . but got: ${mark}`;
    if (mark === '[' && !allowsBrackets) return 'array notation is not allowed';
    const token = tokens[++at];
    if (token === undefined) return 'unexpected end of JSON path';
    const name = mark === '.' ? token : unquoted(token);
    if (typeof name !== 'string') return name.fault;
    const next: Below | undefined = schema && below(schema, name);
    if (next === undefined) return 'does not refer to a valid field';
    text += (schema?.properties.size ?? 0) === 0 ? `[${name}]` : text === '' ? name : `.${name}`;
    schema = next.schema;
    steps.push(name);
    if (mark === '.') continue;
    const end = tokens[++at];
    if (end !== ']') return end === undefined ? 'unexpected end of JSON path' : `expected ] but got ${end}`;
  }
  return { steps, text, schema };
}

interface Below {
  readonly schema: Structural | undefined;
}

function below({ properties, additionalProperties }: Structural, name: string): Below | undefined {
  const property = properties.get(name);
  if (properties.size > 0) return property && { schema: property };
  return additionalProperties === undefined ? undefined : { schema: typeof additionalProperties === 'object' ? additionalProperties : undefined };
}

/** Dots and brackets, texts in single quotes, and what stands between them. */
function tokensOf(path: string): readonly string[] {
  return path.match(/[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]]+/gs) ?? [];
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

function unquoted(token: string): string | { readonly fault: string } {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return { fault: `expected single quoted string but got ${token}` };
  let fault: string | undefined;
  const text = token.slice(1, -1).replace(/\\(.)/gs, (escape, letter: string) => {
    const plain = escapes.get(letter);
    if (plain === undefined) fault ??= `invalid string literal: invalid escape char ${escape}`;
    return plain ?? '';
  });
  return fault === undefined ? text : { fault };
}
