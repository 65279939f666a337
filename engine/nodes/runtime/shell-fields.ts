/** Splitting at `$IFS`: blanks of it in a row are one end of a field, each of its other characters is one, with the blanks around it. */

export type Separators = ReadonlySet<string>;

const blanks: Separators = new Set(' \t\n');
export const usualSeparators: Separators = blanks;

/** Calls `add` for text of a field and `end` where one ends; what comes last is not ended. `isForced`: the field is there though it is empty. */
export function splitFields(text: string, separators: Separators, add: (piece: string) => void, end: (isForced: boolean) => void): void {
  let from = 0;
  for (let at = 0; at < text.length; ) {
    if (!separators.has(text[at] as string)) {
      at++;
      continue;
    }
    if (at > from) add(text.slice(from, at));
    const ended = endOf(text, at, separators);
    end(ended.isHard);
    at = ended.at;
    from = at;
  }
  if (from < text.length) add(text.slice(from));
}

/** Behind what ends a field there, which is hard when it is more than blanks. */
function endOf(text: string, start: number, separators: Separators): { readonly at: number; readonly isHard: boolean } {
  let at = start;
  let isHard = false;
  for (; at < text.length && separators.has(text[at] as string); at++) {
    if (blanks.has(text[at] as string)) continue;
    if (isHard) break;
    isHard = true;
  }
  return { at, isHard };
}

/** As `read` does: so many fields, the last of which is all that is left. */
export function readFields(line: string, separators: Separators, count: number): readonly string[] {
  const isBlank = (at: number): boolean => blanks.has(line[at] as string) && separators.has(line[at] as string);
  let [from, to] = [0, line.length];
  while (from < to && isBlank(from)) from++;
  while (to > from && isBlank(to - 1)) to--;
  const fields: string[] = [];
  while (fields.length < count - 1 && from < to) {
    let at = from;
    while (at < to && !separators.has(line[at] as string)) at++;
    fields.push(line.slice(from, at));
    from = at < to ? Math.min(to, endOf(line, at, separators).at) : to;
  }
  const rest = line.slice(from, to);
  // One separator at the end says only that the last field ends there.
  const last = rest.at(-1) ?? '';
  const isEnded = last !== '' && separators.has(last) && ![...rest.slice(0, -1)].some((char) => separators.has(char));
  return [...fields, isEnded ? rest.slice(0, -1) : rest, ...Array.from<string>({ length: Math.max(0, count - fields.length - 1) }).fill('')];
}
