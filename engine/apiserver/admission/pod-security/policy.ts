/**
 * Levels, versions and what a namespace's labels make of them. Mirrors pod-security-admission api/helpers.go: a policy is always there, a
 * label that cannot be read enforces the strictest one and asks for no warning.
 */
import { type FieldError, invalid, root } from '../../../apimachinery/field-errors.ts';
import { getOwn } from '../../../base/dictionary.ts';

export const levels = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** The minor of a version 1.x; `latest` is later than all. */
export type PolicyVersion = number | 'latest';

export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

export type Mode = 'enforce' | 'audit' | 'warn';
export type Policy = { readonly [mode in Mode]: LevelVersion };

export const labelPrefix = 'pod-security.kubernetes.io/';
export const modes: readonly Mode[] = ['enforce', 'audit', 'warn'];
export const levelFault = `must be one of ${levels.join(', ')}`;
export const versionFault = 'must be "latest" or "v1.x"';
/** Go's int holds no more. */
const minorMax = 9_223_372_036_854_775_807n;

export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

export function parseVersion(text: string): PolicyVersion | undefined {
  if (text === 'latest') return 'latest';
  const minor = /^v1\.(0|[1-9][0-9]*)$/.exec(text)?.[1];
  return minor === undefined || minor.length > 19 || BigInt(minor) > minorMax ? undefined : Number(minor);
}

/** As annotations, warnings and refusals name it: `baseline:v1.30`. */
export function policyText({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

export function isSame(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

export function isStricter(a: Level, b: Level): boolean {
  return levels.indexOf(a) > levels.indexOf(b);
}

export function isPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** Two that let the same pass in every mode. */
export function isEquivalent(a: Policy, b: Policy): boolean {
  return modes.every((mode) => (a[mode].level === 'privileged' && b[mode].level === 'privileged') || isSame(a[mode], b[mode]));
}

type Labels = { readonly [name: string]: string };

/** The labels that a mode has: what its level and its version say, where they say something. */
export function labelsOf(labels: Labels | undefined, mode: Mode): { readonly level: string | undefined; readonly version: string | undefined } {
  const own = labels ?? {};
  return { level: getOwn(own, labelPrefix + mode), version: getOwn(own, `${labelPrefix}${mode}-version`) };
}

export interface Evaluated {
  readonly policy: Policy;
  readonly faults: readonly FieldError[];
}

export function policyOf(labels: Labels | undefined, defaults: Policy): Evaluated {
  if (labels === undefined) return { policy: defaults, faults: [] };
  const faults: FieldError[] = [];
  const read = (mode: Mode, unreadable: Level): LevelVersion => {
    const { level, version } = labelsOf(labels, mode);
    const parsedLevel = level === undefined ? defaults[mode].level : parseLevel(level);
    if (level !== undefined && parsedLevel === undefined) faults.push(fault(mode, level, levelFault));
    const parsedVersion = version === undefined ? defaults[mode].version : parseVersion(version);
    if (version !== undefined && parsedVersion === undefined) faults.push(fault(`${mode}-version`, version, versionFault));
    return { level: parsedLevel ?? unreadable, version: parsedVersion ?? 'latest' };
  };
  const enforce = read('enforce', 'restricted');
  const audit = read('audit', 'privileged');
  const warn = read('warn', 'privileged');
  return { policy: { enforce, audit, warn: warnedOf(labels, enforce, warn) }, faults };
}

/** Who enforces more than she warns of, and says nothing of warnings, is warned of that. */
function warnedOf(labels: Labels, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const enforced = labelsOf(labels, 'enforce').level;
  const warned = labelsOf(labels, 'warn');
  if (enforced === undefined || parseLevel(enforced) === undefined || warned.level !== undefined || !isStricter(enforce.level, warn.level))
    return warn;
  return { level: enforce.level, version: warned.version === undefined ? enforce.version : warn.version };
}

function fault(name: string, value: string, why: string): FieldError {
  return invalid(
    root('metadata')
      .child('labels')
      .key(labelPrefix + name),
    value,
    why,
  );
}
