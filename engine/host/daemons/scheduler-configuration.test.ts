import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseFlags } from './flag-set.ts';
import { configurationText, readConfiguration } from './scheduler-configuration.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-config-'));
const path = join(folder, 'config.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n') {
  writeFileSync(path, head + text);
  return readConfiguration(path, parseFlags('kube-scheduler', schedulerFlags(), ['--kube-api-qps=5']));
}

describe('a KubeSchedulerConfiguration', () => {
  test('wins over flags, and leaves the others as they are', () => {
    const { flags } = read('leaderElection: {leaderElect: false, leaseDuration: 30s}\nclientConnection: {qps: 9}\npodMaxBackoffSeconds: 20\n');
    expect([flags.isOn('leader-elect'), flags.milliseconds('leader-elect-lease-duration')]).toEqual([false, 30_000]);
    expect([flags.number('kube-api-qps'), flags.number('kube-api-burst'), flags.number('pod-max-backoff-seconds')]).toEqual([9, 100, 20]);
  });

  test('has profiles: plugins off, on again, weighed, with arguments', () => {
    const { profiles } = read(`
profiles:
- schedulerName: default-scheduler
- schedulerName: packer
  percentageOfNodesToScore: 50
  plugins:
    multiPoint:
      disabled: [{name: ImageLocality}, {name: NodeAffinity}]
      enabled: [{name: NodeAffinity, weight: 7}]
    score:
      disabled: [{name: PodTopologySpread}]
  pluginConfig:
  - name: NodeResourcesFit
    args: {apiVersion: kubescheduler.config.k8s.io/v1, kind: NodeResourcesFitArgs, scoringStrategy: {type: MostAllocated}}
`);
    expect(profiles).toEqual([
      { schedulerName: 'default-scheduler', disabled: [], weights: {}, pluginArgs: {} },
      {
        schedulerName: 'packer',
        percentageOfNodesToScore: 50,
        disabled: ['ImageLocality'],
        weights: { NodeAffinity: 7, PodTopologySpread: 0 },
        pluginArgs: { NodeResourcesFit: { scoringStrategy: { type: 'MostAllocated' } } },
      },
    ]);
  });

  test.each([
    ['nothing: 1\n', 'strict decoding error: unknown field "nothing"'],
    ['leaderElection: {nothing: 1}\n', 'strict decoding error: unknown field "leaderElection.nothing"'],
    ['profiles: [{}]\n', 'profiles[0].schedulerName: Required value'],
    ['profiles: [{schedulerName: a}, {schedulerName: a}]\n', 'profiles[1].schedulerName: Duplicate value: "a"'],
    ['profiles: [{schedulerName: a, plugins: {multiPoint: {disabled: [{name: Nope}]}}}]\n', 'plugin "Nope" does not exist'],
    ['profiles: [{schedulerName: a, plugins: {filter: {disabled: [{name: NodeAffinity}]}}}]\n', 'only multiPoint and the weights of score'],
    ['extenders: [{urlPrefix: "http://x"}]\n', 'extenders are not built'],
    ['clientConnection: {qps: many}\n', 'invalid argument "many" for "--kube-api-qps" flag'],
    ['profiles: {}\n', 'profiles'],
    ['a: [\n', 'deficient indentation'],
  ])('%j is refused', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });

  test('of another kind or version is refused', () => {
    expect(() => read('', 'apiVersion: v1\nkind: Pod\n')).toThrow('no kind "Pod" is registered for version "v1"');
    expect(() => read('', '{}')).toThrow('no kind ""');
  });

  test('in force is written so that it can be read again', () => {
    const { flags, profiles } = read('podMaxBackoffSeconds: 20\n');
    writeFileSync(path, configurationText(flags, profiles));
    const again = readConfiguration(path, parseFlags('kube-scheduler', schedulerFlags(), []));
    expect(again.flags.number('pod-max-backoff-seconds')).toBe(20);
    expect(again.flags.number('kube-api-qps')).toBe(5);
    expect(readFileSync(path, 'utf8')).toContain('leaderElect: true');
  });
});
