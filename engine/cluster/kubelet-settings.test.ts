/** Gates of kubelets: what each changes in a cluster, on and off, and which options it takes with it. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import { aCluster } from '../../test/support/cluster.ts';
import { Settings } from './settings.ts';

const podsPath = '/api/v1/namespaces/default/pods';
const failing = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'exit 1'] }] },
};

/** Seconds between an end of the container and its next start, one after the other. */
async function backoffs(options: Record<string, string>): Promise<readonly number[]> {
  const made = await aCluster({ seed: 5, nodes: 1, options });
  await made.advance(60_000);
  made.call('POST', podsPath, failing);
  const found: number[] = [];
  let last = '';
  for (let i = 0; i < 1_200 && found.length < 9; i++) {
    await made.advance(1_000);
    const { state, lastState } = made.call<Pod>('GET', `${podsPath}/p`).status?.containerStatuses?.[0] ?? {};
    const text = /^back-off (\S+) restarting/.exec(state?.waiting?.message ?? '')?.[1] ?? '';
    const key = `${text} ${lastState?.terminated?.finishedAt}`;
    if (text !== '' && key !== last) found.push(secondsOf(text));
    last = text === '' ? last : key;
  }
  return found;
}

function secondsOf(text: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

describe('back-offs of containers that fail', () => {
  const cases: readonly [name: string, options: Record<string, string>, want: readonly number[]][] = [
    ['as they are', {}, [10, 20, 40, 80, 160, 300]],
    ['with a longest period', { 'max-container-restart-period': '30s' }, [10, 20, 30, 30]],
    ['with one below the first', { 'max-container-restart-period': '2s' }, [2, 2, 2]],
    [
      'that begin shorter, up to what is configured by default',
      { 'feature-gates': 'ReduceDefaultCrashLoopBackOffDecay=true' },
      [1, 2, 4, 8, 16, 32, 64],
    ],
    [
      'that begin and end shorter where nothing can be configured',
      { 'feature-gates': 'ReduceDefaultCrashLoopBackOffDecay=true,KubeletCrashLoopBackOffMax=false' },
      [1, 2, 4, 8, 16, 32, 60, 60],
    ],
    ['where nothing can be configured', { 'feature-gates': 'KubeletCrashLoopBackOffMax=false' }, [10, 20, 40, 80, 160, 300]],
  ];
  it.each(cases)('%s', async (_, options, want) => {
    expect((await backoffs(options)).slice(0, want.length)).toEqual(want);
  });
});

it.each([
  ['true', ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']],
  ['false', ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled']],
])('pods tell whether their sandbox stands with PodReadyToStartContainersCondition=%s', async (value, want) => {
  const made = await aCluster({ seed: 5, nodes: 1, options: { 'feature-gates': `PodReadyToStartContainersCondition=${value}` } });
  await made.advance(60_000);
  made.call('POST', podsPath, { ...failing, spec: { containers: [{ name: 'c', image: 'nginx' }] } });
  await made.advance(20_000);
  const { conditions } = made.call<Pod>('GET', `${podsPath}/p`).status ?? {};
  expect(conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual(want.map((type) => `${type} True`));
});

it.each([
  [
    '',
    [
      'ExtendWebSocketsToKubelet',
      'InPlacePodLevelResourcesVerticalScaling',
      'InPlacePodVerticalScalingInitContainers',
      'RestartAllContainersOnContainerExits',
    ],
  ],
  [
    'ExtendWebSocketsToKubelet=false',
    ['InPlacePodLevelResourcesVerticalScaling', 'InPlacePodVerticalScalingInitContainers', 'RestartAllContainersOnContainerExits'],
  ],
  [
    'NodeDeclaredFeatures=false,ExtendWebSocketsToKubelet=false,InPlacePodLevelResourcesVerticalScaling=false,InPlacePodVerticalScalingInitContainers=false,RestartAllContainersOnContainerExits=false',
    undefined,
  ],
])('nodes declare what they can with gates %s', async (gates, want) => {
  const made = await aCluster({ seed: 5, nodes: 1, options: { 'feature-gates': gates } });
  await made.advance(60_000);
  expect(made.call<Node>('GET', '/api/v1/nodes/node-0').status?.declaredFeatures).toEqual(want);
});

it.each([
  [
    { 'feature-gates': 'KubeletCrashLoopBackOffMax=false', 'max-container-restart-period': '30s' },
    'invalid configuration: FeatureGate KubeletCrashLoopBackOffMax not enabled, CrashLoopBackOff.MaxContainerRestartPeriod must not be set',
  ],
  [
    { 'max-container-restart-period': '500ms' },
    'invalid configuration: CrashLoopBackOff.MaxContainerRestartPeriod (got: 0.5 seconds) must be set between 1s and 300s',
  ],
  [{ 'max-container-restart-period': 'long' }, 'invalid value "long" for --max-container-restart-period: expected a duration such as 30s'],
  [
    {
      'feature-gates': 'GracefulNodeShutdown=false,GracefulNodeShutdownBasedOnPodPriority=false,WindowsGracefulNodeShutdown=false',
      'shutdown-grace-period': '30s',
    },
    'invalid configuration: specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate GracefulNodeShutdown',
  ],
  [
    { 'feature-gates': 'GracefulNodeShutdownBasedOnPodPriority=false', 'shutdown-grace-period-by-pod-priority': '0=30s' },
    'invalid configuration: Specifying shutdownGracePeriodByPodPriority requires feature gate GracefulNodeShutdownBasedOnPodPriority',
  ],
  [
    { 'shutdown-grace-period-by-pod-priority': '0=30s,1e3=2s' },
    'invalid value "0=30s,1e3=2s" for --shutdown-grace-period-by-pod-priority: expected pairs such as 0=30s',
  ],
])('options %o are refused', (options, want) => {
  expect(() => new Settings(options as unknown as Record<string, string>)).toThrow(want);
});

it('graceful shutdown by two periods does not need the gate of priorities', () => {
  const options = { 'feature-gates': 'GracefulNodeShutdownBasedOnPodPriority=false', 'shutdown-grace-period': '30s' };
  expect(() => new Settings(options)).not.toThrow();
});
