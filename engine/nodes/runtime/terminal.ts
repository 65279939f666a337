/** The line discipline of a terminal: what is typed is shown, edited by line and handed on when the line ends. */

/** The line that is being typed, the escape sequence that has begun, and the size. Plain data (law 9). */
export interface Terminal {
  line: string;
  escape: string;
  /** In characters; 0 as long as nobody has said. */
  columns: number;
  rows: number;
}

export type Keystroke =
  | { readonly type: 'echo'; readonly text: string }
  | { readonly type: 'line'; readonly text: string }
  /** ^C */
  | { readonly type: 'interrupt' }
  /** ^D on an empty line */
  | { readonly type: 'end' };

export function newTerminal(): Terminal {
  return { line: '', escape: '', columns: 0, rows: 0 };
}

/** What these characters do, in order. */
export function* type(terminal: Terminal, text: string): Generator<Keystroke> {
  for (const character of text) {
    if (terminal.escape !== '' || character === '\u001b') readEscape(terminal, character);
    else yield* press(terminal, character);
  }
}

/** Output as a terminal shows it. */
export function toTerminal(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

const rubOut = '\b \b';

function* press(terminal: Terminal, character: string): Generator<Keystroke> {
  const { line } = terminal;
  switch (character) {
    case '\r':
    case '\n':
      terminal.line = '';
      yield { type: 'echo', text: '\r\n' };
      yield { type: 'line', text: `${line}\n` };
      return;
    case '\u007f':
    case '\b':
      if (line === '') return;
      terminal.line = Array.from(line).slice(0, -1).join('');
      yield { type: 'echo', text: rubOut };
      return;
    case '\u0003':
      terminal.line = '';
      yield { type: 'echo', text: '^C\r\n' };
      yield { type: 'interrupt' };
      return;
    case '\u0004':
      if (line === '') yield { type: 'end' };
      return;
    case '\u0015':
      terminal.line = '';
      yield { type: 'echo', text: rubOut.repeat(Array.from(line).length) };
      return;
    default:
      if (character < ' ') return;
      terminal.line += character;
      yield { type: 'echo', text: character };
  }
}

/** Arrows and the like: there is no history to go through, so they do nothing. */
function readEscape(terminal: Terminal, character: string): void {
  terminal.escape += character;
  const isOver = terminal.escape.length > 2 ? /[A-Za-z~]/.test(character) : terminal.escape.length === 2 && !'[O'.includes(character);
  if (isOver || terminal.escape.length > 16) terminal.escape = '';
}
