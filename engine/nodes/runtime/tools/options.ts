/** Options of tools as getopt reads them. One that a tool does not have is refused in busybox's words, never passed over. */
import type { CommandContext, Outcome, SimpleCommand, Streams } from '../shell-commands.ts';

export interface Options {
  has(letter: string): boolean;
  /** Of the last of them. */
  value(letter: string): string | undefined;
  values(letter: string): readonly string[];
  readonly rest: readonly string[];
}

export interface Tool {
  readonly name: string;
  /** Letters; a colon behind those that have a value, a semicolon where it may follow at once. */
  readonly options: string;
  /** What its usage says behind its name. */
  readonly usage: string;
  /** Long names of letters. */
  readonly long?: { readonly [name: string]: string };
  /** Options end where the first other word stands. */
  readonly stopsEarly?: boolean;
  /** The status of a wrong call. */
  readonly faultStatus?: number;
  /** `-5` is an option with this letter and value. */
  readonly number?: string;
  /** Words that there have to be. */
  readonly atLeast?: number;
  run(options: Options, context: CommandContext, streams: Streams): Outcome;
}

export function defineTool(tool: Tool): SimpleCommand {
  return (args, context, streams) => {
    if (args[0] === '--help') {
      streams.err(usageOf(tool));
      return { status: 0 };
    }
    const options = readOptions(args, tool);
    const isShort = typeof options !== 'string' && options.rest.length < (tool.atLeast ?? 0);
    if (typeof options !== 'string' && !isShort) return tool.run(options, context, streams);
    streams.err(typeof options === 'string' ? `${tool.name}: ${options}\n${usageOf(tool)}` : usageOf(tool));
    return { status: tool.faultStatus ?? 1 };
  };
}

export function usageOf({ name, usage }: Pick<Tool, 'name' | 'usage'>): string {
  return `BusyBox multi-call binary.\n\nUsage: ${name} ${usage}\n`;
}

/** A text says what is wrong with them. */
function readOptions(args: readonly string[], { options, long = {}, stopsEarly = false, number }: Tool): Options | string {
  const found: [string, string][] = [];
  const rest: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === '--') {
      at++;
      break;
    }
    if (!/^-./.test(arg)) {
      if (stopsEarly) break;
      rest.push(arg);
      continue;
    }
    if (number !== undefined && /^-\d+$/.test(arg)) {
      found.push([number, arg.slice(1)]);
      continue;
    }
    const taken = arg.startsWith('--') ? readLong(arg, args[at + 1], options, long) : readShort(arg, args[at + 1], options);
    if (typeof taken === 'string') return taken;
    found.push(...taken.found);
    if (taken.tookNext) at++;
  }
  rest.push(...args.slice(at));
  return {
    has: (letter) => found.some(([one]) => one === letter),
    value: (letter) => found.findLast(([one]) => one === letter)?.[1],
    values: (letter) => found.flatMap(([one, value]) => (one === letter ? [value] : [])),
    rest,
  };
}

interface Taken {
  readonly found: readonly [string, string][];
  readonly tookNext: boolean;
}

function readLong(arg: string, next: string | undefined, options: string, long: Tool['long'] = {}): Taken | string {
  const [name = '', ...values] = arg.slice(2).split('=');
  const letter = Object.hasOwn(long, name) ? long[name] : undefined;
  if (letter === undefined) return `unrecognized option '${arg}'`;
  const takesValue = options[options.indexOf(letter) + 1] === ':';
  if (values.length > 0)
    return takesValue ? { found: [[letter, values.join('=')]], tookNext: false } : `option '--${name}' doesn't allow an argument`;
  if (!takesValue) return { found: [[letter, '']], tookNext: false };
  return next === undefined ? `option '--${name}' requires an argument` : { found: [[letter, next]], tookNext: true };
}

function readShort(arg: string, next: string | undefined, options: string): Taken | string {
  const found: [string, string][] = [];
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at] as string;
    const index = letter === ':' || letter === ';' ? -1 : options.indexOf(letter);
    if (index < 0) return `invalid option -- '${letter}'`;
    const value = arg.slice(at + 1);
    if (options[index + 1] === ';') {
      found.push([letter, value]);
      break;
    }
    if (options[index + 1] !== ':') {
      found.push([letter, '']);
      continue;
    }
    if (value === '' && next === undefined) return `option requires an argument -- '${letter}'`;
    found.push([letter, value === '' ? (next as string) : value]);
    return { found, tookNext: value === '' };
  }
  return { found, tookNext: false };
}
