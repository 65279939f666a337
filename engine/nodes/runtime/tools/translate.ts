/** `tr`: characters to other characters. */

const classes: ReadonlyMap<string, string> = new Map([
  ['digit', between('0', '9')],
  ['lower', between('a', 'z')],
  ['upper', between('A', 'Z')],
  ['alpha', between('A', 'Z') + between('a', 'z')],
  ['alnum', between('0', '9') + between('A', 'Z') + between('a', 'z')],
  ['space', '\t\n\v\f\r '],
  ['blank', '\t '],
  ['punct', `${between('!', '/')}${between(':', '@')}${between('[', '`')}${between('{', '~')}`],
  ['cntrl', `${between('\0', '\u001f')}\u007f`],
  ['print', between(' ', '~')],
  ['graph', between('!', '~')],
  ['xdigit', `${between('0', '9')}${between('A', 'F')}${between('a', 'f')}`],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
]);

function between(from: string, to: string): string {
  let text = '';
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) text += String.fromCharCode(code);
  return text;
}

/** `a-z`, `[:digit:]`, `\n`, `\012`. */
export function charactersOf(set: string): string {
  let found = '';
  for (let at = 0; at < set.length; ) {
    const named = /^\[:(\w+):\]/.exec(set.slice(at, at + 12));
    const known = named === null ? undefined : classes.get(named[1] ?? '');
    if (named !== null && known !== undefined) {
      found += known;
      at += named[0].length;
      continue;
    }
    const first = oneOf(set, at);
    at += first.length;
    if (set[at] !== '-' || at + 1 >= set.length) {
      found += first.char;
      continue;
    }
    const last = oneOf(set, at + 1);
    at += 1 + last.length;
    // A range goes no further than these characters do.
    if (last.char.charCodeAt(0) - first.char.charCodeAt(0) < 256) found += between(first.char, last.char);
  }
  return found;
}

function oneOf(set: string, at: number): { readonly char: string; readonly length: number } {
  const [octal] = /^\\[0-7]{1,3}/.exec(set.slice(at, at + 4)) ?? [];
  if (octal !== undefined) return { char: String.fromCharCode(Number.parseInt(octal.slice(1), 8) & 255), length: octal.length };
  if (set[at] === '\\' && at + 1 < set.length) {
    const next = set[at + 1] as string;
    return { char: escapes.get(next) ?? next, length: 2 };
  }
  return { char: set[at] as string, length: 1 };
}

export function translate(
  text: string,
  { from, to }: { readonly from: string; readonly to: string | undefined },
  { isComplement, deletes, squeezes }: { readonly isComplement: boolean; readonly deletes: boolean; readonly squeezes: boolean },
): string {
  const last = to?.at(-1);
  const map = new Map<string, string>();
  [...from].forEach((char, at) => map.set(char, to?.[at] ?? last ?? char));
  const isIn = (char: string): boolean => map.has(char) !== isComplement;
  const squeezed = new Set(squeezes ? (to !== undefined ? to : isComplement ? [] : from) : []);
  const isSqueezed = (char: string): boolean => squeezes && (to === undefined && isComplement ? isIn(char) : squeezed.has(char));
  const made: string[] = [];
  for (const char of text) {
    if (deletes && isIn(char)) continue;
    const next = deletes || to === undefined || !isIn(char) ? char : isComplement ? (last ?? char) : (map.get(char) ?? char);
    if (isSqueezed(next) && made.at(-1) === next) continue;
    made.push(next);
  }
  return made.join('');
}
