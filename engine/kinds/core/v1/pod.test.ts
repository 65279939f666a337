/** What users notice of pods: defaults cost nothing twice, wrong pods are refused in upstream's words, grace of deletion. */
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { errorText } from '../../../apimachinery/field-errors.ts';
import { podKind } from './pod.ts';

const context: StrategyContext = {
  identity: { name: 'u', groups: [] },
  nowMs: 0,
  nowText: '1970-01-01T00:00:00Z',
  dryRun: false,
  newUid: () => 'u',
  randomSuffix: () => 's',
  lookup: () => undefined,
  featureEnabled: () => false,
  ratcheted: () => true,
};

function makePod(spec: object = {}): Pod {
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'd' },
    spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
  };
  return podKind.defaultsHere?.(podKind.defaults?.(pod as Pod) as Pod, context) as Pod;
}

const faultsOf = (pod: Pod): readonly string[] => (podKind.validate?.(pod, context) ?? []).map(errorText);

describe('pods', () => {
  test('defaults of a defaulted pod are the pod itself', () => {
    const pod = makePod();
    expect(podKind.defaults?.(pod)).toBe(pod);
    expect(podKind.defaultsHere?.(pod, context)).toBe(pod);
    expect(pod.spec?.containers?.[0]?.imagePullPolicy).toBe('Always');
  });

  test('a negative grace period is one second', () => {
    expect(makePod({ terminationGracePeriodSeconds: -5 }).spec?.terminationGracePeriodSeconds).toBe(1);
  });

  const cases: readonly { readonly name: string; readonly spec: object; readonly want: readonly string[] }[] = [
    { name: 'sound', spec: {}, want: [] },
    { name: 'no containers', spec: { containers: [] }, want: ['spec.containers: Required value'] },
    {
      name: 'unknown volume',
      spec: { containers: [{ name: 'c', image: 'i', volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
      want: ['spec.containers[0].volumeMounts[0].name: Not found: "v"'],
    },
    {
      name: 'request over limit',
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }] },
      want: ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    },
  ];
  test.each(cases)('$name', ({ spec, want }) => expect(faultsOf(makePod(spec))).toEqual(want));

  test('an update changes images only', () => {
    const old = makePod({ nodeName: 'n1' });
    const image = { ...old, spec: { ...old.spec, containers: [{ ...old.spec?.containers?.[0], image: 'nginx:2' }] } } as Pod;
    const moved = { ...old, spec: { ...old.spec, nodeName: 'n2' } } as Pod;
    expect(podKind.validateUpdate?.(image, old, context)).toEqual([]);
    expect(podKind.validateUpdate?.(moved, old, context)[0]?.detail).toContain(
      'pod updates may not change fields other than `spec.containers[*].image`',
    );
  });

  test('pods on no node go at once, others in their grace period', () => {
    expect(podKind.gracefulDelete?.(makePod(), {}, context)).toBe(0);
    expect(podKind.gracefulDelete?.(makePod({ nodeName: 'n1' }), {}, context)).toBe(30);
    expect(podKind.gracefulDelete?.(makePod({ nodeName: 'n1' }), { gracePeriodSeconds: 5 }, context)).toBe(5);
  });
});
