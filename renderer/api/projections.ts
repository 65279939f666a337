/** What views need of an object, made in the watch worker so that thousands of full objects never reach the page's thread. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';

export type PodState = 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown' | 'Terminating';

export interface PodRow {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly state: PodState;
  readonly ready: boolean;
  readonly restarts: number;
  readonly milliCpu: number;
  readonly reason: string;
}
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
}

/** A kubelet's sign of life. */
export interface LeaseRow {
  readonly name: string;
  readonly renewedMs: number;
}

export interface Projections {
  readonly lease: LeaseRow;
  readonly pod: PodRow;
  readonly node: NodeRow;
  readonly event: EventRow;
  readonly full: KubeObject;
}
export type ProjectionName = keyof Projections;

interface AnyObject extends KubeObject {
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
}

export function project(name: ProjectionName, object: KubeObject): Projections[ProjectionName] {
  switch (name) {
    case 'pod':
      return toPodRow(object);
    case 'node':
      return toNodeRow(object);
    case 'lease':
      return toLeaseRow(object);
    case 'event':
      return toEventRow(object);
    case 'full':
      return object;
  }
}

export function toPodRow(object: AnyObject): PodRow {
  const { namespace = '', name = '', deletionTimestamp } = object.metadata;
  const spec = (object.spec ?? {}) as { nodeName?: string; containers?: { resources?: { requests?: { cpu?: string } } }[] };
  const status = (object.status ?? {}) as {
    phase?: PodState;
    conditions?: Condition[];
    containerStatuses?: { restartCount?: number; state?: { waiting?: { reason?: string } } }[];
    reason?: string;
  };
  return {
    id: `pods/${namespace}/${name}`,
    namespace,
    name,
    node: spec.nodeName ?? '',
    state: deletionTimestamp === undefined ? (status.phase ?? 'Pending') : 'Terminating',
    ready: conditionStatus(status.conditions, 'Ready') === 'True',
    restarts: (status.containerStatuses ?? []).reduce((sum, one) => sum + (one.restartCount ?? 0), 0),
    milliCpu: (spec.containers ?? []).reduce((sum, one) => sum + milliCpu(one.resources?.requests?.cpu), 0),
    reason: status.reason ?? status.containerStatuses?.find((one) => one.state?.waiting)?.state?.waiting?.reason ?? '',
  };
}

export function toNodeRow(object: AnyObject): NodeRow {
  const name = object.metadata.name ?? '';
  const spec = (object.spec ?? {}) as { unschedulable?: boolean; taints?: { key: string; effect: string }[] };
  const status = (object.status ?? {}) as { conditions?: Condition[]; allocatable?: { cpu?: string; pods?: string } };
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  return {
    id: `nodes/${name}`,
    name,
    zone: object.metadata.labels?.['topology.kubernetes.io/zone'] ?? 'no zone',
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

function toLeaseRow(object: AnyObject): LeaseRow {
  return { name: object.metadata.name ?? '', renewedMs: Date.parse(String(object.spec?.['renewTime'] ?? '')) || 0 };
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
  };
}

function conditionStatus(conditions: readonly Condition[] | undefined, type: string): string | undefined {
  return conditions?.find((one) => one.type === type)?.status;
}

/** `250m` → 250, `2` → 2000; other suffixes do not occur for CPU in practice and count as 0. */
export function milliCpu(text: string | number | undefined): number {
  if (text === undefined) return 0;
  const value = String(text);
  return (value.endsWith('m') ? Number(value.slice(0, -1)) : Number(value) * 1000) || 0;
}
