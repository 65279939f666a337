/** A cluster of ours to play in: without nodes and on its virtual clock, so that waiting takes no time. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { podMetricsKind } from '../../engine/nodes/metrics/metrics-api.ts';
import { aCluster } from '../support/cluster.ts';
import type { Dialect } from './dialect.ts';
import { PlayedUsage } from './usage.ts';
import { beat, heartbeatMs, makePlayedNode, playedNode, type Answered, type Thing, type World } from './world.ts';

/** Clients of the real controller manager are given as much. */
const options = {
  'kube-api-qps': '500',
  'kube-api-burst': '1000',
  'horizontal-pod-autoscaler-sync-period': '1s',
  'horizontal-pod-autoscaler-downscale-stabilization': '5s',
};

/** How long a request from outside takes. */
const requestMs = 20;

export async function makeOwnWorld(namespace: string, dialect: Dialect): Promise<World> {
  const usage = new PlayedUsage();
  const metrics = {
    kind: podMetricsKind,
    get: () => undefined,
    list: (_query: unknown, where = '') => usage.metrics(world, where) as readonly KubeObject[],
  };
  const made = await aCluster({ seed: 1, nodes: 0, options, release: dialect.release }, { computed: () => [metrics] });
  let changes = 0;
  made.cluster.store.watch({ prefix: '', onChanges: (all) => all.forEach(({ key }) => key.includes(`/${namespace}`) && changes++) });
  let lastHeartbeatMs = made.cluster.loop.nowMs();
  const world: World = {
    usage,
    dialect,
    ask: async (method, path, body, contentType) => {
      const answered = made.ask<Thing>(method, path, body, contentType) as Answered;
      // A client outside cannot do two things at one instant.
      await made.advance(requestMs);
      return answered;
    },
    list: (resource, where) =>
      dialect.serves(resource) ? made.call<{ readonly items: readonly Thing[] }>('GET', dialect.path(resource, where)).items : [],
    changes: () => changes,
    restMs: () => 2500,
    nowMs: () => made.cluster.loop.nowMs(),
    sleep: async (ms) => {
      await made.advance(ms);
      if (made.cluster.loop.nowMs() - lastHeartbeatMs < heartbeatMs) return;
      lastHeartbeatMs = made.cluster.loop.nowMs();
      await beat(world, playedNode);
    },
  };
  await makePlayedNode(world);
  return world;
}
