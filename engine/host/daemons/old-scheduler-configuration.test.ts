import { expect, test } from 'vitest';
import { mustGetRelease } from '../../releases/releases.ts';
import { type FlagValues, parseFlags } from './flag-set.ts';
import { oldConfigurationText, readOldConfiguration } from './old-scheduler-configuration.ts';
import { schedulerFlags } from './scheduler-flags.ts';

const head = 'apiVersion: kubescheduler.config.k8s.io/v1alpha1\nkind: KubeSchedulerConfiguration\n';
const release = mustGetRelease('1.13');

function flagsOf(...args: readonly string[]): FlagValues {
  return parseFlags('kube-scheduler', schedulerFlags(release), args, release.daemonFlags);
}

function read(text: string, ...args: readonly string[]): FlagValues {
  return readOldConfiguration(text, flagsOf(...args)).flags;
}

test('a file alone is gone by, and its own defaults where it says nothing, zero or an empty text', () => {
  const flags = read(
    `${head}schedulerName: ""\nclientConnection: {kubeconfig: /k, burst: 0, qps: 7.5}\nleaderElection: {leaseDuration: 20s, lockObjectName: mine}\n`,
    '--scheduler-name=other',
    '--leader-elect=false',
    '--kubeconfig=/other',
  );
  const texts = ['scheduler-name', 'kubeconfig', 'leader-elect', 'leader-elect-lease-duration', 'leader-elect-resource-lock', 'lock-object-name'];
  expect(texts.map((name) => flags.text(name))).toEqual(['default-scheduler', '/k', 'true', '20s', 'endpoints', 'mine']);
  expect([flags.number('kube-api-burst'), flags.number('kube-api-qps'), flags.number('percentage-of-nodes-to-score')]).toEqual([100, 7.5, 50]);
});

test.each([
  ['', ['', '', '', 'kube-system']],
  ['algorithmSource: {provider: ClusterAutoscalerProvider}\n', ['ClusterAutoscalerProvider', '', '', 'kube-system']],
  ['algorithmSource: {provider: x, policy: {file: {path: /p}}}\n', ['', '/p', '', 'kube-system']],
  ['algorithmSource: {policy: {configMap: {name: m}}}\n', ['', '', 'm', 'kube-system']],
  ['algorithmSource: {policy: {configMap: {name: m, namespace: other}}}\n', ['', '', 'm', 'other']],
  ['algorithmSource: {policy: {}}\n', ['', '', '', 'kube-system']],
])('what %s goes by', (text, want) => {
  const flags = read(head + text, '--algorithm-provider=y', '--policy-config-file=/q', '--policy-configmap=z', '--use-legacy-policy-config');
  const names = ['algorithm-provider', 'policy-config-file', 'policy-configmap', 'policy-configmap-namespace'];
  expect(names.map((name) => flags.text(name))).toEqual(want);
  expect(flags.isOn('use-legacy-policy-config')).toBe(false);
});

test.each([
  ['', '0.0.0.0', 10_251],
  ['healthzBindAddress: "127.0.0.1:99"\n', '127.0.0.1', 99],
  ['healthzBindAddress: ":98"\n', '0.0.0.0', 98],
  ['healthzBindAddress: nothing\n', '0.0.0.0', 10_251],
])('health is served where %s says', (text, address, port) => {
  const flags = read(head + text, '--port=0');
  expect([flags.text('address'), flags.number('port')]).toEqual([address, port]);
});

test('nobody need be evicted, and what is not known is passed over', () => {
  expect(readOldConfiguration(`${head}disablePreemption: true\nprofiles: []\n`, flagsOf()).disablesPreemption).toBe(true);
  expect(readOldConfiguration(head, flagsOf()).disablesPreemption).toBe(false);
});

test.each([
  ['apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n', 'no kind "KubeSchedulerConfiguration" is registered for version "kubescheduler.config.k8s.io/v1" in scheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme/scheme.go:29"'], // biome-ignore format: one case a line
  [
    'apiVersion: kubescheduler.config.k8s.io/v1alpha1\nkind: Nope\n',
    'no kind "Nope" is registered for version "kubescheduler.config.k8s.io/v1alpha1"',
  ],
  [`${head}healthzBindAddress: "127.0.0.1:x"\n`, 'invalid healthz address: invalid address "127.0.0.1:x"'],
  [`${head}schedulerName: 5\n`, 'KubeSchedulerConfiguration.schedulerName: a string is expected, and not 5'],
  [`${head}leaderElection: []\n`, 'KubeSchedulerConfiguration.leaderElection.leaderElect: an object is expected around it'],
])('%j is refused', (text, words) => {
  expect(() => read(text)).toThrow(words);
});

test('what is written is what flags say, in the words of the release', () => {
  // As a real 1.13.12 wrote it.
  expect(oldConfigurationText(flagsOf('--kubeconfig=/k', '--leader-elect=false', '--port=99'))).toBe(`algorithmSource:
  provider: DefaultProvider
apiVersion: kubescheduler.config.k8s.io/v1alpha1
bindTimeoutSeconds: 600
clientConnection:
  acceptContentTypes: ""
  burst: 100
  contentType: application/vnd.kubernetes.protobuf
  kubeconfig: /k
  qps: 50
disablePreemption: false
enableContentionProfiling: false
enableProfiling: false
failureDomains: kubernetes.io/hostname,failure-domain.beta.kubernetes.io/zone,failure-domain.beta.kubernetes.io/region
hardPodAffinitySymmetricWeight: 1
healthzBindAddress: 0.0.0.0:10251
kind: KubeSchedulerConfiguration
leaderElection:
  leaderElect: false
  leaseDuration: 15s
  lockObjectName: kube-scheduler
  lockObjectNamespace: kube-system
  renewDeadline: 10s
  resourceLock: endpoints
  retryPeriod: 2s
metricsBindAddress: 0.0.0.0:10251
percentageOfNodesToScore: 50
schedulerName: default-scheduler
`);
});
