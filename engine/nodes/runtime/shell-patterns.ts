/** Shell patterns: `*`, `?`, `[a-z]`, `[!a-z]`, `[[:digit:]]`, and a backslash that takes the meaning of what follows. */
import type { ShellBudget } from './shell-budget.ts';

type Token = { readonly type: 'any' | 'star' } | { readonly type: 'char'; readonly char: string } | Bracket;

interface Bracket {
  readonly type: 'bracket';
  readonly isNot: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly classes: readonly RegExp[];
}

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alpha', /[A-Za-z]/],
  ['digit', /[0-9]/],
  ['alnum', /[A-Za-z0-9]/],
  ['upper', /[A-Z]/],
  ['lower', /[a-z]/],
  ['space', /\s/],
  ['blank', /[ \t]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['xdigit', /[0-9A-Fa-f]/],
]);
/** Looks at a character after which they are paid for. */
const looksPerCharge = 4_096;

/** The pattern that this text alone matches. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\*?[\]]/g, '\\$&');
}

/** Whether it could match another text than itself. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

/** Matches in linear space and without regular expressions of the pattern's. */
export function matchesPattern(text: string, pattern: string, budget: ShellBudget): boolean {
  const tokens = tokensOf(pattern, budget);
  let [t, p, star, mark, looks] = [0, 0, -1, 0, 0];
  while (t < text.length) {
    const token = tokens[p];
    looks += token?.type === 'bracket' ? 1 + token.ranges.length : 1;
    if (looks >= looksPerCharge) {
      budget.product(looks, 1);
      looks = 0;
    }
    if (token?.type === 'star') {
      star = p++;
      mark = t;
    } else if (token !== undefined && matchesOne(token, text[t] as string)) {
      t++;
      p++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (tokens[p]?.type === 'star') p++;
  return p === tokens.length;
}

/** `#` and `%` take the shortest match away, `##` and `%%` the longest. */
export function strip(value: string, pattern: string, operator: string, budget: ShellBudget): string {
  budget.text(value.length + pattern.length);
  const isPrefix = operator[0] === '#';
  const tokens = tokensOf(pattern, budget);
  if (tokens.every((token) => token.type === 'char')) {
    const plain = tokens.map((token) => (token as { readonly char: string }).char).join('');
    if (isPrefix) return value.startsWith(plain) ? value.slice(plain.length) : value;
    return value.endsWith(plain) ? value.slice(0, value.length - plain.length) : value;
  }
  // Every length is tried, and each try may look at every character for every character of the pattern.
  budget.product(value.length, value.length);
  for (let tried = 0; tried <= value.length; tried++) {
    const length = operator.length === 2 ? value.length - tried : tried;
    if (isPrefix && matchesPattern(value.slice(0, length), pattern, budget)) return value.slice(length);
    if (!isPrefix && matchesPattern(value.slice(value.length - length), pattern, budget)) return value.slice(0, value.length - length);
  }
  return value;
}

/** Replaces the first of the longest matches, or all of them. */
export function replace(value: string, pattern: string, text: string, replacesAll: boolean, budget: ShellBudget): string {
  if (pattern === '') return value;
  budget.product(value.length, value.length);
  let made = '';
  for (let at = 0; at < value.length; ) {
    const end = longestMatch(value, at, pattern, budget);
    if (end === undefined) {
      made += value[at++];
      continue;
    }
    made += text;
    budget.text(made.length + value.length);
    at = end;
    if (!replacesAll) return made + value.slice(at);
  }
  return made;
}

function longestMatch(value: string, at: number, pattern: string, budget: ShellBudget): number | undefined {
  for (let end = value.length; end > at; end--) if (matchesPattern(value.slice(at, end), pattern, budget)) return end;
  return undefined;
}

function matchesOne(token: Token, char: string): boolean {
  if (token.type === 'char') return token.char === char;
  if (token.type !== 'bracket') return token.type === 'any';
  const isIn = token.ranges.some(([from, to]) => from <= char && char <= to) || token.classes.some((one) => one.test(char));
  return isIn !== token.isNot;
}

function tokensOf(pattern: string, budget: ShellBudget): readonly Token[] {
  budget.text(pattern.length);
  const tokens: Token[] = [];
  // Where one bracket does not end, no later one does.
  let mayEnd = true;
  const lastClass = pattern.lastIndexOf(':]');
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    if (char === '*') tokens.push({ type: 'star' });
    else if (char === '?') tokens.push({ type: 'any' });
    else if (char === '\\' && at + 1 < pattern.length) tokens.push({ type: 'char', char: pattern[++at] as string });
    else if (char === '[') {
      const end: number | undefined = mayEnd ? bracketEnd(pattern, at, lastClass) : undefined;
      mayEnd = end !== undefined;
      tokens.push(end === undefined ? { type: 'char', char } : bracket(pattern.slice(at + 1, end)));
      at = end ?? at;
    } else tokens.push({ type: 'char', char });
  }
  return tokens;
}

/** Where the bracket that begins there ends; undefined where it does not. A `]` at its beginning is one of its characters. */
function bracketEnd(pattern: string, start: number, lastClass: number): number | undefined {
  let at = start + 1;
  if (pattern[at] === '!' || pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  for (; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[' && pattern[at + 1] === ':' && lastClass >= at + 2) at = pattern.indexOf(':]', at + 2) + 1;
    else if (pattern[at] === ']') return at;
  }
  return undefined;
}

function bracket(inner: string): Bracket {
  const isNot = inner[0] === '!' || inner[0] === '^';
  const ranges: (readonly [string, string])[] = [];
  const found: RegExp[] = [];
  let rest = isNot ? inner.slice(1) : inner;
  while (rest !== '') {
    const [, name] = /^\[:(\w+):\]/.exec(rest) ?? [];
    if (name !== undefined) {
      const known = classes.get(name);
      if (known !== undefined) found.push(known);
      rest = rest.slice(name.length + 4);
      continue;
    }
    const [whole = '', from = '', to] = /^\\?([^])(?:-\\?([^]))?/.exec(rest) ?? [];
    ranges.push([from, to ?? from]);
    rest = rest.slice(Math.max(1, whole.length));
  }
  return { type: 'bracket', isNot, ranges, classes: found };
}
