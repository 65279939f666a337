/** Names of properties as expressions write them. Mirrors pkg/cel/escaping.go of apiserver. */
const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop'],
  ...['package', 'namespace', 'return', 'var', 'void', 'while'],
]);
const marks: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);
const meant: ReadonlyMap<string, string> = new Map([...marks].map(([plain, written]) => [written.slice(2, -2), plain]));

/** Undefined for a name that no expression can write. */
export function escaped(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (mark) => marks.get(mark) ?? mark);
}

/** What a written name stands for; undefined for one that stands for nothing. */
export function unescaped(name: string): string | undefined {
  let isWrong = false;
  const plain = name.replace(/__[^_]+__/g, (whole) => {
    const inner = whole.slice(2, -2);
    const mark = meant.get(inner);
    if (mark !== undefined) return mark;
    if (!reserved.has(inner) || whole.length !== name.length) isWrong = true;
    return inner;
  });
  return isWrong ? undefined : plain;
}

/** Words of the language may stand as they are where a field is named. */
export function fieldKey(field: string): string {
  return reserved.has(field) ? `__${field}__` : field;
}
