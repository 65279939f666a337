/** The options of commands that start clusters, checked. */
import { flags } from '../../cluster/flags.ts';
import type { Release } from '../../contracts/release.ts';
import { getRelease, releaseNames } from '../../releases/releases.ts';
import { parseStart } from '../../cluster/config.ts';
import { parseSpeed } from '../clock-resource.ts';
import { CommandError } from '../command-error.ts';
import type { Speed } from '../pacing.ts';
import { type Given, given, text } from './given.ts';
import { isConfigurationFile, isWebhookFile, mustReadWebhookFile, ofAuthorizers, readConfigurationFile } from './configuration-files.ts';

export function wholeNumber(options: Given, name: string, standard: number, min: number, max: number): number {
  const text = given(options, name);
  if (text === undefined) return standard;
  const value = Number(text);
  if (typeof text !== 'string' || text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
    throw new CommandError(`invalid value ${JSON.stringify(text)} for --${name}: expected a whole number from ${min} to ${max}`);
  }
  return value;
}

/** Of an option that may be given more than once. */
export function texts(options: Given, name: string): readonly string[] {
  const value = given(options, name);
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

export function speed(options: Given, standard: Speed): Speed {
  const value = text(options, 'speed');
  if (value === undefined) return standard;
  const parsed = parseSpeed(value);
  if (parsed === undefined)
    throw new CommandError(`invalid value ${JSON.stringify(value)} for --speed: expected \`max\`, \`paused\` or a number above 0`);
  return parsed;
}

/** Of the start of a cluster. */
export function startTime(options: Given, name: string, standard: number): number {
  const value = text(options, name);
  if (value === undefined) return standard;
  const ms = parseStart(value);
  if (ms === undefined)
    throw new CommandError(
      `invalid value ${JSON.stringify(value)} for --${name}: expected an RFC 3339 time such as 2026-01-01T00:00:00Z, at the latest 2250-01-01T00:00:00Z`,
    );
  return ms;
}

/** Options of the control plane that were given. */
export function controlPlaneOptions(options: Given): Record<string, string> {
  const entries = flags.flatMap(({ name }) => (given(options, name) === undefined ? [] : [[name, String(given(options, name))] as const]));
  return Object.fromEntries(entries.map(([name, value]) => [name, valueOf(name, value)]));
}

function valueOf(name: string, value: string): string {
  // `--no-controllers` is no list of controllers, but none.
  if (name === 'controllers' && value === 'false') return '';
  if (isWebhookFile(name)) return value === '' ? value : mustReadWebhookFile(value, ofAuthorizers);
  return isConfigurationFile(name) ? readConfigurationFile(name, value) : value;
}

/** The release that is to be emulated; undefined where nobody says which. */
export function releaseOf(options: Given): Release | undefined {
  const name = text(options, 'emulate');
  if (name === undefined) return undefined;
  const release = getRelease(name);
  if (release !== undefined) return release;
  throw new CommandError(`invalid value ${JSON.stringify(name)} for --emulate: expected ${releaseNames()}`);
}

export function clusterName(options: Given): string {
  const name = text(options, 'name') ?? 'wavetank';
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
    throw new CommandError(`invalid value ${JSON.stringify(name)} for --name: lower case letters, digits and \`-\`, at most 63`);
  return name;
}
