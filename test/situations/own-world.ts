/** A cluster of ours to play in: without nodes and on its virtual clock, so that waiting takes no time. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { podMetricsKind } from '../../engine/nodes/metrics/metrics-api.ts';
import type { ClusterConfig } from '../../engine/cluster/config.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import type { Dialect } from './dialect.ts';
import { PlayedUsage } from './usage.ts';
import { beat, heartbeatMs, makePlayedNode, playedNode, type Answered, type Thing, type World } from './world.ts';

/** Clients of the real controller manager are given as much. */
export const playedOptions = {
  'kube-api-qps': '500',
  'kube-api-burst': '1000',
  'horizontal-pod-autoscaler-sync-period': '1s',
  'horizontal-pod-autoscaler-downscale-stabilization': '5s',
};

/** How long a request from outside takes. */
const requestMs = 20;

export async function makeOwnWorld(namespace: string, dialect: Dialect): Promise<World> {
  const { world } = await makePlayedCluster(namespace, dialect);
  await makePlayedNode(world);
  return world;
}

export interface PlayedCluster {
  readonly made: TestCluster;
  readonly world: World;
}

/** A cluster of ours with what a situation needs of it; the node that is always there is made by the caller, who may have something to start first. */
export async function makePlayedCluster(namespace: string, dialect: Dialect, config: Partial<ClusterConfig> = {}): Promise<PlayedCluster> {
  const usage = new PlayedUsage();
  const metrics = {
    kind: podMetricsKind,
    get: () => undefined,
    list: (_query: unknown, where = '') => usage.metrics(world, where) as readonly KubeObject[],
  };
  const made = await aCluster(
    { seed: 1, nodes: 0, release: dialect.release, ...config, options: { ...playedOptions, ...dialect.options(), ...config.options } },
    { computed: () => [metrics] },
  );
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
  return { made, world };
}
