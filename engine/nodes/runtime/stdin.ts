/** What a process reads: text that comes piece by piece, until its other side is closed. */
import { bytesOfText, joinTexts, textOfBytes } from '../../base/byte-text.ts';
import { shellMemoryBytesMax } from '../physics.ts';
import { ShellEnd } from './shell-budget.ts';

/** What has come and has not been read. Plain data (law 9). */
export interface Stdin {
  text: string;
  ended: boolean;
  /** The end was typed on a terminal: it is told to one reader, and the next waits for what is typed then. */
  endsOnce: boolean;
}

/** How commands read. */
export interface Input {
  /** Everything up to the end. */
  all(): string;
  /** What there is; undefined at the end. */
  piece(): string | undefined;
  /** The next line without its newline; undefined at the end. */
  line(): string | undefined;
  /** So many lines with their newlines, or what there is of them. */
  lines(count: number): string;
}

/** A command wants more than there is: whoever runs the shell waits, and runs the command again when more has come. */
export class NeedsInput extends Error {
  constructor() {
    super('a command waits for its input');
    this.name = 'NeedsInput';
  }
}

export function inputOf(stdin: Stdin): Input {
  return {
    all: () => {
      if (!stdin.ended) throw new NeedsInput();
      const text = takeAll(stdin);
      tellEnd(stdin);
      return text;
    },
    piece: () => {
      if (stdin.text === '' && !stdin.ended) throw new NeedsInput();
      return stdin.text === '' ? tellEnd(stdin) : takeAll(stdin);
    },
    line: () => {
      const end = stdin.text.indexOf('\n');
      if (end < 0 && !stdin.ended) throw new NeedsInput();
      if (end < 0) return stdin.text === '' ? tellEnd(stdin) : takeAll(stdin);
      const line = stdin.text.slice(0, end);
      stdin.text = stdin.text.slice(end + 1);
      return line;
    },
    lines: (count) => {
      let end = 0;
      for (let at = 0; at < count && end >= 0; at++) end = stdin.text.indexOf('\n', end) + 1 || -1;
      if (end < 0 && !stdin.ended) throw new NeedsInput();
      const taken = end < 0 ? stdin.text : stdin.text.slice(0, end);
      stdin.text = stdin.text.slice(taken.length);
      if (end < 0) tellEnd(stdin);
      return taken;
    },
  };
}

/** A whole text, as a pipe brings it. */
export function inputOfText(text: string): Input {
  return inputOf({ text, ended: true, endsOnce: false });
}

/** A process that does not read what it is sent keeps it in memory, and ends where a machine would end it. */
export function feed(stdin: Stdin, text: string): void {
  if (stdin.ended) return;
  if (stdin.text.length + text.length > shellMemoryBytesMax) throw new ShellEnd('memory');
  // What somebody typed may have come in pieces of characters.
  stdin.text = joinTexts(stdin.text, text.isWellFormed() ? text : textOfBytes(bytesOfText(text)));
}

/** Somebody has been told that there is no more. */
function tellEnd(stdin: Stdin): undefined {
  if (!stdin.endsOnce) return;
  stdin.ended = false;
  stdin.endsOnce = false;
}

function takeAll(stdin: Stdin): string {
  const { text } = stdin;
  stdin.text = '';
  return text;
}
