/** How deep and how long a script may be before anybody parses it. */
const scriptCharsMax = 64 * 1024;
const nestingMax = 100;
const operatorsMax = 500;
const negationsMax = 20;

const openers: ReadonlySet<string> = new Set(['(', '{', 'if', 'while', 'until', 'for', 'case']);
const closers: ReadonlySet<string> = new Set([')', '}', 'fi', 'done', 'esac']);
/** After these another command begins. */
const beforeCommand: ReadonlySet<string> = new Set([';', '\n', '&', '|', '(', '{', '!', '`', 'do', 'then', 'else']);
const shellToken = /[(){}`;\n&|!]|[A-Za-z_]\w*|[-+*/%<>=~^?:,]+/g;

/**
 * Why a script is not even parsed: the parser and everything after it go as deep as the script does. Words count where a command may
 * begin, operators inside of `((…))`; what stands in quotes may be taken for more than it is, never for less.
 */
export function excess(source: string): string | undefined {
  if (source.length > scriptCharsMax) return `a script of ${source.length} characters is not simulated`;
  let depth = 0;
  let arithmeticDepth: number | undefined;
  let operators = 0;
  let negations = 0;
  let isCommand = true;
  let last = { token: '', end: -1 };
  for (const { 0: token, index } of source.matchAll(shellToken)) {
    const isWord = /^[A-Za-z_]/.test(token);
    if (openers.has(token) && (!isWord || isCommand)) {
      if (++depth > nestingMax) return 'the script is nested too deep';
      if (token === '(' && last.token === '(' && last.end === index) arithmeticDepth ??= depth - 1;
    } else if (closers.has(token) && (!isWord || isCommand)) {
      depth = Math.max(0, depth - 1);
      if (arithmeticDepth !== undefined && depth < arithmeticDepth) arithmeticDepth = undefined;
    }
    if (arithmeticDepth === undefined) operators = 0;
    else if (!isWord) operators += token.length;
    if (operators > operatorsMax) return 'the expression is too long';
    negations = token === '!' ? negations + 1 : 0;
    if (negations > negationsMax) return 'the script is nested too deep';
    isCommand = beforeCommand.has(token);
    last = { token, end: index + token.length };
  }
  return undefined;
}
