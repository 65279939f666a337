/** Tools that pass text on: whole, its beginning or its end, counted, turned around. */
import { bytesOfText, textOfBytes } from '../../../base/byte-text.ts';
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';
import { writeFault } from '../shell-files.ts';
import { openPath } from '../shell-streams.ts';
import { defineTool, type Options } from './options.ts';
import { linesOf, readAll, readPaths, unlines } from './reading.ts';

const ok = { status: 0 };

const cat = defineTool({
  name: 'cat',
  options: 'nbuvteA',
  usage: '[-nb] [FILE]...',
  run: (options, context, streams) => {
    const { rest } = options;
    const isPlain = !['n', 'b', 'v', 't', 'e', 'A'].some((letter) => options.has(letter));
    // What somebody types is answered line by line.
    if (isPlain && context.isLive && streams.out === context.ends.print && rest.every((path) => path === '-')) {
      for (let piece = streams.input.piece(); piece !== undefined; piece = streams.input.piece()) streams.out(piece);
      return ok;
    }
    const { text, status } = readAll('cat', rest, context, streams);
    if (['v', 't', 'e', 'A'].some((letter) => options.has(letter))) {
      streams.err('cat: marks of what cannot be seen are not simulated\n');
      return { status: 1 };
    }
    context.budget.text(text.length * (isPlain ? 1 : 2));
    streams.out(isPlain ? text : numbered(text, (line) => options.has('n') || line !== ''));
    return { status };
  },
});

function numbered(text: string, counts: (line: string) => boolean): string {
  let number = 0;
  const lines = linesOf(text).map((line) => (counts(line) ? `${String(++number).padStart(6)}\t${line}` : line));
  return unlines(lines);
}

const factors: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 512],
  ['k', 1024],
  ['m', 1024 * 1024],
]);

/** How many, of which: `-n 3`, `-c 1k`, `-n +3`, `-n -3`. Undefined where it is no number. */
function amountOf(options: Options): { readonly count: number; readonly sign: string; readonly ofBytes: boolean } | string {
  const ofBytes = options.has('c');
  const given = (ofBytes ? options.value('c') : options.value('n')) ?? '10';
  const [, sign, digits, unit = ''] = /^([-+]?)(\d{1,12})([bkm]?)$/.exec(given) ?? [];
  if (sign === undefined) return `invalid number '${given}'`;
  return { count: Number(digits) * (factors.get(unit) ?? 1), sign, ofBytes };
}

/** The same for each of several files, which have headings then. */
function ofEach(
  name: string,
  options: Options,
  context: CommandContext,
  streams: Streams,
  part: (text: string) => string,
): { status: number; isEmpty: boolean } {
  const { texts, status } = readPaths(name, options.rest, context, streams);
  const hasHeadings = (texts.length > 1 || options.has('v')) && !options.has('q');
  texts.forEach(({ path, text }, index) => {
    if (hasHeadings) streams.out(`${index > 0 ? '\n' : ''}==> ${path === '-' ? 'standard input' : path} <==\n`);
    streams.out(part(text));
  });
  return { status, isEmpty: texts.length === 0 };
}

const head = defineTool({
  name: 'head',
  options: 'n:c:qv',
  number: 'n',
  long: { lines: 'n', bytes: 'c' },
  usage: '[OPTIONS] [FILE]...',
  run: (options, context, streams) => {
    const amount = amountOf(options);
    if (typeof amount === 'string') return fail('head', amount, streams);
    const { count, sign, ofBytes } = amount;
    if (options.rest.length === 0 && sign !== '-' && !ofBytes) {
      // It reads no more than it shows, whatever there is.
      streams.out(streams.input.lines(count));
      return ok;
    }
    return ofEach('head', options, context, streams, (text) => {
      if (ofBytes) return textOfBytes(bytesOfText(text).subarray(0, sign === '-' ? -count || undefined : count));
      const lines = text.split(/(?<=\n)/);
      return lines.slice(0, sign === '-' ? Math.max(0, lines.length - count) : count).join('');
    });
  },
});

const tail = defineTool({
  name: 'tail',
  options: 'n:c:fFqvs:',
  number: 'n',
  long: { lines: 'n', bytes: 'c', follow: 'f' },
  usage: '[OPTIONS] [FILE]...',
  run: (options, context, streams) => {
    const amount = amountOf(options);
    if (typeof amount === 'string') return fail('tail', amount, streams);
    const { count, sign, ofBytes } = amount;
    const outcome = ofEach('tail', options, context, streams, (text) => {
      if (ofBytes) {
        const bytes = bytesOfText(text);
        return textOfBytes(bytes.subarray(sign === '+' ? Math.max(0, count - 1) : Math.max(0, bytes.length - count)));
      }
      const lines = text === '' ? [] : text.split(/(?<=\n)/);
      return lines.slice(sign === '+' ? Math.max(0, count - 1) : Math.max(0, lines.length - count)).join('');
    });
    if (outcome.status !== 0 && outcome.isEmpty) streams.err('tail: no files\n');
    return options.has('f') || options.has('F') ? { ...outcome, sleepMs: Number.POSITIVE_INFINITY } : outcome;
  },
});

function fail(name: string, fault: string, { err }: Streams): { status: number } {
  err(`${name}: ${fault}\n`);
  return { status: 1 };
}

const wc = defineTool({
  name: 'wc',
  options: 'lwcmL',
  long: { lines: 'l', words: 'w', bytes: 'c', chars: 'm' },
  usage: '[-cmlwL] [FILE]...',
  run: (options, context, streams) => {
    const { texts, status } = readPaths('wc', options.rest, context, streams);
    const wanted = ['l', 'w', 'm', 'c', 'L'].filter((letter) => options.has(letter));
    const shown = wanted.length === 0 ? ['l', 'w', 'c'] : wanted;
    const counted = texts.map(({ path, text }) => ({ path, counts: shown.map((letter) => countOf(letter, text)) }));
    const rows = counted.length > 1 ? [...counted, totalOf(counted, shown)] : counted;
    for (const { path, counts } of rows) {
      const isAlone = counts.length === 1;
      const text = counts.map((count) => (isAlone ? String(count) : String(count).padStart(9))).join(' ');
      streams.out(`${text}${options.rest.length === 0 ? '' : ` ${path}`}\n`);
    }
    return { status };
  },
});

function totalOf(rows: readonly { readonly counts: readonly number[] }[], shown: readonly string[]): { path: string; counts: number[] } {
  const of = (at: number): number[] => rows.map(({ counts }) => counts[at] ?? 0);
  return { path: 'total', counts: shown.map((letter, at) => (letter === 'L' ? Math.max(...of(at)) : of(at).reduce((a, b) => a + b, 0))) };
}

function countOf(letter: string, text: string): number {
  switch (letter) {
    case 'l':
      return text.split('\n').length - 1;
    case 'w':
      return text.split(/\s+/).filter((word) => word !== '').length;
    case 'c':
      return bytesOfText(text).length;
    case 'm':
      return [...text].length;
    default:
      return linesOf(text).reduce((longest, line) => Math.max(longest, line.length), 0);
  }
}

const tac = defineTool({
  name: 'tac',
  options: '',
  usage: '[FILE]...',
  run: ({ rest }, context, streams) => {
    const { text, status } = readAll('tac', rest, context, streams);
    const lines = text === '' ? [] : text.split(/(?<=\n)/);
    streams.out(lines.reverse().join(''));
    return { status };
  },
});

const rev = defineTool({
  name: 'rev',
  options: '',
  usage: '[FILE]...',
  run: ({ rest }, context, streams) => {
    const { text, status } = readAll('rev', rest, context, streams);
    const lines = text.split('\n').map((line) => [...line].reverse().join(''));
    streams.out(lines.join('\n'));
    return { status };
  },
});

const nl = defineTool({
  name: 'nl',
  options: 'b:',
  usage: '[-b STYLE] [FILE]...',
  run: (options, context, streams) => {
    const { text, status } = readAll('nl', options.rest, context, streams);
    const style = options.value('b') ?? 't';
    if (!['a', 't', 'n'].includes(style)) return fail('nl', `invalid body numbering style: '${style}'`, streams);
    context.budget.text(text.length * 2);
    let number = 0;
    const isCounted = (line: string): boolean => style === 'a' || (style === 't' && line !== '');
    const lines = linesOf(text).map((line) => (isCounted(line) ? `${String(++number).padStart(6)}\t${line}` : `       ${line}`));
    streams.out(unlines(lines));
    return { status };
  },
});

const tee = defineTool({
  name: 'tee',
  options: 'ai',
  usage: '[-ai] [FILE]...',
  run: (options, context, streams) => {
    const text = streams.input.all();
    let status = 0;
    for (const path of options.rest) {
      const fault = writeFault(path, context);
      if (fault === undefined) openPath(path, options.has('a'), context)(text);
      else {
        streams.err(`tee: ${path}: ${fault}\n`);
        status = 1;
      }
    }
    streams.out(text);
    return { status };
  },
});

/** Nobody reads all that it says: so much of it fills the pipe to its reader. */
const yesChars = 64 * 1024;

const yes: SimpleCommand = (args, { budget, isLive }, { out }) => {
  if (isLive) return { status: 0, sleepMs: Number.POSITIVE_INFINITY };
  const line = `${args.length === 0 ? 'y' : args.join(' ')}\n`;
  budget.text(yesChars + line.length);
  out(line.repeat(Math.ceil(yesChars / line.length)));
  return ok;
};

export const textTools: { readonly [name: string]: SimpleCommand } = { cat, head, tail, wc, tac, rev, nl, tee, yes };
