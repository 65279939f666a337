/** Tools that look at lines by their columns: `sort`, `uniq`, `cut`, `tr`, `awk '{print $1}'`, `hexdump`. */
import { bytesOfText } from '../../../base/byte-text.ts';
import { awkArguments, awkOutput, hexText } from '../shell-columns.ts';
import type { SimpleCommand } from '../shell-commands.ts';
import { openPath } from '../shell-streams.ts';
import { compareKeys, type SortKey, sortKey } from './sort-keys.ts';
import { defineTool } from './options.ts';
import { linesOf, readAll, unlines } from './reading.ts';
import { charactersOf, translate } from './translate.ts';

const sort = defineTool({
  name: 'sort',
  options: 'nrgubfsdicmk:t:o:',
  usage: '[-nrugcbfsdi] [-o FILE] [-k START[.OFS][OPTS][,END[.OFS][OPTS]] [-t CHAR] [FILE]...',
  faultStatus: 2,
  run: (options, context, streams) => {
    const { text, status } = readAll('sort', options.rest, context, streams);
    if (status !== 0) return { status: 2 };
    const separator = options.value('t');
    if (separator !== undefined && separator.length !== 1) return refuse('sort', `bad -t parameter`, streams.err, 2);
    const flags = ['n', 'g', 'r', 'b', 'f', 'd', 'i'].filter((letter) => options.has(letter)).join('');
    const keys: SortKey[] = [];
    for (const given of options.has('k') ? options.values('k') : ['1']) {
      const key = sortKey(given, flags);
      if (key === undefined) return refuse('sort', `bad field specification`, streams.err, 2);
      keys.push(key);
    }
    const lines = linesOf(text);
    // So many comparisons, each of which may look at whole lines.
    context.budget.product(text.length, keys.length * (33 - Math.clz32(lines.length)));
    const compared = (a: string, b: string): number => compareKeys(a, b, keys, separator);
    const isStable = options.has('s') || options.has('u');
    const lastResort = (a: string, b: string): number => (a === b ? 0 : (a < b ? -1 : 1) * (flags.includes('r') ? -1 : 1));
    if (options.has('c')) {
      const wrong = lines.findIndex((line, at) => at > 0 && compared(lines[at - 1] as string, line) > (options.has('u') ? -1 : 0));
      if (wrong >= 0) streams.err(`Check line ${wrong}\n`);
      return { status: wrong >= 0 ? 1 : 0 };
    }
    lines.sort((a, b) => compared(a, b) || (isStable ? 0 : lastResort(a, b)));
    const kept = options.has('u') ? lines.filter((line, at) => at === 0 || compared(lines[at - 1] as string, line) !== 0) : lines;
    const out = options.has('o') ? openPath(options.value('o') ?? '', false, context) : streams.out;
    out(unlines(kept));
    return { status: 0 };
  },
});

function refuse(name: string, fault: string, err: (text: string) => void, status = 1): { status: number } {
  err(`${name}: ${fault}\n`);
  return { status };
}

const uniq = defineTool({
  name: 'uniq',
  options: 'cdui',
  usage: '[-cdui] [INPUT [OUTPUT]]',
  run: (options, context, streams) => {
    const { text, status } = readAll('uniq', options.rest.slice(0, 1), context, streams);
    if (status !== 0) return { status };
    const groups: { line: string; count: number }[] = [];
    const same = (a: string, b: string): boolean => (options.has('i') ? a.toLowerCase() === b.toLowerCase() : a === b);
    for (const line of linesOf(text)) {
      const last = groups.at(-1);
      if (last !== undefined && same(last.line, line)) last.count++;
      else groups.push({ line, count: 1 });
    }
    const kept = groups.filter(({ count }) => (!options.has('d') || count > 1) && (!options.has('u') || count === 1));
    context.budget.text(text.length + kept.length * 8);
    const output = unlines(kept.map(({ line, count }) => (options.has('c') ? `${String(count).padStart(7)} ${line}` : line)));
    const [, to] = options.rest;
    (to === undefined ? streams.out : openPath(to, false, context))(output);
    return { status: 0 };
  },
});

const cut = defineTool({
  name: 'cut',
  options: 'b:c:f:d:sn',
  usage: '{-b|c LIST | -f LIST [-d SEP] [-s]} [FILE]...',
  run: (options, context, streams) => {
    const letter = ['f', 'c', 'b'].find((one) => options.has(one));
    if (letter === undefined) return refuse('cut', 'expected a list of bytes, characters, or fields', streams.err);
    const ranges = rangesOf(options.value(letter) ?? '');
    if (typeof ranges === 'string') return refuse('cut', ranges, streams.err);
    const separator = options.value('d') ?? '\t';
    const { text, status } = readAll('cut', options.rest, context, streams);
    context.budget.product(text.length, ranges.length);
    const isIn = (at: number): boolean => ranges.some(([from, to]) => from <= at && at <= to);
    const lines = linesOf(text).flatMap((line) => {
      if (letter !== 'f') return [[...line].filter((_, at) => isIn(at + 1)).join('')];
      if (!line.includes(separator)) return options.has('s') ? [] : [line];
      return [
        line
          .split(separator)
          .filter((_, at) => isIn(at + 1))
          .join(separator),
      ];
    });
    streams.out(unlines(lines));
    return { status };
  },
});

/** `1,3-5,7-`; a text says what is wrong with it. */
function rangesOf(list: string): readonly (readonly [number, number])[] | string {
  const ranges: [number, number][] = [];
  for (const one of list.split(',')) {
    const [, from, dash, to] = /^(\d{0,9})(-?)(\d{0,9})$/.exec(one) ?? [];
    if (from === undefined || (from === '' && to === '') || (dash === '' && to !== '')) return `invalid number '${one}'`;
    const first = from === '' ? 1 : Number(from);
    const last = dash === '' ? first : to === '' ? Number.MAX_SAFE_INTEGER : Number(to);
    if (first < 1 || last < first) return 'invalid byte or field list';
    ranges.push([first, last]);
  }
  return ranges;
}

const tr = defineTool({
  name: 'tr',
  options: 'cCds',
  usage: '[-cds] STRING1 [STRING2]',
  stopsEarly: true,
  atLeast: 1,
  run: (options, context, streams) => {
    const [from = '', to] = options.rest;
    const isComplement = options.has('c') || options.has('C');
    if (options.rest.length > 2 || (to === undefined && !options.has('d') && !options.has('s'))) {
      streams.err('BusyBox multi-call binary.\n\nUsage: tr [-cds] STRING1 [STRING2]\n');
      return { status: 1 };
    }
    const text = streams.input.all();
    context.budget.text(text.length);
    const sets = { from: charactersOf(from), to: to === undefined ? undefined : charactersOf(to) };
    streams.out(translate(text, sets, { isComplement, deletes: options.has('d'), squeezes: options.has('s') }));
    return { status: 0 };
  },
});

const awk: SimpleCommand = (args, context, streams) => {
  const { program, separator, paths } = awkArguments(args);
  const { text, status } = readAll('awk', paths, context, streams);
  const said = awkOutput(program, separator, text, context.budget);
  if (said === undefined) streams.err('awk: only `{print $1, …}` is simulated\n');
  else streams.out(said);
  return { status: said === undefined ? 2 : status };
};

const hexdump = defineTool({
  name: 'hexdump',
  options: 'Cvn:',
  usage: '[-Cv] [-n LEN] [FILE]...',
  run: (options, context, streams) => {
    const { text, status } = readAll('hexdump', options.rest, context, streams);
    const length = options.value('n');
    if (length !== undefined && !/^\d{1,9}$/.test(length)) return refuse('hexdump', `invalid number '${length}'`, streams.err);
    if (status === 0)
      streams.out(hexText(bytesOfText(text).subarray(0, length === undefined ? undefined : Number(length)), options.has('C'), context.budget));
    return { status };
  },
});

export const columnTools: { readonly [name: string]: SimpleCommand } = { sort, uniq, cut, tr, awk, hexdump };
