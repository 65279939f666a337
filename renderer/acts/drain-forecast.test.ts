import { describe, expect, it } from 'vitest';
import type { Pod } from '../../engine/api/core/v1/types.gen.ts';
import { type Budget, type Drained, forecastOf } from './drain-forecast.ts';

const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '1', controller: true };

function pod(status: object = {}, metadata: object = {}, spec: object = {}): Pod {
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...status };
  return {
    metadata: { name: 'a', namespace: 'shop', labels: { app: 'web' }, ownerReferences: [controller], ...metadata },
    spec,
    status: ready,
  } as never;
}
const unready = { conditions: [{ type: 'Ready', status: 'False' }] };

function budget(status: object = {}, spec: object = {}, name = 'keep'): Budget {
  const counts = { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 2, ...status };
  return { metadata: { name, namespace: 'shop' }, spec: { selector: { matchLabels: { app: 'web' } }, ...spec }, status: counts } as never;
}

function told(go: readonly Pod[], budgets: readonly Budget[] = [], more: Partial<Drained> = {}): string {
  return forecastOf({ nodes: 1, silent: [], go, ignored: 0, budgets, asksAboutAll: false, ...more })
    .slice(1)
    .join(' ');
}

describe('what is told before a node is drained', () => {
  it.each([
    { name: 'a budget lets no ready pod go', said: told([pod(), pod()], [budget()]), want: /shop\/keep lets no pod go now: 2 pods of this node are/ },
    { name: 'or some', said: told([pod(), pod()], [budget({ disruptionsAllowed: 1 })]), want: /lets 1 of 2 go now/ },
    { name: 'of other pods nothing', said: told([pod({}, { namespace: 'other' }), pod({}, { labels: {} })], [budget()]), want: /^$/ },
    { name: 'none is asked about what is pending', said: told([pod({ phase: 'Pending', ...unready })], [budget()]), want: /^$/ },
    {
      name: 'nor about what leaves already',
      said: told([pod({}, { deletionTimestamp: '2026-01-01T00:00:00Z' })], [budget()]),
      want: /^1 pod of these is being deleted already\.$/,
    },
    {
      name: 'but by releases before 1.21',
      said: told([pod({ phase: 'Pending', ...unready })], [budget()], { asksAboutAll: true }),
      want: /lets no pod go now: 1 pod of this node is/,
    },
    { name: 'what is not ready goes always', said: told([pod(unready)], [budget({}, { unhealthyPodEvictionPolicy: 'AlwaysAllow' })]), want: /^$/ },
    { name: 'or while enough others are', said: told([pod(unready)], [budget({ currentHealthy: 2 })]), want: /^$/ },
    { name: 'and else not', said: told([pod(unready)], [budget()]), want: /lets no pod go now: 1 pod/ },
    {
      name: 'two budgets over one pod',
      said: told([pod()], [budget({ disruptionsAllowed: 5 }), budget({ disruptionsAllowed: 5 }, {}, 'too')]),
      want: /^1 pod covered by more than one budget \(shop\/keep, shop\/too\) cannot be evicted until only one covers it\.$/,
    },
    {
      name: 'what nobody manages, whoever owns it',
      said: told([pod({}, { ownerReferences: [{ ...controller, controller: undefined }] })]),
      want: /^1 pod that no controller manages will not come back\.$/,
    },
    {
      name: 'emptyDir volumes',
      said: told([pod({}, {}, { volumes: [{ name: 'a', emptyDir: {} }] })]),
      want: /^1 pod loses what it keeps in emptyDir/,
    },
    { name: 'of what has finished nothing', said: told([pod({ phase: 'Failed' }, { ownerReferences: [] })], [budget()]), want: /^$/ },
    { name: 'a node that is not heard', said: told([pod()], [], { silent: ['node-0'] }), want: /^node-0 is not heard: pods there stay Terminating/ },
  ])('$name', ({ said, want }) => expect(said).toMatch(want));
});
