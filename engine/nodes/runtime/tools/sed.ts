/** `sed`: runs an editing script over lines. */
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';
import { readFile, writeFault, writeFile, fullPath } from '../shell-files.ts';
import { ExpressionFault } from './expressions.ts';
import { defineTool } from './options.ts';
import { readPaths } from './reading.ts';
import { type Address, parseSed, type SedCommand, SedFault } from './sed-script.ts';
import { substitute } from './sed-substitute.ts';

export const sed: SimpleCommand = defineTool({
  name: 'sed',
  options: 'ne:f:Eri;sz',
  usage: '[-i[SFX]] [-nrE] [-f FILE]... [-e CMD]... [FILE]...\nor: sed [-i[SFX]] [-nrE] CMD [FILE]...',
  long: { quiet: 'n', silent: 'n', expression: 'e', 'regexp-extended': 'E' },
  run: (options, context, streams) => {
    const rest = [...options.rest];
    const scripts = [...options.values('e')];
    for (const path of options.values('f')) {
      const text = readFile(path, context);
      if (text === undefined) return refuse(`can't open '${path}': No such file or directory`, streams);
      scripts.push(text);
    }
    if (scripts.length === 0) scripts.push(rest.shift() ?? '');
    try {
      const commands = parseSed(scripts.join('\n'), options.has('E') || options.has('r'));
      const isSilent = options.has('n') || scripts[0]?.startsWith('#n\n') === true;
      if (options.has('i')) return inPlace(rest, commands, isSilent, context, streams);
      const { texts, status } = readPaths('sed', rest, context, streams);
      const editor = new Editor(commands, isSilent, context, streams.out);
      editor.run(texts.map(({ text }) => text).join(''));
      return { status };
    } catch (error) {
      if (!(error instanceof SedFault || error instanceof ExpressionFault)) throw error;
      return refuse(error instanceof SedFault ? error.message : `bad regex: ${error.message}`, streams);
    }
  },
});

function refuse(fault: string, { err }: Streams): { status: number } {
  err(`sed: ${fault}\n`);
  return { status: 1 };
}

function inPlace(
  paths: readonly string[],
  commands: readonly SedCommand[],
  isSilent: boolean,
  context: CommandContext,
  streams: Streams,
): { status: number } {
  let status = 0;
  for (const path of paths) {
    const text = readFile(path, context);
    const fault = text === undefined ? 'No such file or directory' : writeFault(path, context);
    if (text === undefined || fault !== undefined) {
      streams.err(`sed: ${path}: ${fault}\n`);
      status = 1;
      continue;
    }
    const pieces: string[] = [];
    let chars = 0;
    const collect = (piece: string): void => {
      chars += piece.length;
      context.budget.text(chars);
      pieces.push(piece);
    };
    new Editor(commands, isSilent, context, collect).run(text);
    writeFile(fullPath(path, context), pieces.join(''), context);
  }
  return { status };
}

/** So many commands of it take as long as one of the shell's. */
const editsPerCommand = 64;

class Editor {
  readonly #commands: readonly SedCommand[];
  readonly #isSilent: boolean;
  readonly #context: CommandContext;
  readonly #out: (text: string) => void;
  #lines: readonly string[] = [];
  #at = 0;
  #pattern = '';
  #hold = '';
  #hasEnd = true;
  #isOver = false;
  #isDone = false;
  #edits = 0;
  #replaced = false;
  #appended: string[] = [];
  /** Which ranges have begun, and in which line. */
  readonly #open = new Map<SedCommand, number>();

  constructor(commands: readonly SedCommand[], isSilent: boolean, context: CommandContext, out: (text: string) => void) {
    this.#commands = commands;
    this.#isSilent = isSilent;
    this.#context = context;
    this.#out = out;
  }

  run(text: string): void {
    this.#hasEnd = text.endsWith('\n');
    this.#lines = text.split('\n');
    if (this.#hasEnd || text === '') this.#lines = this.#lines.slice(0, -1);
    while (!this.#isOver && this.#at < this.#lines.length) {
      this.#pattern = this.#lines[this.#at++] as string;
      this.#cycle();
    }
  }

  get #isLast(): boolean {
    return this.#at >= this.#lines.length;
  }

  #print(text: string): void {
    this.#out(this.#isLast && !this.#hasEnd ? text : `${text}\n`);
  }

  #cycle(): void {
    this.#isDone = false;
    this.#replaced = false;
    for (let at = 0; at < this.#commands.length && !this.#isDone; ) {
      if (++this.#edits % editsPerCommand === 0) this.#context.budget.command();
      const command = this.#commands[at] as SedCommand;
      at = this.#selects(command) ? (this.#perform(command, at) ?? at + 1) : command.name === '{' ? command.to : at + 1;
    }
    this.#endCycle(this.#isDone);
  }

  #endCycle(isDeleted: boolean): void {
    if (!this.#isSilent && !isDeleted) this.#print(this.#pattern);
    this.#flush();
  }

  #flush(): void {
    for (const text of this.#appended) this.#out(text);
    this.#appended = [];
  }

  #selects(command: SedCommand): boolean {
    return this.#inAddresses(command) !== command.isNot;
  }

  #inAddresses(command: SedCommand): boolean {
    const { from, until } = command;
    if (from === undefined) return true;
    if (until === undefined) return this.#matches(from);
    const began = this.#open.get(command);
    if (began === undefined) {
      if (!this.#matches(from)) return false;
      const isShort = (until.type === 'line' && until.line <= this.#at) || (until.type === 'more' && until.lines === 0);
      if (!isShort) this.#open.set(command, this.#at);
      return true;
    }
    const ends = until.type === 'more' ? this.#at >= began + until.lines : until.type === 'line' ? this.#at >= until.line : this.#matches(until);
    if (ends) this.#open.delete(command);
    return until.type !== 'line' || this.#at <= until.line;
  }

  #matches(address: Address): boolean {
    switch (address.type) {
      case 'line':
        return this.#at === address.line;
      case 'last':
        return this.#isLast;
      case 'pattern':
        return address.expression.find(this.#pattern, 0, this.#context.budget) !== undefined;
      case 'more':
        return true;
    }
  }

  /** Where it goes on, where that is not the next command. */
  #perform(command: SedCommand, at: number): number | undefined {
    switch (command.name) {
      case 's':
        this.#substitute(command);
        return undefined;
      case 'd':
        this.#isDone = true;
        return undefined;
      case 'D':
        return this.#deleteFirst();
      case 'b':
        return command.to;
      case 't': {
        const goes = this.#replaced;
        this.#replaced = false;
        return goes ? command.to : undefined;
      }
      case 'n':
        if (this.#isLast) this.#stop(false);
        else {
          if (!this.#isSilent) this.#print(this.#pattern);
          this.#flush();
          this.#pattern = this.#lines[this.#at++] as string;
        }
        return undefined;
      case 'q':
      case 'Q':
        this.#stop(command.name === 'Q');
        return undefined;
      default:
        this.#edit(command);
        return command.name === '{' ? at + 1 : undefined;
    }
  }

  #stop(isDeleted: boolean): void {
    this.#isOver = true;
    if (!isDeleted && !this.#isSilent && !this.#isDone) this.#print(this.#pattern);
    this.#isDone = true;
  }

  #deleteFirst(): number | undefined {
    const end = this.#pattern.indexOf('\n');
    if (end < 0) {
      this.#isDone = true;
      return undefined;
    }
    this.#pattern = this.#pattern.slice(end + 1);
    this.#flush();
    return 0;
  }

  #edit(command: SedCommand): void {
    switch (command.name) {
      case 'p':
        this.#print(this.#pattern);
        return;
      case 'P':
        this.#out(`${this.#pattern.split('\n', 1)[0]}\n`);
        return;
      case '=':
        this.#out(`${this.#at}\n`);
        return;
      case 'a':
        this.#appended.push(`${command.text}\n`);
        return;
      case 'i':
        this.#out(`${command.text}\n`);
        return;
      case 'c':
        if (command.until === undefined || !this.#open.has(command)) this.#out(`${command.text}\n`);
        this.#isDone = true;
        return;
      case 'y':
        this.#pattern = [...this.#pattern].map((char) => command.map.get(char) ?? char).join('');
        return;
      case 'N':
        if (this.#isLast) this.#stop(false);
        else this.#pattern = this.#kept(`${this.#pattern}\n${this.#lines[this.#at++]}`);
        return;
      case 'h':
        this.#hold = this.#pattern;
        return;
      case 'H':
        this.#hold = this.#kept(`${this.#hold}\n${this.#pattern}`);
        return;
      case 'g':
        this.#pattern = this.#hold;
        return;
      case 'G':
        this.#pattern = this.#kept(`${this.#pattern}\n${this.#hold}`);
        return;
      case 'x':
        [this.#pattern, this.#hold] = [this.#hold, this.#pattern];
    }
  }

  #kept(text: string): string {
    this.#context.budget.text(text.length);
    return text;
  }

  #substitute(command: Extract<SedCommand, { name: 's' }>): void {
    const made = substitute(this.#pattern, command, this.#context.budget);
    if (made === undefined) return;
    this.#pattern = made;
    this.#replaced = true;
    if (command.prints) this.#print(made);
  }
}
