/**
 * Names in the order in which people count: `node-2` before `node-10`. Digits count where a word ends with them; those in the middle of one, as of the
 * suffixes that are drawn for pods, are letters like others.
 */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let at = 0;
  while (at < shorter && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  let from = at;
  while (from > 0 && isDigit(a.charCodeAt(from - 1))) from--;
  const [endA, endB] = [endOfDigits(a, at), endOfDigits(b, at)];
  if (endA > from && endB > from) {
    const [countsA, countsB] = [!isOfWord(a.charCodeAt(endA)), !isOfWord(b.charCodeAt(endB))];
    // Numbers before what only looks like one, or three names could stand in a circle.
    if (countsA !== countsB) return countsA ? -1 : 1;
    if (countsA) return compareDigits(a.slice(from, endA), b.slice(from, endB)) || (a < b ? -1 : 1);
  }
  return a < b ? -1 : 1;
}

function compareDigits(a: string, b: string): number {
  const [first, second] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  if (first === second) return 0;
  return first.length - second.length || (first < second ? -1 : 1);
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** False behind the end of a text. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isOfWord(code: number): boolean {
  return isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}
