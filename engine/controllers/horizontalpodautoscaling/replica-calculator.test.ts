import { describe, expect, it } from 'vitest';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { averageReplicas, type CalculatorOptions, type PodMetrics, utilizationReplicas } from './replica-calculator.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const options: CalculatorOptions = { nowMs, cpuInitializationMs: 300_000, initialReadinessDelayMs: 30_000 };
const tolerances = { down: 0.1, up: 0.1 };

interface Given {
  readonly phase?: string;
  readonly ready?: boolean;
  readonly startedAgoMs?: number;
  readonly readyAgoMs?: number;
  readonly request?: string;
  readonly deleted?: boolean;
}

function pod(
  name: string,
  { phase = 'Running', ready = true, startedAgoMs = 3_600_000, readyAgoMs = 3_500_000, request = '1', deleted = false }: Given = {},
): Pod {
  return {
    metadata: { name, ...(deleted ? { deletionTimestamp: formatTime(nowMs) } : {}) },
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: request, memory: '1Gi' } } }] },
    status: {
      phase,
      startTime: formatTime(nowMs - startedAgoMs),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: formatTime(nowMs - readyAgoMs) }],
    },
  } as unknown as Pod;
}

function measured(values: Readonly<Record<string, number>>): PodMetrics {
  return new Map(Object.entries(values).map(([name, value]) => [name, { value, atMs: nowMs, windowMs: 60_000 }]));
}

const cpu = (percent: number): { readonly percent: number; readonly resource: string } => ({ percent, resource: 'cpu' });

describe('replicas by utilization', () => {
  const three = [pod('a'), pod('b'), pod('c')];
  it.each([
    ['up', three, measured({ a: 300, b: 500, c: 700 }), 30, 5, 50],
    ['down', three, measured({ a: 100, b: 100, c: 100 }), 50, 1, 10],
    ['not within the tolerance', three, measured({ a: 520, b: 520, c: 530 }), 50, 3, 52],
    ['up, a pod without metrics counting as idle', [...three, pod('d')], measured({ a: 1000, b: 1000, c: 1000 }), 50, 6, 100],
    ['not down, a pod without metrics counting as busy', [...three, pod('d')], measured({ a: 300, b: 300, c: 300 }), 50, 4, 30],
    [
      'up, a pod that starts counting as idle',
      [...three, pod('d', { ready: false, startedAgoMs: 60_000 })],
      measured({ a: 1000, b: 1000, c: 1000, d: 1000 }),
      50,
      6,
      100,
    ],
    ['up, pending pods counting as idle', [...three, pod('d', { phase: 'Pending' })], measured({ a: 1000, b: 1000, c: 1000 }), 50, 6, 100],
    [
      'by the others where a pod is going or has failed',
      [...three, pod('d', { phase: 'Failed' }), pod('e', { deleted: true })],
      measured({ a: 500, b: 500, c: 500, e: 5000 }),
      25,
      6,
      50,
    ],
  ] as const)('go %s', (_name, pods, metrics, percent, replicas, utilization) => {
    expect(utilizationReplicas(pods, metrics, cpu(percent), pods.length, tolerances, options)).toMatchObject({ replicas, utilization });
  });

  it('take CPU of an unready pod into account once it was ready after its start', () => {
    const old = pod('d', { ready: false, startedAgoMs: 3_600_000, readyAgoMs: 60_000 });
    expect(utilizationReplicas([old], measured({ d: 1000 }), cpu(50), 1, tolerances, options).replicas).toBe(2);
    const never = pod('d', { ready: false, startedAgoMs: 3_600_000, readyAgoMs: 3_590_000 });
    expect(() => utilizationReplicas([never], measured({ d: 1000 }), cpu(50), 1, tolerances, options)).toThrow(
      'did not receive metrics for targeted pods (pods might be unready)',
    );
  });

  it.each([
    ['nobody is chosen', [], measured({ a: 1 }), 'no pods returned by selector while calculating replica count'],
    [
      'nothing is asked for',
      [{ ...pod('a'), spec: { containers: [{ name: 'c' }] } } as Pod],
      measured({ a: 1 }),
      'missing request for cpu in container c of Pod a',
    ],
    ['metrics are of others', [pod('a', { request: '0' })], measured({ a: 1 }), 'no metrics returned matched known pods'],
  ] as const)('fail where %s', (_name, pods, metrics, message) => {
    expect(() => utilizationReplicas(pods, metrics, cpu(50), 1, tolerances, options)).toThrow(message);
  });

  it('of one container are by that container alone', () => {
    const target = { percent: 50, resource: 'cpu', container: 'other' };
    expect(() => utilizationReplicas([pod('a')], measured({ a: 1 }), target, 1, tolerances, options)).toThrow('container other not found in Pod a');
  });
});

describe('replicas by an average', () => {
  it.each([
    ['up', measured({ a: 20_000, b: 10_000, c: 30_000 }), 15_000, 4],
    ['not within the tolerance', measured({ a: 15_500, b: 15_500, c: 15_500 }), 15_000, 3],
    ['not down where one says nothing', measured({ a: 10_000, b: 10_000 }), 15_000, 3],
  ] as const)('go %s', (_name, metrics, amount, replicas) => {
    const pods = [pod('a'), pod('b'), pod('c')];
    expect(averageReplicas(pods, metrics, { amount, resource: '' }, 3, tolerances, options).replicas).toBe(replicas);
  });
});
