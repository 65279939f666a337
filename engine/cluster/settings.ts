/** Options in force: text under flag names, checked once, read as typed values. */
import { partsOf } from '../base/text.ts';
import { UserError } from '../base/user-error.ts';
import { parseThresholds } from '../component-helpers/eviction-thresholds.ts';
import { formatDuration, parseDuration } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import type { Release } from '../contracts/release.ts';
import { kubeletMistake } from './kubelet-settings.ts';
import { FeatureGateError, FeatureGates } from '../releases/feature-gates.ts';
import { defaultRelease } from '../releases/releases.ts';
import { defaultOf, type Flag, flags, getFlag } from './flags.ts';
import { expectedOf, mistakeTogether } from './flag-checks.ts';
import { pluginMistake } from './admission-flags.ts';
import { authorizationMistake } from './authorization-modes.ts';

/** An option that does not exist or does not parse: one line that says what to do. */
export class SettingsError extends UserError {
  constructor(message: string) {
    super(message);
    this.name = 'SettingsError';
  }
}

/** What of a release decides on options. */
export type SettingsRelease = Pick<Release, 'flagDefaults' | 'featureGates' | 'admissionOrder' | 'admissionDefaults' | 'admissionFault' | 'ratchets'>;

export class Settings {
  readonly #values: ReadonlyMap<string, string>;

  readonly #release: SettingsRelease;

  constructor(given: Readonly<Record<string, string>> = {}, release: SettingsRelease = defaultRelease) {
    this.#release = release;
    const values = new Map(flags.map((flag) => [flag.name, defaultOf(flag, release)]));
    for (const [name, text] of Object.entries(given)) {
      const flag = getFlag(name);
      if (flag === undefined) throw new SettingsError(`unknown option --${name}; \`wavetank up --help\` lists them`);
      check(flag, text);
      if (name === 'feature-gates') checkGates(text, release);
      values.set(name, text);
    }
    checkTogether((name) => values.get(name) ?? '');
    const mistake =
      kubeletMistake((name) => values.get(name) ?? '', release) ??
      pluginMistake((name) => values.get(name) ?? '', release) ??
      authorizationMistake(
        (name) => values.get(name) ?? '',
        (name) => Object.hasOwn(given, name),
      );
    if (mistake !== undefined) throw new SettingsError(mistake);
    this.#values = values;
  }

  text(name: string): string {
    const value = this.#values.get(name);
    if (value === undefined) throw new SettingsError(`unknown option --${name}`);
    return value;
  }

  number(name: string): number {
    return Number(this.text(name));
  }

  boolean(name: string): boolean {
    return this.text(name) === 'true';
  }

  milliseconds(name: string): number {
    return mustParseDuration(name, this.text(name));
  }

  list(name: string): readonly string[] {
    return partsOf(this.text(name));
  }

  map(name: string): ReadonlyMap<string, string> {
    return new Map(this.list(name).map((part) => splitPair(part)));
  }

  /** Every option in force, typed, under its flag name. */
  entries(): Readonly<Record<string, JsonValue>> {
    return Object.fromEntries(flags.map((flag) => [flag.name, this.#typed(flag)]));
  }

  /** Only what was given differently from the defaults; what a session file has to remember. */
  changed(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      flags.filter((flag) => this.text(flag.name) !== defaultOf(flag, this.#release)).map((flag) => [flag.name, this.text(flag.name)]),
    );
  }

  #typed(flag: Flag): JsonValue {
    switch (flag.type) {
      case 'integer':
      case 'number':
        return this.number(flag.name);
      case 'boolean':
        return this.boolean(flag.name);
      case 'duration':
        return formatDuration(this.milliseconds(flag.name));
      case 'list':
        return this.list(flag.name);
      case 'map':
        return Object.fromEntries(this.map(flag.name));
      default:
        return this.text(flag.name);
    }
  }
}

function checkGates(text: string, { featureGates }: SettingsRelease): void {
  try {
    new FeatureGates(featureGates, text);
  } catch (error) {
    if (!(error instanceof FeatureGateError)) throw error;
    throw new SettingsError(`invalid value ${JSON.stringify(text)} for --feature-gates: ${error.message}`);
  }
}

function check(flag: Flag, text: string): void {
  const fail = (expected: string): never => {
    throw new SettingsError(`invalid value ${JSON.stringify(text)} for --${flag.name}: expected ${expected}`);
  };
  switch (flag.type) {
    case 'integer':
    case 'number': {
      const value = Number(text);
      if (text.trim() === '' || !Number.isFinite(value)) fail('a number');
      if (flag.type === 'integer' && !Number.isInteger(value)) fail('a whole number');
      if (flag.min !== undefined && value < flag.min) fail(`at least ${flag.min}`);
      if (flag.max !== undefined && value > flag.max) fail(`at most ${flag.max}`);
      break;
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') fail('true or false');
      break;
    case 'duration':
      if (mustParseDuration(flag.name, text) < 0) fail('a duration of 0 or more');
      break;
    case 'map':
      for (const part of text.split(',')) if (part.trim() !== '' && !part.includes('=')) fail('key=value pairs');
      break;
    default:
  }
  const expected = expectedOf(flag.name, text);
  if (expected !== undefined) fail(expected);
}

function checkTogether(textOf: (name: string) => string): void {
  const [reading, mutating] = ['max-requests-inflight', 'max-mutating-requests-inflight'].map((name) => Number(textOf(name))) as [number, number];
  if (textOf('enable-priority-and-fairness') === 'true' && reading + mutating === 0)
    throw new SettingsError(
      `invalid configuration: MaxRequestsInFlight=${reading} and MaxMutatingRequestsInFlight=${mutating}; they must add up to something positive`,
    );
  const mistake = mistakeTogether((name) => mustParseDuration(name, textOf(name)));
  if (mistake !== undefined) throw new SettingsError(mistake);
  checkEviction(textOf);
}

function checkEviction(textOf: (name: string) => string): void {
  const [low, high] = ['image-gc-low-threshold', 'image-gc-high-threshold'].map((name) => Number(textOf(name))) as [number, number];
  if (high > 100 || low > high)
    throw new SettingsError(`--image-gc-low-threshold (${low}) must not exceed --image-gc-high-threshold (${high}), and neither 100`);
  try {
    parseThresholds({
      hard: textOf('eviction-hard'),
      soft: textOf('eviction-soft'),
      softGracePeriod: textOf('eviction-soft-grace-period'),
      minimumReclaim: textOf('eviction-minimum-reclaim'),
    });
  } catch (error) {
    throw new SettingsError(`invalid options --eviction-…: ${(error as Error).message}`);
  }
}

function mustParseDuration(name: string, text: string): number {
  const value = parseDuration(text);
  if (value === undefined) throw new SettingsError(`invalid value ${JSON.stringify(text)} for --${name}: expected a duration such as 40s or 5m0s`);
  return value;
}

function splitPair(text: string): readonly [string, string] {
  const equals = text.indexOf('=');
  return [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
