/** A cluster of ours without machines to play failures in, on its virtual clock. */
import { type TestCluster, aCluster } from '../support/cluster.ts';
import type { FailureWorld, Thing } from './played.ts';

const prefixes = { nodes: '/registry/minions/', pods: '/registry/pods/', events: '/registry/events/' } as const;

/** Clients of the recorded controller managers are given as much. */
const options = { 'kube-api-qps': '500', 'kube-api-burst': '1000' };

export async function makeOwnWorld(release: string, seed = 1): Promise<FailureWorld> {
  const made = await aCluster({ nodes: 0, seed, release, options });
  return worldOf(made, release !== '1.13');
}

function worldOf({ cluster, ask }: TestCluster, hasLeases: boolean): FailureWorld {
  return {
    hasLeases,
    nowMs: () => cluster.loop.nowMs(),
    sleepUntil: async (ms) => void (await cluster.loop.run(ms)),
    ask: (method, path, body, contentType) => Promise.resolve(ask(method, path, body, contentType)),
    onChange: (resource, handler) => {
      const prefix = prefixes[resource];
      cluster.store.watch({
        prefix,
        onChanges: (changes) => {
          for (const { type, current, previous } of changes) {
            const object = (current ?? previous)?.value as unknown as Thing;
            if (resource !== 'events' || previous === undefined) handler(object, type === 'delete');
          }
        },
      });
    },
  };
}
