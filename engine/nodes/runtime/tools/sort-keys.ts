/** What `sort` compares: columns or parts of them, as texts or as numbers. */

export interface SortKey {
  readonly from: number;
  /** In characters of the column, from 1. */
  readonly fromChar: number;
  /** The last column; 0 for the end of the line. */
  readonly to: number;
  readonly toChar: number;
  /** Letters: `n`, `g`, `r`, `f`, `b`, `d`, `i`. */
  readonly flags: string;
}

/** `2`, `2,3`, `1.2n,1.4`; undefined where it is none. */
export function sortKey(text: string, flags: string): SortKey | undefined {
  const parts = /^(\d{1,6})(?:\.(\d{1,6}))?([ngrfbdi]*)(?:,(\d{1,6})(?:\.(\d{1,6}))?([ngrfbdi]*))?$/.exec(text);
  if (parts === null || parts[1] === '0') return undefined;
  const own = `${parts[3] ?? ''}${parts[6] ?? ''}`;
  return {
    from: Number(parts[1]),
    fromChar: Number(parts[2] ?? 1),
    to: Number(parts[4] ?? 0),
    toChar: Number(parts[5] ?? 0),
    flags: own === '' ? flags : own,
  };
}

export function compareKeys(a: string, b: string, keys: readonly SortKey[], separator: string | undefined): number {
  for (const key of keys) {
    const [x, y] = [keyOf(a, key, separator), keyOf(b, key, separator)];
    const order = /[ng]/.test(key.flags) ? numberOf(x, key.flags) - numberOf(y, key.flags) : x < y ? -1 : x > y ? 1 : 0;
    if (order !== 0) return key.flags.includes('r') ? -order : order;
  }
  return 0;
}

function keyOf(line: string, { from, fromChar, to, toChar, flags }: SortKey, separator: string | undefined): string {
  const columns = separator === undefined ? (line.match(/\s*\S+|\s+$/g) ?? []) : line.split(separator);
  const joint = separator ?? '';
  const isWhole = from === 1 && fromChar === 1 && to === 0;
  let text = line;
  if (!isWhole) {
    const end = to === 0 ? columns.length : to;
    const before = columns.slice(0, from - 1).reduce((sum, column) => sum + column.length + joint.length, 0);
    const last = columns.slice(0, end - 1).reduce((sum, column) => sum + column.length + joint.length, 0);
    const stop = toChar > 0 ? last + toChar : last + (columns[end - 1]?.length ?? 0);
    text = line.slice(before + fromChar - 1, Math.max(before, stop));
  }
  if (/[bng]/.test(flags)) text = text.trimStart();
  if (flags.includes('d')) text = text.replaceAll(/[^A-Za-z0-9\s]/g, '');
  return flags.includes('f') ? text.toUpperCase() : text;
}

/** What stands at its beginning; nothing is 0. */
function numberOf(text: string, flags: string): number {
  const pattern = flags.includes('g') ? /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/i : /^-?(?:\d+\.?\d*|\.\d+)/;
  return Number(pattern.exec(text.slice(0, 400))?.[0] ?? 0);
}
