/** `--emulated-version` and `--min-compatibility-version`. Mirrors component-base/compatibility registry.go. */
import type { FlagValues } from './flag-set.ts';

/** A minor of release 1. */
type Minor = number;

const present: Minor = 36;
/** How far back a component of now can go. */
const floor: Minor = 33;

class VersionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'VersionFault';
  }
}

/** Faults in upstream's words: the first that cannot be read, or those of versions that do not fit. */
export function versionFaults(flags: FlagValues): readonly string[] {
  try {
    const emulated = versionOf(flags, 'emulated-version');
    const compatible = versionOf(flags, 'min-compatibility-version') ?? floor;
    return rangeFaults(emulated ?? present, compatible);
  } catch (error) {
    if (error instanceof VersionFault) return [error.message];
    throw error;
  }
}

function rangeFaults(emulated: Minor, compatible: Minor): readonly string[] {
  return [
    ...(emulated > present || emulated < floor ? [`emulation version 1.${emulated} is not between [1.${floor}, 1.${present}.0]`] : []),
    ...(compatible > emulated || compatible < floor
      ? [`minCompatibilityVersion version 1.${compatible} is not between [1.${floor}, 1.${emulated}]`]
      : []),
  ];
}

/** That of `kube`, the one component that there is. */
function versionOf(flags: FlagValues, name: string): Minor | undefined {
  const found = new Map<string, Minor>();
  for (const text of flags.named(name)) {
    const [component = '', version = ''] = text.includes('=') ? splitOnce(text) : ['kube', text];
    const minor = minorOf(component, version);
    const before = found.get(component);
    if (before !== undefined) throw new VersionFault(`duplicate version flag, ${component}=1.${before} and ${component}=1.${minor}`);
    found.set(component, minor);
  }
  const stranger = [...found.keys()].find((component) => component !== 'kube');
  if (stranger !== undefined) throw new VersionFault(`component not registered: ${stranger}`);
  return found.get('kube');
}

function splitOnce(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function minorOf(component: string, text: string): Minor {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (major === undefined || minor === undefined) throw new VersionFault(`could not parse ${JSON.stringify(text)} as version`);
  if (patch !== undefined && Number(patch) !== 0) throw new VersionFault(`patch version not allowed, got: ${component}=${major}.${minor}.${patch}`);
  return Number(minor);
}
