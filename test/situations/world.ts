/** What a situation is played in: a cluster of ours on its virtual clock, or a real control plane. Both are asked the same things. */
import type { Dialect } from './dialect.ts';
import type { PlayedUsage } from './usage.ts';

/** An object as JSON has it. */
export interface Thing {
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export interface Answered {
  readonly status: number;
  /** The object asked for, or the Status that says why not. */
  readonly object: Thing & { readonly message?: string; readonly reason?: string };
}

export interface World {
  readonly dialect: Dialect;
  /** What pods use, where steps say it. */
  readonly usage: PlayedUsage;
  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<Answered>;
  /** What there is now of a resource in a namespace, or in the cluster for a resource without namespaces. */
  list(resource: string, namespace: string): readonly Thing[];
  /** Grows with every change that concerns the namespace or what is named after it. */
  changes(namespace: string): number;
  nowMs(): number;
  /** After so long without a change nothing more is to come; Events come late from a busy control plane. */
  restMs(): number;
  sleep(ms: number): Promise<void>;
  /** So many times longer than usual a step waits for what is to come; once when absent. */
  readonly patience?: number;
}

/** The node that pods run on unless a situation has nodes of its own; it is alive for ever. */
export const playedNode = 'played';
export const heartbeatMs = 8000;

/** The present of a world as objects have it, in whole seconds. */
export function timeText(world: Pick<World, 'nowMs'>): string {
  return new Date(Math.floor(world.nowMs() / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** Makes the node that is always there, with its sign of life. */
export async function makePlayedNode(world: World): Promise<void> {
  if (world.dialect.leases) await beat(world, playedNode);
  const time = timeText(world);
  const labels = { 'kubernetes.io/hostname': playedNode, 'topology.kubernetes.io/zone': 'zone-p', 'topology.kubernetes.io/region': 'played' };
  const resources = { cpu: '64', memory: '256Gi', pods: '1000' };
  const conditions = [
    { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'played', lastHeartbeatTime: time, lastTransitionTime: time },
  ];
  const node = { metadata: { name: playedNode, labels }, status: { capacity: resources, allocatable: resources, conditions } };
  const said = world.dialect.said({ apiVersion: 'v1', kind: 'Node', ...node });
  const { status } = await world.ask('POST', world.dialect.path('nodes', ''), said);
  // It may be there from another run, and have been silent since.
  if (status === 409)
    await world.ask('PATCH', world.dialect.path('nodes', '', playedNode, 'status'), { status: node.status }, 'application/merge-patch+json');
  const isReady = (): boolean =>
    world.list('nodes', '').some(({ metadata, spec }) => metadata.name === playedNode && !JSON.stringify(spec).includes('taints'));
  for (let tries = 0; !isReady() && tries < 300; tries++) await world.sleep(100);
}

/** What the kubelet of a node does every ten seconds: it renews its lease, or tells the conditions that it told last with the time. */
export async function beat(world: World, node: string): Promise<void> {
  if (!world.dialect.leases) return tellConditions(world, node);
  const leases = world.dialect.path('leases', 'kube-node-lease');
  const spec = { holderIdentity: node, leaseDurationSeconds: 40, renewTime: new Date(world.nowMs()).toISOString().replace('Z', '000Z') };
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: node, namespace: 'kube-node-lease' }, spec };
  const { status } = await world.ask('PATCH', `${leases}/${node}`, { spec }, 'application/merge-patch+json');
  if (status === 404) await world.ask('POST', leases, lease);
}

async function tellConditions(world: World, node: string): Promise<void> {
  const status = world.list('nodes', '').find(({ metadata }) => metadata.name === node)?.['status'] as
    | { readonly conditions?: readonly object[] }
    | undefined;
  const time = timeText(world);
  const told = (status?.conditions ?? []) as readonly { readonly type: string; readonly reason?: string }[];
  // What the controller said in the kubelet's place is not true while it lives.
  const conditions = told.map((condition) =>
    condition.reason === 'NodeStatusUnknown'
      ? {
          ...condition,
          status: condition.type === 'Ready' ? 'True' : 'False',
          reason: 'KubeletReady',
          message: 'played',
          lastHeartbeatTime: time,
          lastTransitionTime: time,
        }
      : { ...condition, lastHeartbeatTime: time },
  );
  if (conditions.length === 0) return;
  await world.ask('PATCH', world.dialect.path('nodes', '', node, 'status'), { status: { conditions } }, 'application/strategic-merge-patch+json');
}
