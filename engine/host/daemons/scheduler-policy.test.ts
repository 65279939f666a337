import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newNotFound } from '../../apimachinery/errors.ts';
import { Settings } from '../../cluster/settings.ts';
import { mustGetRelease } from '../../releases/releases.ts';
import type { Policy } from '../../scheduler/policy/policy.ts';
import { parseFlags } from './flag-set.ts';
import { schedulerFlags } from './scheduler-flags.ts';
import { policyOf } from './scheduler-policy.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-policy-'));
const file = join(folder, 'policy.json');
afterAll(() => rmSync(folder, { recursive: true }));

const release = mustGetRelease('1.13');
const aPolicy = (priority: string): string => JSON.stringify({ kind: 'Policy', apiVersion: 'v1', priorities: [{ name: priority, weight: 3 }] });
const found: { readonly [place: string]: { readonly [key: string]: string } } = {
  'kube-system/mine': { 'policy.cfg': aPolicy('EqualPriority') },
  'other/mine': { 'policy.cfg': aPolicy('MostRequestedPriority') },
  'kube-system/empty': {},
};

function read(...args: readonly string[]): Promise<Policy> {
  writeFileSync(file, aPolicy('ImageLocalityPriority'));
  const flags = parseFlags('kube-scheduler', schedulerFlags(), args);
  return policyOf({ flags, release, settings: new Settings({}, release) }, async (namespace, name) => {
    const data = found[`${namespace}/${name}`];
    if (data === undefined) throw newNotFound({ group: '', resource: 'configmaps' }, name);
    return { data };
  });
}

const names = async (...args: readonly string[]): Promise<readonly string[]> => (await read(...args)).priorities.map(({ name }) => name);

test('a ConfigMap is gone by, in its namespace, unless a file is and the legacy way is asked for', async () => {
  expect(await names('--policy-configmap=mine')).toEqual(['EqualPriority']);
  expect(await names('--policy-configmap=mine', '--policy-configmap-namespace=other')).toEqual(['MostRequestedPriority']);
  expect(await names('--policy-configmap=mine', `--policy-config-file=${file}`)).toEqual(['EqualPriority']);
  expect(await names('--policy-configmap=mine', `--policy-config-file=${file}`, '--use-legacy-policy-config')).toEqual(['ImageLocalityPriority']);
});

test('a file is gone by, else a provider; the weight of affinity is a flag', async () => {
  expect(await names(`--policy-config-file=${file}`)).toEqual(['ImageLocalityPriority']);
  expect(await names()).toContain('LeastRequestedPriority');
  expect(await names('--algorithm-provider=ClusterAutoscalerProvider')).toContain('MostRequestedPriority');
  expect((await read('--hard-pod-affinity-symmetric-weight=7')).hardPodAffinityWeight).toBe(7);
});

test.each([
  [['--policy-configmap=none'], 'couldn\'t get policy config map kube-system/none: configmaps "none" not found'],
  [['--policy-configmap=empty'], 'missing policy config map value at key "policy.cfg"'],
  [['--use-legacy-policy-config'], 'policyConfigFile: Required value: required when --use-legacy-policy-config is true'],
  [['--policy-config-file=/none'], 'missing policy config file /none'],
  [['--algorithm-provider=Best'], 'plugin "Best" has not been registered'],
])('%j is refused', async (args, words) => {
  await expect(read(...args)).rejects.toThrow(words);
});
