/** A cluster of ours to play in: without nodes and on its virtual clock, so that waiting takes no time. */
import { aCluster } from '../support/cluster.ts';
import { apiPath } from './resources.ts';
import { heartbeatMs, makePlayedNode, playedNode, renewLease, type Answered, type Thing, type World } from './world.ts';

/** Clients of the real controller manager are given as much. */
const options = { 'kube-api-qps': '500', 'kube-api-burst': '1000' };

/** How long a request from outside takes. */
const requestMs = 20;

export async function makeOwnWorld(namespace: string): Promise<World> {
  const made = await aCluster({ seed: 1, nodes: 0, options });
  let changes = 0;
  made.cluster.store.watch({ prefix: '', onChanges: (all) => all.forEach(({ key }) => key.includes(`/${namespace}`) && changes++) });
  let lastHeartbeatMs = made.cluster.loop.nowMs();
  const world: World = {
    ask: async (method, path, body, contentType) => {
      const answered = made.ask<Thing>(method, path, body, contentType) as Answered;
      // A client outside cannot do two things at one instant.
      await made.advance(requestMs);
      return answered;
    },
    list: (resource, where) => made.call<{ readonly items: readonly Thing[] }>('GET', apiPath(resource, where)).items,
    changes: () => changes,
    restMs: () => 2500,
    nowMs: () => made.cluster.loop.nowMs(),
    sleep: async (ms) => {
      await made.advance(ms);
      if (made.cluster.loop.nowMs() - lastHeartbeatMs < heartbeatMs) return;
      lastHeartbeatMs = made.cluster.loop.nowMs();
      await renewLease(world, playedNode);
    },
  };
  await makePlayedNode(world);
  return world;
}
