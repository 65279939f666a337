import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseFlags } from './flag-set.ts';
import { configurationText, readConfiguration } from './scheduler-configuration.ts';
import { schedulerDaemon } from './scheduler.ts';
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
      { schedulerName: 'default-scheduler' },
      {
        schedulerName: 'packer',
        percentageOfNodesToScore: 50,
        plugins: {
          multiPoint: { disabled: ['ImageLocality', 'NodeAffinity'], enabled: [{ name: 'NodeAffinity', weight: 7 }] },
          score: { disabled: ['PodTopologySpread'], enabled: [] },
        },
        pluginArgs: { NodeResourcesFit: { scoringStrategy: { type: 'MostAllocated' } } },
      },
    ]);
  });

  test.each([
    ['nothing: 1\n', 'strict decoding error: unknown field "nothing"'],
    ['leaderElection: {nothing: 1}\n', 'strict decoding error: unknown field "leaderElection.nothing"'],
    ['profiles: [{}]\n', 'profiles[0].schedulerName: Required value'],
    ['profiles: [{schedulerName: a}, {schedulerName: a}]\n', 'profiles[1].schedulerName: Duplicate value: "profiles[0].schedulerName"'],
    [
      'profiles: [{}, {schedulerName: a, percentageOfNodesToScore: 101}]\n',
      '[profiles[0].schedulerName: Required value, profiles[1].percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]]',
    ],
    ['profiles: [{schedulerName: a, plugins: {filters: {}}}]\n', 'strict decoding error: unknown field "profiles[0].plugins.filters"'],
    [
      'profiles: [{schedulerName: a, plugins: {multiPoint: {enabled: [{name: Nope}]}}}]\n',
      'initializing profiles: creating profile for scheduler name a: PreEnqueuePlugin "Nope" does not exist',
    ],
    [
      'profiles: [{schedulerName: a, plugins: {filter: {enabled: [{name: ImageLocality}]}}}]\n',
      'plugin "ImageLocality" does not extend FilterPlugin plugin',
    ],
    [
      'profiles: [{schedulerName: a, plugins: {score: {enabled: [{name: EBSLimits}]}}}]\n',
      'profiles[0].plugins.score.enabled[0]: Invalid value: "EBSLimits": was invalid in version "kubescheduler.config.k8s.io/v1"',
    ],
    [
      'profiles: [{schedulerName: a, plugins: {bind: {disabled: [{name: "*"}]}}}]\n',
      'at least one bind plugin is needed for profile with scheduler name "a"',
    ],
    [
      'profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: PrioritySort}]}}}]\n',
      'profiles[1].plugins.queueSort: Invalid value: ',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]\n',
      'profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: InterPodAffinity, args: {x: 1}}]}]\n',
      'decoding args for plugin "InterPodAffinity": strict decoding error: unknown field "x"',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: VolumeBinding}, {name: VolumeBinding}]}]\n',
      'profiles[0].pluginConfig[1]: Duplicate value: "VolumeBinding"',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}]}]\n',
      'cannot be zero at the same time as minCandidateNodesAbsolute',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Best}}}]}]\n',
      'initializing plugin "NodeResourcesFit": scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ],
    [
      'profiles: [{schedulerName: a, pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}}]}]\n',
      '[profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty, profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf)]',
    ],
    [
      'extenders: [{urlPrefix: "http://x", prioritizeVerb: p, bindVerb: b}, {bindVerb: c, managedResources: [{name: cpu}, {name: example.com/a}, {name: example.com/a}]}]\n',
      '[extenders[0].weight: Invalid value: 0: must have a positive weight applied to it, extenders[1].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name, extenders[1].managedResources[2].name: Invalid value: "example.com/a": duplicate extender managed resource name, extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind]',
    ],
    ['extenders: [{nothing: 1}]\n', 'strict decoding error: unknown field "extenders[0].nothing"'],
    ['extenders: [{weight: x}]\n', 'json: cannot unmarshal string into Go struct field Extender.extenders.weight of type int64'],
    ['extenders: [{httpTimeout: soon}]\n', 'time: invalid duration "soon"'],
    ['podInitialBackoffSeconds: 20\n', 'podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to PodInitialBackoffSeconds'],
    ['clientConnection: {qps: many}\n', 'invalid argument "many" for "--kube-api-qps" flag'],
    ['profiles: {}\n', 'json: cannot unmarshal object into Go struct field KubeSchedulerConfiguration.profiles of type []v1.KubeSchedulerProfile'],
    ['extenders: {}\n', 'json: cannot unmarshal object into Go struct field KubeSchedulerConfiguration.extenders of type []v1.Extender'],
    ['a: [\n', 'did not find expected node content'],
  ])('%j is refused', (text, words) => {
    expect(() => read(text)).toThrow(words);
  });

  test('of another kind or version is refused', () => {
    expect(() => read('', 'apiVersion: v1\nkind: Pod\n')).toThrow('no kind "Pod" is registered for version "v1"');
    expect(() => read('', '{}')).toThrow('no kind ""');
  });

  test('in force is written so that it can be read again', () => {
    const given = read(
      'extenders: [{urlPrefix: "http://x", filterVerb: f, httpTimeout: 100ms, managedResources: [{name: example.com/a, ignoredByScheduler: true}]}]\npodMaxBackoffSeconds: 20\nprofiles: [{schedulerName: a, plugins: {score: {disabled: [{name: ImageLocality}], enabled: [{name: TaintToleration, weight: 9}]}}, pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 5}}]}]\n',
    );
    writeFileSync(path, configurationText(given));
    const again = readConfiguration(path, parseFlags('kube-scheduler', schedulerFlags(), []));
    expect(again.flags.number('pod-max-backoff-seconds')).toBe(20);
    expect(again.profiles).toEqual(given.profiles);
    expect(again.extenders).toEqual(given.extenders);
    expect(again.flags.number('kube-api-qps')).toBe(5);
    expect(readFileSync(path, 'utf8')).toContain('leaderElect: true');
  });
});

describe.each([
  ['DRASchedulerFilterTimeout', 'filterTimeout: 5s', 'filterTimeout', 'DRASchedulingFilterTimeout feature gate is disabled'],
  [
    'DRADeviceBindingConditions',
    'bindingTimeout: 5s',
    'bindingTimeout',
    'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled',
  ],
])('%s', (gate, args, field, words) => {
  const prepare = (text: string, ...flags: readonly string[]): unknown => {
    writeFileSync(path, `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n${text}`);
    return schedulerDaemon.prepare(parseFlags('kube-scheduler', schedulerFlags(), [`--config=${path}`, ...flags]));
  };
  const given = `profiles: [{schedulerName: a, pluginConfig: [{name: DynamicResources, args: {${args}}}]}]\n`;

  test('on: the argument is taken', () => {
    expect(prepare(given)).toHaveProperty('flags');
  });

  test('off: it is refused, and has no default', () => {
    expect(() => prepare(given, `--feature-gates=${gate}=false`)).toThrow(`profiles[0].pluginConfig[0].args.${field}: Forbidden: ${words}`);
    const shown = (...flags: readonly string[]): string =>
      JSON.stringify(schedulerDaemon.configuration.more?.(parseFlags('kube-scheduler', schedulerFlags(), flags)));
    expect(shown()).toContain(`"${field}"`);
    expect(shown(`--feature-gates=${gate}=false`)).not.toContain(`"${field}"`);
  });
});
