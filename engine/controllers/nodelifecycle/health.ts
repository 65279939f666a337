/**
 * When a sign of life of a node was last seen, on the controller's own clock, and what to write when it has been silent for too
 * long. Mirrors tryUpdateNodeHealth of pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
import { number, optional, record, text } from '../../base/codecs.ts';
import type { Node, NodeCondition } from '../../api/core/v1/types.gen.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import { parseTime } from '../lib/time.ts';

export interface Health {
  /** Of the Ready condition as last seen; undefined when there was none. */
  readonly heartbeat: string | undefined;
  readonly status: string | undefined;
  readonly renewTime: string | undefined;
  readonly probeMs: number;
}

export const healthCodec = record<Health>({ heartbeat: optional(text), status: optional(text), renewTime: optional(text), probeMs: number });

/** Renewal times are RFC 3339 text of one form, so their order is that of the text. */
export function observe(old: Health | undefined, node: Node, renewTime: string | undefined, nowMs: number): Health {
  const ready = getNodeCondition(node, 'Ready');
  let health = old;
  if (ready === undefined) {
    const probeMs = health?.probeMs ?? parseTime(node.metadata.creationTimestamp) ?? nowMs;
    health = { heartbeat: undefined, status: undefined, renewTime: health?.renewTime, probeMs };
  } else {
    const heartbeat = ready.lastHeartbeatTime ?? '';
    if (health === undefined || health.heartbeat !== heartbeat) health = { heartbeat, status: ready.status, renewTime: undefined, probeMs: nowMs };
    else if (health.status !== ready.status) health = { ...health, status: ready.status };
  }
  if (renewTime !== undefined && (old?.renewTime === undefined || old.renewTime < renewTime)) return { ...health, renewTime, probeMs: nowMs };
  return health;
}

/** The conditions of a silent node; undefined when they say so already. `types` are those that only the kubelet can vouch for. */
export function silentConditions(node: Node, types: readonly string[], now: string): readonly NodeCondition[] | undefined {
  const ready = getNodeCondition(node, 'Ready');
  if (ready?.status === 'Unknown') return undefined;
  const conditions = [...(node.status?.conditions ?? [])];
  for (const type of types) {
    const position = conditions.findIndex((condition) => condition.type === type);
    const old = conditions[position];
    if (old === undefined) {
      const lastHeartbeatTime = node.metadata.creationTimestamp ?? now;
      const reason = 'NodeStatusNeverUpdated';
      conditions.push({ type, status: 'Unknown', lastHeartbeatTime, lastTransitionTime: now, reason, message: 'Kubelet never posted node status.' });
    } else if (old.status !== 'Unknown') {
      const { type: _type, status: _status, lastHeartbeatTime } = old;
      const heartbeat = lastHeartbeatTime === undefined ? {} : { lastHeartbeatTime };
      conditions[position] = {
        type,
        status: 'Unknown',
        ...heartbeat,
        lastTransitionTime: now,
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      };
    }
  }
  return conditions;
}
