/** Upstream's default options of the controller manager, for unit tests. */
import { hash } from 'node:crypto';
import { getOwn } from '../../base/dictionary.ts';
import { parseDuration } from '../../apimachinery/time.ts';
import { release } from '../../releases/1.36/release.ts';
import type { ControllerOptions } from '../controller.ts';
import { controllerFlags, readControllerOptions } from '../options/index.gen.ts';

/** What other components declare, or the release says. */
const others = {
  'cluster-cidr': '10.244.0.0/16',
  'service-cluster-ip-range': '10.96.0.0/12',
  'node-monitor-grace-period': '50s',
};
const gates: ReadonlySet<string> = new Set(release.featureGates.filter((gate) => gate.default).map(({ name }) => name));
const texts: ReadonlyMap<string, string> = new Map([...controllerFlags.map((flag) => [flag.name, flag.default] as const), ...Object.entries(others)]);

/** What controllers read when these flags are given. */
export function optionsOf(given: Readonly<Record<string, string>>): ControllerOptions {
  const text = (flag: string): string => getOwn(given, flag) ?? texts.get(flag) ?? fail(flag);
  return readControllerOptions({
    text,
    number: (flag) => Number(text(flag)),
    boolean: (flag) => text(flag) === 'true',
    milliseconds: (flag) => parseDuration(text(flag)) ?? fail(flag),
    hasGate: (name) => gates.has(name),
    release,
    host: {
      rootCaPem: '-----BEGIN CERTIFICATE-----\ntest\n-----END CERTIFICATE-----\n',
      sha256: (text) => hash('sha256', text, 'hex'),
    },
  });
}

export const defaultOptions: ControllerOptions = optionsOf({});

function fail(flag: string): never {
  throw new Error(`option --${flag} has a default`);
}
