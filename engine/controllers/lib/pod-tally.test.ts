import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { InformerCache } from '../../client/informer-cache.ts';
import { orphansOf } from './controller-ref.ts';
import { isPodActive } from './pod.ts';
import { PodTally } from './pod-tally.ts';

const act = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  put: fc.boolean(),
  owner: fc.constantFrom('', 'rs-1', 'rs-2'),
  app: fc.constantFrom('web', 'db'),
  phase: fc.constantFrom('Pending', 'Running', 'Succeeded'),
  ready: fc.boolean(),
  leaving: fc.boolean(),
  node: fc.constantFrom('', 'n1', 'n2'),
  asks: fc.boolean(),
});

function makePod({ name, owner, app, phase, ready, leaving, node }: typeof act extends fc.Arbitrary<infer A> ? A : never): Pod {
  const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner, controller: true }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      name,
      labels: { app },
      ...(owner === '' ? {} : { ownerReferences }),
      ...(leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { containers: [], nodeName: node },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  } as Pod;
}

function ownedBy(cache: InformerCache<Pod>): (controller: string) => readonly Pod[] {
  return (controller) => cache.list().filter((pod) => (pod.metadata.ownerReferences?.[0]?.uid ?? orphansOf('default')) === controller);
}

it('says what a count of all pods would, whatever came and went', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const cache = new InformerCache<Pod>();
      const tally = new PodTally();
      cache.addTally(tally);
      for (const one of acts) {
        if (one.put) cache.put(`default/${one.name}`, makePod(one));
        else cache.delete(`default/${one.name}`);
        // What is asked early is counted on from there.
        if (one.asks) tally.nodesOf('default', () => true, ownedBy(cache));
      }
      const isWeb = ({ labels }: { readonly labels?: Pod['metadata']['labels'] | undefined }): boolean => labels?.['app'] === 'web';
      const counts = tally.nodesOf('default', isWeb, ownedBy(cache));
      for (const node of ['', 'n1', 'n2']) {
        const there = cache.list().filter((pod) => isPodActive(pod) && isWeb(pod.metadata) && (pod.spec?.nodeName ?? '') === node);
        expect(counts.reduce((sum, nodes) => sum + (nodes.get(node) ?? 0), 0)).toBe(there.length);
      }
      for (const owner of ['rs-1', 'rs-2', '']) {
        const own = cache.list().filter((pod) => (pod.metadata.ownerReferences?.[0]?.uid ?? '') === owner);
        const groups = [...tally.groups('default', owner === '' ? orphansOf('default') : owner).values()];
        for (const app of ['web', 'db']) {
          const pods = own.filter((pod) => pod.metadata.labels?.['app'] === app);
          const ended = pods.filter((pod) => pod.status?.phase === 'Succeeded');
          const terminating = pods.filter((pod) => pod.metadata.deletionTimestamp !== undefined && !ended.includes(pod));
          const active = pods.filter((pod) => !ended.includes(pod) && !terminating.includes(pod));
          const ready = active.filter((pod) => pod.status?.conditions?.[0]?.status === 'True');
          const found = groups.find(({ labels }) => labels?.['app'] === app);
          const nothing = { active: 0, ready: 0, terminating: 0, all: 0 };
          expect(found ?? nothing).toMatchObject({ active: active.length, ready: ready.length, terminating: terminating.length, all: pods.length });
        }
      }
      cache.clear();
      expect(tally.groups('default', 'rs-1').size).toBe(0);
    }),
  );
});
