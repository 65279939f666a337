/**
 * Paths into objects, as scenarios write them: `status.phase`, `spec.containers[*].image`, `status.conditions[type=Ready].status`,
 * `metadata.annotations['example.org/x']`, `items[0]`. Plain text, no expressions.
 */
export type PathPart =
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'each' }
  | { readonly type: 'match'; readonly key: string; readonly value: string };

export interface ParsedPath {
  readonly parts: readonly PathPart[];
  /** Why the text is no path. */
  readonly problem?: string;
}

export function parsePath(text: string): ParsedPath {
  const parts: PathPart[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '[') {
      const end = closing(text, at);
      if (end < 0) return { parts, problem: `"${text}" has a bracket that does not close` };
      const part = parseBracket(text.slice(at + 1, end));
      if (part === undefined) return { parts, problem: `"${text}": [${text.slice(at + 1, end)}] is none of [*], [0], [type=Ready], ['key']` };
      parts.push(part);
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && text[end] !== '.' && text[end] !== '[') end++;
      if (end === at) return { parts, problem: `"${text}" has an empty part` };
      parts.push({ type: 'key', key: text.slice(at, end) });
      at = end;
    }
    if (text[at] === '.') {
      at++;
      if (at === text.length) return { parts, problem: `"${text}" ends in a dot` };
    }
  }
  return parts.length === 0 ? { parts, problem: 'is required' } : { parts };
}

/** All values at the path; none where it leads nowhere. */
export function valuesAt(object: unknown, parts: readonly PathPart[]): readonly unknown[] {
  let values: readonly unknown[] = [object];
  for (const part of parts) values = values.flatMap((value) => step(value, part));
  return values.filter((value) => value !== undefined && value !== null);
}

function closing(text: string, open: number): number {
  const quote = text[open + 1];
  if (quote !== "'" && quote !== '"') return text.indexOf(']', open);
  const end = text.indexOf(`${quote}]`, open + 2);
  return end < 0 ? -1 : end + 1;
}

function parseBracket(inside: string): PathPart | undefined {
  if (inside === '*') return { type: 'each' };
  if (/^\d{1,9}$/.test(inside)) return { type: 'index', index: Number(inside) };
  if (/^(['"]).*\1$/.test(inside) && inside.length > 1) return { type: 'key', key: inside.slice(1, -1) };
  const equals = inside.indexOf('=');
  return equals < 1 ? undefined : { type: 'match', key: inside.slice(0, equals), value: inside.slice(equals + 1) };
}

function step(value: unknown, part: PathPart): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  switch (part.type) {
    case 'key':
      return [(value as { readonly [key: string]: unknown })[part.key]];
    case 'index':
      return Array.isArray(value) ? [value[part.index]] : [];
    case 'each':
      return Array.isArray(value) ? value : Object.values(value);
    case 'match':
      return Array.isArray(value)
        ? value.filter((item) => String((item as { readonly [key: string]: unknown } | null)?.[part.key]) === part.value)
        : [];
  }
}
