/** What a Content-Type says. Mirrors Go's mime.ParseMediaType. */

const token = "[!#$%&'*+\\-.^_`|~\\w]+";
const parameter = `\\s*;\\s*(${token})\\s*=\\s*(?:(${token})|"((?:[^"\\\\\\r\\n]|\\\\.)*)")`;

/** The media type in lower case; undefined where the parameters behind it are none. */
export function mediaTypeOf(header: string): string | undefined {
  const end = header.indexOf(';');
  if (end === -1) return header.trim().toLowerCase();
  const given = new Map<string, string>();
  const next = new RegExp(parameter, 'y');
  let at = end;
  for (;;) {
    next.lastIndex = at;
    const found = next.exec(header);
    if (found === null) break;
    const name = (found[1] ?? '').toLowerCase();
    const value = found[2] ?? found[3] ?? '';
    // A name may come twice, as long as it says the same.
    if ((given.get(name) ?? value) !== value) return undefined;
    given.set(name, value);
    at = next.lastIndex;
  }
  const rest = header.slice(at).trim();
  return rest === '' || rest === ';' ? header.slice(0, end).trim().toLowerCase() : undefined;
}
