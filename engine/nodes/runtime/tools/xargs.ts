/** `xargs`: commands made of words that are read. */
import { codeOf, type CommandContext, type SimpleCommand, type Streams } from '../shell-commands.ts';
import { defineTool, type Options } from './options.ts';
import { linesOf } from './reading.ts';

/** Of one command, as busybox counts. */
const charsMax = 32 * 1024;

export const xargs: SimpleCommand = defineTool({
  name: 'xargs',
  options: 'rt0n:I:L:s:P:d:E:x',
  usage: '[OPTIONS] [PROG ARGS]',
  stopsEarly: true,
  run: (options, context, streams) => {
    for (const letter of ['d', 'L', 's', 'E', 'x'] as const) {
      if (!options.has(letter)) continue;
      streams.err(`xargs: -${letter} is not simulated\n`);
      return { status: 1 };
    }
    const text = streams.input.all();
    const words = wordsOf(text, options, streams);
    if (words === undefined) return { status: 1 };
    const most = Number(options.value('n') ?? Number.POSITIVE_INFINITY);
    if (!(most >= 1)) {
      streams.err(`xargs: invalid number '${options.value('n')}'\n`);
      return { status: 1 };
    }
    return run(commandsOf(words, most, options), options, context, streams);
  },
});

/** Blanks separate words, quotes and backslashes keep them; with `-I` there is one to a line. Undefined where a quote does not end. */
function wordsOf(text: string, options: Options, { err }: Streams): readonly string[] | undefined {
  if (options.has('0')) return text.split('\0').filter((word, at, all) => at < all.length - 1 || word !== '');
  if (options.has('I'))
    return linesOf(text)
      .map((line) => line.trimStart())
      .filter((line) => line !== '');
  const words: string[] = [];
  for (const [whole] of text.matchAll(/(?:'[^'\n]*'|"[^"\n]*"|\\[^]|[^\s'"\\])+|['"]/g)) {
    if (whole === "'" || whole === '"') {
      err(`xargs: unmatched ${whole === "'" ? 'single' : 'double'} quote\n`);
      return undefined;
    }
    words.push(whole.replaceAll(/'([^'\n]*)'|"([^"\n]*)"|\\([^])/g, (_, a: string, b: string, c: string) => a ?? b ?? c));
  }
  return words;
}

function commandsOf(words: readonly string[], most: number, options: Options): readonly (readonly string[])[] {
  const command = options.rest.length === 0 ? ['echo'] : options.rest;
  const mark = options.value('I');
  if (mark !== undefined) return words.map((word) => command.map((part) => part.replaceAll(mark, () => word)));
  if (words.length === 0) return options.has('r') ? [] : [command];
  const commands: string[][] = [];
  let chars = 0;
  for (const word of words) {
    const last = commands.at(-1);
    chars += word.length + 1;
    if (last !== undefined && last.length - command.length < most && chars <= charsMax) last.push(word);
    else {
      commands.push([...command, word]);
      chars = word.length + 1;
    }
  }
  return commands;
}

function run(
  commands: readonly (readonly string[])[],
  options: Options,
  context: CommandContext,
  { out, err }: Streams,
): { status: number; sleepMs: number } {
  let [status, tookMs] = [0, 0];
  for (const words of commands) {
    context.budget.text(words.reduce((sum, word) => sum + word.length + 1, 0));
    if (options.has('t')) err(`${words.join(' ')}\n`);
    const result = context.nested(codeOf(words), '');
    err(result.exitCode === 127 ? result.errors.replace(/^sh: (.*): not found\n$/s, 'xargs: $1: No such file or directory\n') : result.errors);
    out(result.output);
    tookMs += result.tookMs;
    if (result.exitCode === 127 || result.exitCode === 255) return { status: result.exitCode === 255 ? 124 : 127, sleepMs: tookMs };
    if (result.exitCode !== 0) status = 123;
  }
  return { status, sleepMs: tookMs };
}
