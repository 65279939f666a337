/** Flags of a daemon, read as spf13/pflag reads them: `--name=value`, `--name value`, `--name` for a switch, `_` for `-`. */
import { parseDuration } from '../../apimachinery/time.ts';
import { CommandError } from '../command-error.ts';
import { readCsvRecord } from './go-csv.ts';
import { type FlagDialect, type FlagType, normalized } from './go-values.ts';
import { ValueError } from './value-error.ts';

export interface DaemonFlag {
  readonly name: string;
  readonly type: FlagType;
  /** As a user would write it. */
  readonly default: string;
  readonly help: string;
  /** Under which heading of the help it stands. */
  readonly section: string;
  /** One letter that means the same. */
  readonly short?: string;
  /** What it is when it stands without a value, beside a switch, which then is on. */
  readonly alone?: string;
  /** What to use in its place. */
  readonly deprecated?: string;
  /** Why it is read and checked, and can change nothing here. */
  readonly noEffect?: string;
  /** Another way to write it, by which refusals then name it. */
  readonly spelled?: string;
  /** A later release has it: it is unknown, and what it stands for is its default. */
  readonly isLater?: true;
}

/** Of a wrong command line: upstream's daemons end with 1. */
export const badUsageCode = 1;

export function badUsage(message: string): CommandError {
  return new CommandError(message, badUsageCode);
}

/** What was given and what stands for what was not. */
export class FlagValues {
  readonly flags: readonly DaemonFlag[];
  readonly dialect: FlagDialect;
  readonly #given: ReadonlyMap<string, readonly string[]>;

  constructor(flags: readonly DaemonFlag[], given: ReadonlyMap<string, readonly string[]>, dialect: FlagDialect = 'present') {
    this.flags = flags;
    this.dialect = dialect;
    this.#given = given;
  }

  /** The same with these in the place of what was given. */
  with(given: ReadonlyMap<string, readonly string[]>): FlagValues {
    const checkedTexts = [...given].map(([name, texts]) => [name, texts.map((text) => checked(this.#flag(name), text, this.dialect))] as const);
    return new FlagValues(this.flags, new Map([...this.#given, ...checkedTexts]), this.dialect);
  }

  isGiven(name: string): boolean {
    return this.#given.has(name);
  }

  typeOf(name: string): FlagType {
    return this.#flag(name).type;
  }

  text(name: string): string {
    return this.#given.get(name)?.at(-1) ?? this.#flag(name).default;
  }

  isOn(name: string): boolean {
    return this.text(name) === 'true';
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  milliseconds(name: string): number {
    return parseDuration(this.text(name)) ?? 0;
  }

  /** Of a list: what several of the flag name, and what one names between commas. */
  list(name: string): readonly string[] {
    return this.named(name).filter((part) => part !== '');
  }

  /** The same with what is empty between two commas. */
  named(name: string): readonly string[] {
    const texts = this.#given.get(name) ?? [this.#flag(name).default];
    return texts.flatMap((text) => readCsvRecord(text, this.dialect));
  }

  /** Of a flag that may come again: each text as it was given. */
  all(name: string): readonly string[] {
    return this.#given.get(name) ?? [];
  }

  /** Every flag with its value, by name. */
  entries(): readonly (readonly [name: string, value: string])[] {
    return this.flags
      .map(({ name }) => [name, this.#given.get(name)?.join(',') ?? this.#flag(name).default] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #flag(name: string): DaemonFlag {
    const flag = this.flags.find((one) => one.name === name);
    if (flag === undefined) throw new Error(`no flag --${name} is declared`);
    return flag;
  }
}

/** `daemon` is what the words of a refusal call the program. Throws a CommandError with exit code 1. */
export function parseFlags(daemon: string, flags: readonly DaemonFlag[], args: readonly string[], dialect: FlagDialect = 'present'): FlagValues {
  const byName = new Map(flags.filter(({ isLater }) => isLater !== true).flatMap((flag) => namesOf(flag).map((name) => [name, flag] as const)));
  const byLetter = new Map(flags.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag] as const])));
  const given = new Map<string, string[]>();
  const operands: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') operands.push(...rest.splice(0));
    else if (!arg.startsWith('-') || arg === '-') operands.push(arg);
    else {
      const [flag, value, written] = arg.startsWith('--') ? longFlag(arg, byName, dialect) : shortFlag(arg, byLetter);
      const texts = given.get(flag.name) ?? [];
      const named = { ...flag, name: written };
      texts.push(checked(named, value ?? flag.alone ?? (flag.type === 'bool' ? 'true' : following(named, rest, arg)), dialect, texts.length > 0));
      given.set(flag.name, texts);
    }
  }
  // Daemons of old paid no heed to them.
  if (operands.length > 0 && dialect === 'present')
    throw badUsage(`${JSON.stringify(daemon)} does not take any arguments, got [${operands.map((text) => JSON.stringify(text)).join(' ')}]`);
  return new FlagValues(flags, given, dialect);
}

const namesOf = ({ name, spelled }: DaemonFlag): readonly string[] => (spelled === undefined ? [name] : [name, spelled]);

type Read = readonly [flag: DaemonFlag, value: string | undefined, written: string];

function longFlag(arg: string, byName: ReadonlyMap<string, DaemonFlag>, dialect: FlagDialect): Read {
  const equals = arg.indexOf('=');
  const written = equals < 0 ? arg.slice(2) : arg.slice(2, equals);
  // Release 1.13 read underlines as such.
  const name = dialect === 'old' ? written : written.replaceAll('_', '-');
  if (name === '' || name.startsWith('-')) throw badUsage(`bad flag syntax: ${arg}`);
  const flag = byName.get(name);
  if (flag === undefined) throw badUsage(`unknown flag: --${name}`);
  return [flag, equals < 0 ? undefined : arg.slice(equals + 1), name];
}

function shortFlag(arg: string, byLetter: ReadonlyMap<string, DaemonFlag>): Read {
  const letter = arg.slice(1, 2);
  const flag = byLetter.get(letter);
  if (flag === undefined) throw badUsage(`unknown shorthand flag: ${JSON.stringify(letter).replaceAll('"', "'")} in ${arg}`);
  const value = arg.slice(2);
  return [flag, value === '' ? undefined : value.replace(/^=/, ''), flag.name];
}

function following({ name, short }: DaemonFlag, rest: string[], arg: string): string {
  const next = rest.shift();
  if (next === undefined) throw badUsage(`flag needs an argument: ${arg.startsWith('--') ? `--${name}` : `'${short ?? ''}' in ${arg}`}`);
  return next;
}

function checked({ name, short, type }: DaemonFlag, text: string, dialect: FlagDialect, isSaidAgain = false): string {
  try {
    if (type === 'cidrs' && isSaidAgain) throw new ValueError('GCE LB CIDRs have already been set');
    return normalized(type, text, dialect);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw badUsage(`invalid argument ${JSON.stringify(text)} for "${short === undefined ? '' : `-${short}, `}--${name}" flag: ${error.message}`);
  }
}

/** The help: each flag under its heading. */
export function helpText(usage: string, flags: readonly DaemonFlag[]): string {
  const known = flags.filter(({ isLater }) => isLater !== true);
  const sections = Map.groupBy(known, ({ section }) => section);
  const lines = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([section, list]) => `${section} flags:\n${list.map(helpLine).join('')}`);
  return `${usage}\n\n${lines.join('\n')}`;
}

function helpLine({ name, spelled, short, type, default: standard, help, deprecated, noEffect }: DaemonFlag): string {
  const notes = [
    ...(standard === '' ? [] : [`default ${standard}`]),
    ...(deprecated === undefined ? [] : [`DEPRECATED: ${deprecated}`]),
    ...(noEffect === undefined ? [] : [`without effect: ${noEffect}`]),
  ];
  return `  ${short === undefined ? '' : `-${short}, `}--${spelled ?? name}${type === 'bool' ? '' : ` ${type}`}\n        ${help}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}\n`;
}
