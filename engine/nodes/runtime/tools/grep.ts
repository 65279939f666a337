/** `grep`, `egrep` and `fgrep`. */
import type { CommandContext, SimpleCommand, Streams } from '../shell-commands.ts';
import { folderNames, fullPath, isFolder, normalPath, readFault, readFile } from '../shell-files.ts';
import { compileExpression, type Expression, ExpressionFault, type Match } from './expressions.ts';
import { defineTool, type Options, usageOf } from './options.ts';
import { linesOf } from './reading.ts';

const usage = '[-HhnlLoqvsrRiwFE] [-m N] [-A|B|C N] { PATTERN | -e PATTERN... | -f FILE... } [FILE]...';

const grep = (name: string, always: string): SimpleCommand =>
  defineTool({
    name,
    options: 'HhnlLoqvsrRiwFExce:f:m:A:B:C:',
    usage,
    faultStatus: 2,
    run: (options, context, streams) => {
      const has = (letter: string): boolean => options.has(letter) || always.includes(letter);
      const fault = (text: string): { status: number } => {
        streams.err(`${name}: ${text}\n`);
        return { status: 2 };
      };
      const rest = [...options.rest];
      const patterns = options.values('e').flatMap((one) => one.split('\n'));
      for (const path of options.values('f')) {
        const text = readFile(path, context);
        if (text === undefined) return fault(`${path}: No such file or directory`);
        patterns.push(...linesOf(text));
      }
      if (!options.has('e') && !options.has('f')) {
        const first = rest.shift();
        if (first === undefined) {
          streams.err(usageOf({ name, usage }));
          return { status: 2 };
        }
        patterns.push(...first.split('\n'));
      }
      try {
        const matcher = matcherOf(patterns, has);
        return new Grep(name, matcher, { options, has }, context, streams).run(rest);
      } catch (error) {
        if (!(error instanceof ExpressionFault)) throw error;
        return fault(`bad regex '${patterns[0] ?? ''}': ${error.message}`);
      }
    },
  });

type Matcher = (line: string, from: number, context: CommandContext) => Pick<Match, 'start' | 'end'> | undefined;

function matcherOf(patterns: readonly string[], has: (letter: string) => boolean): Matcher {
  if (has('F')) return fixedMatcher(patterns, has);
  const expressions = patterns.map((pattern) => compileExpression(pattern, { isExtended: has('E'), ignoresCase: has('i') }));
  return (line, from, { budget }) => first(expressions.map((one) => findIn(one, line, from, has, budget)));
}

function findIn(
  expression: Expression,
  line: string,
  from: number,
  has: (letter: string) => boolean,
  budget: CommandContext['budget'],
): Match | undefined {
  for (let at = from; at <= line.length; at++) {
    const match = expression.find(line, at, budget);
    if (match === undefined || fits(match, line, has)) return match;
    at = match.start;
  }
  return undefined;
}

/** `-w` and `-x`. */
function fits({ start, end }: Pick<Match, 'start' | 'end'>, line: string, has: (letter: string) => boolean): boolean {
  if (has('x') && (start > 0 || end < line.length)) return false;
  return !has('w') || (!/\w/.test(line[start - 1] ?? '') && !/\w/.test(line[end] ?? ''));
}

function fixedMatcher(patterns: readonly string[], has: (letter: string) => boolean): Matcher {
  const cased = (text: string): string => (has('i') ? text.toLowerCase() : text);
  const wanted = patterns.map(cased);
  return (line, from, { budget }) => {
    budget.text(line.length);
    const text = cased(line);
    return first(
      wanted.map((one) => {
        for (let start = text.indexOf(one, from); start >= 0; start = text.indexOf(one, start + 1)) {
          const match = { start, end: start + one.length };
          if (fits(match, line, has)) return match;
          if (start >= text.length) break;
        }
        return undefined;
      }),
    );
  };
}

/** The one that begins first, and of these the longest. */
function first<T extends Pick<Match, 'start' | 'end'>>(matches: readonly (T | undefined)[]): T | undefined {
  let found: T | undefined;
  for (const one of matches)
    if (one !== undefined && (found === undefined || one.start < found.start || (one.start === found.start && one.end > found.end))) found = one;
  return found;
}

class Grep {
  readonly #name: string;
  readonly #matcher: Matcher;
  readonly #options: Options;
  readonly #has: (letter: string) => boolean;
  readonly #context: CommandContext;
  readonly #streams: Streams;
  #hits = 0;
  #status = 1;

  constructor(
    name: string,
    matcher: Matcher,
    { options, has }: { readonly options: Options; readonly has: (letter: string) => boolean },
    context: CommandContext,
    streams: Streams,
  ) {
    this.#name = name;
    this.#matcher = matcher;
    this.#options = options;
    this.#has = has;
    this.#context = context;
    this.#streams = streams;
  }

  run(paths: readonly string[]): { status: number } {
    const isDeep = this.#has('r') || this.#has('R');
    const files = paths.length === 0 ? [isDeep ? '.' : '-'] : paths;
    const all = isDeep ? files.flatMap((path) => this.#below(path)) : files;
    const hasNames = this.#has('H') || ((all.length > 1 || isDeep) && !this.#has('h'));
    for (const path of all) {
      const fault = path === '-' ? undefined : readFault(path, this.#context);
      if (fault !== undefined) {
        if (!this.#has('s')) this.#streams.err(`${this.#name}: ${path}: ${fault}\n`);
        this.#status = 2;
        continue;
      }
      this.#file(path, path === '-' ? this.#streams.input.all() : (readFile(path, this.#context) ?? ''), hasNames);
      if (this.#has('q') && this.#hits > 0) return { status: 0 };
    }
    return { status: this.#status === 2 ? 2 : this.#hits > 0 ? 0 : 1 };
  }

  #below(path: string): readonly string[] {
    this.#context.budget.command();
    if (!isFolder(path, this.#context)) return [path];
    const names = folderNames(normalPath(fullPath(path, this.#context)), this.#context);
    return this.#context.budget.nested(() => names.flatMap((name) => this.#below(`${path.replace(/\/$/, '')}/${name}`)));
  }

  #file(path: string, text: string, hasNames: boolean): void {
    const label = hasNames ? `${path === '-' ? '(standard input)' : path}` : '';
    const lines = linesOf(text);
    const most = Number(this.#options.value('m') ?? Number.POSITIVE_INFINITY);
    const shown = new Set<number>();
    let count = 0;
    lines.forEach((line, at) => {
      if (count >= most) return;
      if ((this.#matcher(line, 0, this.#context) !== undefined) === this.#has('v')) return;
      count++;
      shown.add(at);
    });
    this.#hits += this.#has('L') ? Number(count === 0) : count;
    if (this.#has('q')) return;
    if (this.#has('l') || this.#has('L')) {
      if (count > 0 === this.#has('l')) this.#streams.out(`${path === '-' ? '(standard input)' : path}\n`);
    } else if (this.#has('c')) this.#streams.out(`${label === '' ? '' : `${label}:`}${count}\n`);
    else this.#show(lines, shown, label);
  }

  #show(lines: readonly string[], shown: ReadonlySet<number>, label: string): void {
    const around = (letter: string): number => Number(this.#options.value(letter) ?? this.#options.value('C') ?? 0) || 0;
    const [before, after] = [around('B'), around('A')];
    let last = -1;
    const show = (at: number, mark: string): void => {
      const head = `${label === '' ? '' : `${label}${mark}`}${this.#has('n') ? `${at + 1}${mark}` : ''}`;
      for (const part of this.#has('o') && mark === ':' ? this.#parts(lines[at] as string) : [lines[at] as string])
        this.#streams.out(`${head}${part}\n`);
      last = at;
    };
    for (const at of shown) {
      const from = Math.max(last + 1, at - before);
      if (before + after > 0 && last >= 0 && from > last + 1) this.#streams.out('--\n');
      for (let one = from; one < at; one++) show(one, '-');
      show(at, ':');
      for (let one = at + 1; one <= at + after && one < lines.length && !shown.has(one); one++) show(one, '-');
    }
  }

  #parts(line: string): readonly string[] {
    const parts: string[] = [];
    for (let from = 0; from <= line.length && !this.#has('v'); ) {
      const match = this.#matcher(line, from, this.#context);
      if (match === undefined) break;
      if (match.end > match.start) parts.push(line.slice(match.start, match.end));
      from = match.end > match.start ? match.end : match.end + 1;
    }
    return parts;
  }
}

export const grepTools: { readonly [name: string]: SimpleCommand } = { grep: grep('grep', ''), egrep: grep('egrep', 'E'), fgrep: grep('fgrep', 'F') };
