/**
 * What the page's dense views need of an object: a row of a few dozen bytes, made by the engine once per revision, so that thousands of
 * whole objects never cross the socket.
 */
import type { KubeObject } from '../apimachinery/object.ts';
import type { Node } from '../api/core/v1/types.gen.ts';
import { nodeZone } from './node.ts';

export interface NodeRow {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly ready: 'True' | 'False' | 'Unknown';
  readonly readySinceMs: number;
  readonly heartbeatMs: number;
  readonly cordoned: boolean;
  readonly pressures: readonly string[];
  readonly taints: readonly string[];
  readonly milliCpu: number;
  readonly podsMax: number;
}
export interface EventRow {
  readonly id: string;
  readonly ms: number;
  readonly level: string;
  readonly reason: string;
  readonly message: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly apiVersion: string;
  readonly count: number;
  readonly by: string;
  /** Of its last write. */
  readonly revision: number;
}

export interface PageRows {
  readonly node: NodeRow;
  readonly event: EventRow;
}
export type PageRowName = keyof PageRows;

interface AnyObject extends KubeObject {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly lastHeartbeatTime?: string | null;
}

const makers: { readonly [N in PageRowName]: (object: KubeObject) => PageRows[N] } = {
  node: toNodeRow,
  event: toEventRow,
};

export function isPageRowName(name: string): name is PageRowName {
  return Object.hasOwn(makers, name);
}

export function toPageRow(name: PageRowName, object: KubeObject): PageRows[PageRowName] {
  return makers[name](object);
}

function toNodeRow(object: AnyObject): NodeRow {
  const name = object.metadata.name ?? '';
  const spec = (object.spec ?? {}) as { unschedulable?: boolean; taints?: { key: string; effect: string }[] };
  const status = (object.status ?? {}) as { conditions?: Condition[]; allocatable?: { cpu?: string; pods?: string } };
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return {
    id: `nodes/${name}`,
    name,
    zone: nodeZone(object as Node) || 'no zone',
    ready: (ready?.status ?? 'Unknown') as NodeRow['ready'],
    readySinceMs: Date.parse(ready?.lastTransitionTime ?? '') || 0,
    heartbeatMs: Date.parse(ready?.lastHeartbeatTime ?? '') || 0,
    cordoned: spec.unschedulable === true,
    pressures: (status.conditions ?? []).filter(({ type, status: value }) => type !== 'Ready' && value === 'True').map(({ type }) => type),
    taints: (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`),
    milliCpu: milliCpu(status.allocatable?.cpu),
    podsMax: Number(status.allocatable?.pods ?? 110),
  };
}

function toEventRow(object: KubeObject): EventRow {
  const event = object as KubeObject & {
    involvedObject?: { kind?: string; apiVersion?: string; namespace?: string; name?: string };
    type?: string;
    reason?: string;
    message?: string;
    count?: number;
    lastTimestamp?: string;
    eventTime?: string;
    series?: { count?: number; lastObservedTime?: string };
    source?: { component?: string };
    reportingComponent?: string;
  };
  const about = event.involvedObject ?? {};
  const time = event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? event.metadata.creationTimestamp ?? '';
  return {
    id: event.metadata.uid ?? event.metadata.name ?? '',
    ms: Date.parse(time) || 0,
    level: event.type ?? 'Normal',
    reason: event.reason ?? '',
    message: event.message ?? '',
    kind: about.kind ?? '',
    apiVersion: about.apiVersion ?? 'v1',
    namespace: about.namespace ?? '',
    name: about.name ?? '',
    count: event.series?.count ?? event.count ?? 1,
    by: event.reportingComponent || event.source?.component || '',
    revision: Number(event.metadata.resourceVersion ?? 0),
  };
}

/** `250m` → 250, `2` → 2000; other suffixes do not occur for CPU in practice and count as 0. */
function milliCpu(text: string | number | undefined): number {
  if (text === undefined) return 0;
  const value = String(text);
  return (value.endsWith('m') ? Number(value.slice(0, -1)) : Number(value) * 1000) || 0;
}
