/** Go templates as text and the tokens of their actions. Mirrors text/template/parse/lex.go. */

export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TemplateError';
  }
}

export interface Token {
  readonly type: 'field' | 'variable' | 'word' | 'string' | 'number' | 'mark';
  /** Of a field without its dot, of a variable with its dollar, of a string its value. */
  readonly text: string;
  /** Whether white space stands before it: `$a .b` are two, `$a.b` is one. */
  readonly spaced: boolean;
}

export type Piece = { readonly type: 'text'; readonly text: string } | { readonly type: 'action'; readonly tokens: readonly Token[] };

/** Text and actions in turn, white space trimmed where `{{-` and `-}}` say so. Comments are gone. Throws TemplateError. */
export function cut(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  for (;;) {
    const open = source.indexOf('{{', at);
    const raw = source.slice(at, open < 0 ? undefined : open);
    const trimsRight = open >= 0 && /^-\s/.test(source.slice(open + 2, open + 4));
    const left = trims ? raw.trimStart() : raw;
    const text = trimsRight ? left.trimEnd() : left;
    if (text !== '') pieces.push({ type: 'text', text });
    if (open < 0) return pieces;
    const begin = open + (trimsRight ? 3 : 2);
    const comment = /^\s*\/\*[^]*?\*\/\s*-?\}\}/.exec(source.slice(begin));
    const end = comment === null ? endOfAction(source, begin) : begin + comment[0].length - 2;
    const body = source.slice(begin, end);
    trims = /\s-$/.test(body);
    if (comment === null) pieces.push({ type: 'action', tokens: tokensOf(trims ? body.slice(0, -1) : body) });
    at = end + 2;
  }
}

/** Strings may hold braces. */
function endOfAction(source: string, begin: number): number {
  const parts = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\}\}/g;
  parts.lastIndex = begin;
  for (let found = parts.exec(source); found !== null; found = parts.exec(source)) if (found[0] === '}}') return found.index;
  throw new TemplateError('unclosed action');
}

const forms =
  /(\s+)|("(?:[^"\\\n]|\\.)*")|(`[^`]*`)|('(?:[^'\\\n]|\\.)*')|(\$[A-Za-z0-9_]*)|(\.[A-Za-z_][A-Za-z0-9_]*)|([+-]?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))|([A-Za-z_][A-Za-z0-9_]*)|(:=|[.|()=,])/y;

function tokensOf(body: string): readonly Token[] {
  const tokens: Token[] = [];
  let spaced = true;
  forms.lastIndex = 0;
  while (forms.lastIndex < body.length) {
    const from = forms.lastIndex;
    const found = forms.exec(body);
    if (found === null) throw new TemplateError(`unexpected ${JSON.stringify(body.slice(from, from + 1))} in action`);
    const [, space, quoted, raw, char, variable, field, number, word, mark] = found;
    if (space !== undefined) {
      spaced = true;
      continue;
    }
    const add = (type: Token['type'], text: string): void => void tokens.push({ type, text, spaced });
    if (quoted !== undefined) add('string', unquote(quoted));
    else if (raw !== undefined) add('string', raw.slice(1, -1));
    else if (char !== undefined) add('number', String(unquote(`"${char.slice(1, -1)}"`).codePointAt(0) ?? 0));
    else if (variable !== undefined) add('variable', variable);
    else if (field !== undefined) add('field', field.slice(1));
    else if (number !== undefined) add('number', number);
    else if (word !== undefined) add('word', word);
    else add('mark', mark ?? '');
    spaced = false;
  }
  return tokens;
}

function unquote(text: string): string {
  try {
    return JSON.parse(text.replaceAll("\\'", "'")) as string;
  } catch {
    throw new TemplateError(`invalid syntax in ${text}`);
  }
}
