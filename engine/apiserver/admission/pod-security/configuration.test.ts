import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/json.ts';
import { ConfigurationFault } from '../../configuration-reader.ts';
import { readPodSecurityConfiguration } from './configuration.ts';

const head = { apiVersion: 'pod-security.admission.config.k8s.io/v1', kind: 'PodSecurityConfiguration' };

function faultOf(document: JsonObject): string {
  try {
    readPodSecurityConfiguration(document);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.message;
    throw error;
  }
  return '';
}

describe('a PodSecurityConfiguration', () => {
  it('leaves everybody privileged where it says nothing', () => {
    const { defaults } = readPodSecurityConfiguration(undefined);
    expect(defaults).toEqual(readPodSecurityConfiguration(head).defaults);
    expect(defaults.enforce).toEqual({ level: 'privileged', version: 'latest' });
  });

  it('says levels, versions and exemptions', () => {
    const { defaults, exemptions } = readPodSecurityConfiguration({
      ...head,
      defaults: { enforce: 'baseline', 'enforce-version': 'v1.7' },
      exemptions: { usernames: ['jane'], namespaces: ['a'], runtimeClasses: ['r'] },
    });
    expect(defaults.enforce).toEqual({ level: 'baseline', version: 7 });
    expect([...exemptions.usernames, ...exemptions.namespaces, ...exemptions.runtimeClasses]).toEqual(['jane', 'a', 'r']);
  });

  it.each([
    [{ defaults: { enforce: 'strict' } }, 'PodSecurity configuration error: enforce: must be one of privileged, baseline, restricted'],
    [
      { defaults: { 'warn-version': 'v1.01', audit: 'x' } },
      'PodSecurity configuration error: [audit: must be one of privileged, baseline, restricted, warn-version: must be "latest" or "v1.x"]',
    ],
    [
      { exemptions: { usernames: ['a', 'a', ''] } },
      'PodSecurity invalid: [exemptions.usernames[1]: Duplicate value: "a", exemptions.usernames[2]: Invalid value: "": username must not be empty]',
    ],
    [{ defaults: { level: 'x' } }, 'strict decoding error: unknown field "defaults.level"'],
    [{ kind: 'Other' }, 'no kind "Other" is registered for version "pod-security.admission.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"'],
  ] as const)('%j is refused', (part, why) => {
    expect(faultOf({ ...head, ...part } as unknown as JsonObject)).toBe(why);
  });
});
