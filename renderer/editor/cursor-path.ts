/**
 * Which field of a YAML text a place in it belongs to, by indentation alone, so that it is known while a line is being written and the
 * text is no YAML yet. What is written in braces on one line is not looked into.
 */
import type { FieldPath } from './changes.ts';

export interface CursorField {
  /** Of the map that the key stands in; elements of lists are 0. */
  readonly parent: FieldPath;
  /** As far as it is written before the place. */
  readonly key: string;
  /** Whether the place is behind the key's colon; `value` is what stands between. */
  readonly inValue: boolean;
  readonly value: string;
  /** Column of the key, or of where one would begin. */
  readonly column: number;
}

interface Token {
  readonly column: number;
  /** Undefined: the dash of an element. */
  readonly key: string | undefined;
}

const linePattern = /^( *)((?:- +|-$)*)(.*)$/;
const keyPattern = /^("[^"]*"|'[^']*'|[^\s#:"'{[|>&*!][^:#]*?)\s*:(?=\s|$)/;

export function cursorField(lines: readonly string[], row: number, column: number): CursorField | undefined {
  const line = lines[row] ?? '';
  const before = line.slice(0, column);
  const [, indent = '', dashes = '', rest = ''] = linePattern.exec(before) ?? [];
  if (rest.startsWith('#') || line.startsWith('---')) return undefined;
  const at = indent.length + dashes.length;
  const written = keyPattern.exec(rest);
  // A scalar of several lines holds what looks like keys; its own key ends in `|` or `>`.
  const tokens = [...tokensOf(dashes, indent.length), ...tokensAbove(lines, row)];
  const parent = pathOf(tokens, at);
  if (parent === undefined) return undefined;
  if (!written) return { parent, key: rest, inValue: false, value: '', column: at };
  return { parent, key: unquoted(written[1] ?? ''), inValue: true, value: rest.slice(written[0].length).trimStart(), column: at };
}

/** Keys of the map that the place is in, but for those of its own line. */
export function keysBeside(lines: readonly string[], row: number, column: number): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const direction of [-1, 1])
    for (let index = row + direction; index >= 0 && index < lines.length; index += direction) {
      const line = lines[index] ?? '';
      const [, indent = '', dashes = '', rest = ''] = linePattern.exec(line) ?? [];
      if (rest.trim() === '' || rest.startsWith('#')) continue;
      const at = indent.length + dashes.length;
      // An element's first key stands behind its dash: above it is another element, and so is a dash below.
      if (line.startsWith('---') || at < column || (direction > 0 && dashes !== '' && indent.length < column)) break;
      const key = keyPattern.exec(rest)?.[1];
      if (at === column && key !== undefined) keys.add(unquoted(key));
      if (dashes !== '' && indent.length < column) break;
    }
  return keys;
}

/** Nearest first. */
function tokensAbove(lines: readonly string[], row: number): readonly Token[] {
  const tokens: Token[] = [];
  for (let index = row - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    if (line.startsWith('---')) break;
    const [, indent = '', dashes = '', rest = ''] = linePattern.exec(line) ?? [];
    if (rest === '' && dashes === '') continue;
    if (rest.startsWith('#')) continue;
    const key = keyPattern.exec(rest)?.[1];
    if (key !== undefined) tokens.push({ column: indent.length + dashes.length, key: isBlock(rest) ? blockMark : unquoted(key) });
    tokens.push(...tokensOf(dashes, indent.length));
    if (indent.length === 0 && dashes === '') {
      // A list may stand at the column of its key, nothing else goes further up than a line that begins at the margin.
      if (key !== undefined) break;
    }
  }
  return tokens;
}

const blockMark = '\0';

function isBlock(rest: string): boolean {
  return /:\s+[|>][-+\d]*\s*$/.test(rest);
}

/** Of dashes, the innermost first. */
function tokensOf(dashes: string, indent: number): readonly Token[] {
  return [...dashes.matchAll(/-/g)].map(({ index }): Token => ({ column: indent + index, key: undefined })).reverse();
}

/** Undefined inside of a text of several lines. */
function pathOf(tokens: readonly Token[], from: number): FieldPath | undefined {
  const path: (string | number)[] = [];
  let limit = from;
  let afterDash = false;
  for (const { column, key } of tokens) {
    const isAbove = key === undefined ? column < limit : column < limit || (afterDash && column === limit);
    if (!isAbove) continue;
    if (key === blockMark) return undefined;
    path.unshift(key ?? 0);
    limit = column;
    afterDash = key === undefined;
    if (limit === 0 && !afterDash) break;
  }
  return path;
}

function unquoted(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key.trim();
}
