import { expect, test } from 'vitest';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { podsToDelete } from './pod-ranking.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

function makePod(index: number): Pod {
  const created = new Date(nowMs - 1000 * (1 + ((index * 7919) % 5000))).toISOString().replace('.000', '');
  const ready = { type: 'Ready', status: index % 3 === 0 ? 'False' : 'True', lastTransitionTime: created };
  const metadata = { name: `p${index}`, uid: `${(index * 104_729) % 99_991}`, creationTimestamp: created };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: [], nodeName: index % 5 === 0 ? '' : `n${index % 7}` },
    status: { phase: index % 11 === 0 ? 'Pending' : 'Running', conditions: [ready], containerStatuses: [] },
  } as Pod;
}

const pods = Array.from({ length: 3000 }, (_, index) => makePod(index));
const familyOn = (node: string): number => pods.filter(({ spec }) => spec?.nodeName === node).length;

test('who goes first does not depend on how many go', () => {
  const half = podsToDelete(pods, familyOn, 1500, nowMs);
  for (const count of [0, 1, 2, 8, 9, 500]) expect(podsToDelete(pods, familyOn, count, nowMs)).toEqual(half.slice(0, count));
});

test('half of 3,000 pods are found with one question for each node', () => {
  const asked: string[] = [];
  podsToDelete(pods, (node) => asked.push(node), 1500, nowMs);
  expect(asked.toSorted()).toEqual([...new Set(pods.map(({ spec }) => spec?.nodeName ?? ''))].sort());
});
