/** `find`: names, types, depths, and what is done with what is found. An expression that it does not have is refused. */
import { codeOf, type CommandContext, type Streams } from '../shell-commands.ts';
import { folderNames, fullPath, isFolder, missing, normalPath, readFile } from '../shell-files.ts';
import { matchesPattern } from '../shell-patterns.ts';

/** What stands there, with the name that it is shown under. */
interface Found {
  readonly full: string;
  readonly shown: string;
  readonly isFolder: boolean;
}

type Test = (found: Found) => boolean;

class FindFault extends Error {}

/** Answers its exit code. */
export function find(args: readonly string[], context: CommandContext, streams: Streams): number {
  const at = args.findIndex((arg) => /^[-!(]/.test(arg));
  const paths = at < 0 ? args : args.slice(0, at);
  try {
    const expression = new Expression(at < 0 ? [] : args.slice(at), context, streams);
    const test = expression.read();
    let status = 0;
    for (const path of paths.length === 0 ? ['.'] : paths) {
      const full = normalPath(fullPath(path, context));
      if (readFile(full, context) === undefined && !isFolder(full, context)) {
        streams.err(`find: ${path}: ${missing}\n`);
        status = 1;
        continue;
      }
      const all = [...walk({ full, shown: path, isFolder: isFolder(full, context) }, 0, expression, context)];
      // What is deleted goes from the leaves.
      for (const one of expression.deletes ? all.reverse() : all) test(one);
    }
    return status;
  } catch (error) {
    if (!(error instanceof FindFault)) throw error;
    streams.err(`find: ${error.message}\n`);
    return 1;
  }
}

function* walk(
  found: Found,
  depth: number,
  limits: { readonly depthMin: number; readonly depthMax: number },
  context: CommandContext,
): Generator<Found> {
  context.budget.text(found.full.length);
  if (depth >= limits.depthMin) yield found;
  if (!found.isFolder || depth >= limits.depthMax) return;
  context.budget.command();
  const base = found.full === '/' ? '' : found.full;
  for (const name of folderNames(found.full, context)) {
    const full = `${base}/${name}`;
    yield* walk({ full, shown: `${found.shown.replace(/\/$/, '')}/${name}`, isFolder: isFolder(full, context) }, depth + 1, limits, context);
  }
}

class Expression {
  deletes = false;
  depthMin = 0;
  depthMax = Number.POSITIVE_INFINITY;
  #at = 0;
  #acts = false;
  readonly #words: readonly string[];
  readonly #context: CommandContext;
  readonly #streams: Streams;

  constructor(words: readonly string[], context: CommandContext, streams: Streams) {
    this.#words = words;
    this.#context = context;
    this.#streams = streams;
  }

  read(): Test {
    const test = this.#words.length === 0 ? () => true : this.#either();
    if (this.#at < this.#words.length) throw new FindFault(`unrecognized: ${this.#words[this.#at]}`);
    return this.#acts ? test : (found) => test(found) && this.#print(found, '\n');
  }

  #print({ shown }: Found, end: string): boolean {
    this.#streams.out(shown + end);
    return true;
  }

  #either(): Test {
    let test = this.#both();
    while (this.#takes('-o', '-or')) {
      const [left, right] = [test, this.#both()];
      test = (found) => left(found) || right(found);
    }
    return test;
  }

  #both(): Test {
    let test = this.#not();
    while (this.#at < this.#words.length && !['-o', '-or', ')'].includes(this.#words[this.#at] as string)) {
      this.#takes('-a', '-and');
      const [left, right] = [test, this.#not()];
      test = (found) => left(found) && right(found);
    }
    return test;
  }

  #takes(...words: readonly string[]): boolean {
    if (!words.includes(this.#words[this.#at] ?? '')) return false;
    this.#at++;
    return true;
  }

  #not(): Test {
    if (!this.#takes('!', '-not')) return this.#one();
    const test = this.#context.budget.nested(() => this.#not());
    return (found) => !test(found);
  }

  #value(of: string): string {
    const value = this.#words[this.#at++];
    if (value === undefined) throw new FindFault(`${of} requires an argument`);
    return value;
  }

  #number(of: string): number {
    const value = this.#value(of);
    if (!/^\d{1,6}$/.test(value)) throw new FindFault(`invalid number '${value}'`);
    return Number(value);
  }

  #one(): Test {
    const { budget } = this.#context;
    const word = this.#value('expression');
    switch (word) {
      case '(': {
        const test = budget.nested(() => this.#either());
        if (!this.#takes(')')) throw new FindFault("unpaired '('");
        return test;
      }
      case '-name':
      case '-iname':
        return this.#named(word);
      case '-path': {
        const pattern = this.#value(word);
        return ({ shown }) => matchesPattern(shown, pattern, budget);
      }
      case '-type': {
        const type = this.#value(word);
        if (!/^[bcdflps]$/.test(type)) throw new FindFault(`invalid argument '${type}' to '-type'`);
        return (found) => (type === 'd' ? found.isFolder : type === 'f' && !found.isFolder);
      }
      case '-empty':
        return ({ full, isFolder: folder }) => (folder ? folderNames(full, this.#context).length === 0 : readFile(full, this.#context) === '');
      case '-mindepth':
        this.depthMin = this.#number(word);
        return () => true;
      case '-maxdepth':
        this.depthMax = this.#number(word);
        return () => true;
      default:
        return this.#action(word);
    }
  }

  #named(word: string): Test {
    const cased = (text: string): string => (word === '-iname' ? text.toLowerCase() : text);
    const pattern = cased(this.#value(word));
    const nameOf = ({ full }: Found): string => (full === '/' ? '/' : full.slice(full.lastIndexOf('/') + 1));
    return (found) => matchesPattern(cased(nameOf(found)), pattern, this.#context.budget);
  }

  #action(word: string): Test {
    this.#acts = true;
    switch (word) {
      case '-print':
        return (found) => this.#print(found, '\n');
      case '-print0':
        return (found) => this.#print(found, '\0');
      case '-delete':
        this.deletes = true;
        return ({ full }) => {
          delete this.#context.host.files[full];
          delete this.#context.host.files[`${full}/`];
          return true;
        };
      case '-exec':
        return this.#exec();
      default:
        throw new FindFault(`unrecognized: ${word}`);
    }
  }

  /** A command for each one. */
  #exec(): Test {
    const end = this.#words.findIndex((word, at) => at >= this.#at && (word === ';' || word === '+'));
    if (end < 0) throw new FindFault('-exec requires an argument');
    if (this.#words[end] === '+') throw new FindFault('-exec … + is not simulated');
    const words = this.#words.slice(this.#at, end);
    this.#at = end + 1;
    return ({ shown }) => {
      const result = this.#context.nested(codeOf(words.map((word) => word.replaceAll('{}', () => shown))), '');
      this.#streams.err(result.errors);
      this.#streams.out(result.output);
      return result.exitCode === 0;
    };
  }
}
