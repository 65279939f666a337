import { expect, test } from 'vitest';
import type { AnyObject } from '../../api/objects.ts';
import { conditionsOf, summarize } from './summarize.ts';

const odd = (kind: string, status: object, spec: object = {}): AnyObject =>
  ({ kind, apiVersion: 'example.com/v1', metadata: { name: 'odd' }, spec, status }) as unknown as AnyObject;

test('of conditions that are none there are none, and what is no text is written as one', () => {
  for (const conditions of ['text', 7, null, { a: 1 }, [null], [7, 'x', []]]) expect(conditionsOf(odd('Odd', { conditions }))).toEqual([]);
  expect(conditionsOf(odd('Odd', { conditions: [{ type: 5, status: true, message: { a: 1 }, reason: ['x'], lastTransitionTime: 12 }] }))).toEqual([
    { type: '5', status: 'true', message: '{"a":1}', reason: '["x"]' },
  ]);
});

test('a kind that is called as one of ours and holds no numbers is told without “NaN”', () => {
  for (const kind of ['Deployment', 'DaemonSet', 'Job'])
    expect(summarize(odd(kind, { readyReplicas: 'x', active: {} }, { replicas: 'many' }), new Set())).not.toContain('NaN');
});

test('of a pod whose node is not ready is told what was said last, also when it had not become ready', () => {
  const pod = odd(
    'Pod',
    { phase: 'Running', containerStatuses: [{ name: 'c', ready: false, state: { running: {} } }] },
    { nodeName: 'n', containers: [{}] },
  );
  expect(summarize(pod, new Set())).toBe('Running on n; 0 of 1 container ready.');
  expect(summarize(pod, new Set(['n']))).toBe('NodeNotReady: its node is not ready. It said last: Running on n; 0 of 1 container ready.');
  expect(summarize({ ...pod, status: { phase: 'Succeeded' } } as never, new Set(['n']))).toBe('Succeeded on n; 0 of 1 container ready.');
});
