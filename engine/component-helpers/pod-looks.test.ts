import { describe, expect, it } from 'vitest';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { podTrouble } from './pod.ts';
import { seePod } from './pod-looks.ts';

const condition = (type: string, status: string, reason?: string) => ({
  type,
  status,
  lastTransitionTime: '2026-01-01T00:05:00Z',
  ...(reason === undefined ? {} : { reason }),
});

function running(ready: ReturnType<typeof condition>, containersReady: string): Pod {
  const state = { running: { startedAt: '2026-01-01T00:00:00Z' } };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    spec: { nodeName: 'n', containers: [{ name: 'c' }] },
    status: {
      phase: 'Running',
      conditions: [ready, condition('ContainersReady', containersReady)],
      containerStatuses: [{ name: 'c', ready: containersReady === 'True', restartCount: 0, image: 'i', imageID: 'i', state }],
    },
  } as unknown as Pod;
}

describe('a pod that runs and is not ready', () => {
  it.each([
    ['because its node is not, which leaves what was said of its containers', running(condition('Ready', 'False'), 'True'), 'NodeNotReady', 'Lost'],
    ['because a container is not any more', running(condition('Ready', 'False', 'ContainersNotReady'), 'False'), 'NotReady', 'NotReady'],
    ['because a gate is not met', running(condition('Ready', 'False', 'ReadinessGatesNotReady'), 'True'), 'NotReady', 'NotReady'],
  ])('%s', (_why, pod, trouble, look) => {
    expect(podTrouble(pod)).toBe(trouble);
    expect(seePod(pod)).toEqual({ look, reason: '' });
  });
});
