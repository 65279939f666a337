/**
 * Where faults act: named, typed values, one for each subject (a node, a registry, a process), that stand at "nothing is wrong" until
 * a fault puts an effect there. Effects of several faults on one point stack, and each heals by itself. A seam reads the combined value
 * and, for what it does because of it, the causes; these stay known after healing, for what follows then (a boot, a report).
 *
 * A new point is a constant here and a call at its seam.
 */
import { type Cause, mergeCauses } from './causes.ts';
import { json, list, record, text } from './codecs.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { causesCodec, Slots } from './slots.ts';

/** `V` is what one fault says, `C` what they say together. */
export interface FaultPoint<V = unknown, C = V> {
  readonly name: string;
  /** What one effect is worth alone and together; of no effects: nothing is wrong. */
  combine(values: readonly V[]): C;
}

/** What a fault does at one point. Plain data. */
export interface FaultEffect {
  readonly point: string;
  /** '' for points that have but one. */
  readonly subject: string;
  readonly value: JsonValue;
}

/** Which requests a rule is about; an absent member means all. */
export interface RequestMatch {
  readonly verbs?: readonly string[];
  readonly resources?: readonly string[];
  /** Beginning of the user's name, e.g. `system:node:`. */
  readonly user?: string;
}

export interface LatencyRule {
  readonly match: RequestMatch;
  readonly delayMs: number;
}

export interface ErrorRule {
  readonly match: RequestMatch;
  readonly code: number;
  /** Of the requests, 0 to 1. */
  readonly share: number;
}

/** Which cloud calls a rule is about, by name of operation; absent means all. */
export interface CloudLatencyRule {
  readonly operations?: readonly string[];
  readonly delayMs: number;
}

export interface CloudErrorRule {
  readonly operations?: readonly string[];
  readonly reason: string;
  /** Of the calls, 0 to 1. */
  readonly share: number;
}

export type DiskFault = 'gone' | 'io-errors';
/** From bad to worse. */
export const systemDiskFaults = ['read-only', 'io-errors', 'gone'] as const;
export type SystemDiskFault = (typeof systemDiskFaults)[number];

const any = (name: string): FaultPoint<boolean> => ({ name, combine: (values) => values.some((value) => value) });
const sum = (name: string): FaultPoint<number> => ({ name, combine: (values) => values.reduce((a, b) => a + b, 0) });
/** So many times slower: the slowest of all. */
const slowest = (name: string): FaultPoint<number> => ({ name, combine: (values) => values.reduce((a, b) => Math.max(a, b), 1) });
/** Independent chances that something goes wrong. */
const chance = (name: string): FaultPoint<number> => ({ name, combine: (values) => 1 - values.reduce((kept, value) => kept * (1 - value), 1) });
/** The lowest of all limits; undefined: none. */
const lowest = (name: string): FaultPoint<number, number | undefined> => ({
  name,
  combine: (values) => (values.length === 0 ? undefined : values.reduce((a, b) => Math.min(a, b))),
});
const all = <V>(name: string): FaultPoint<V, readonly V[]> => ({ name, combine: (values) => values });

/** By node: it has no power. */
export const nodeDark = any('node.dark');
/** By node: it is being shut down in order. */
export const nodeShutdown = any('node.shutdown');
/** By node: the kubelet's process does not run; containers do. */
export const kubeletStopped = any('node.kubelet.stopped');
/** By node: its kubelet crashes, once. */
export const kubeletCrashed = any('node.kubelet.crashed');
/** By node: it is reset, once. */
export const nodeReset = any('node.reset');
/** By node: nothing moves on it, and nothing is lost. */
export const nodeHung = any('node.hung');
/** By node: the container runtime does not answer; containers run on. */
export const runtimeDown = any('node.runtime.down');
/** By node: nothing that it sends arrives. */
export const linkFromNodeCut = any('node.link.from.cut');
/** By node: nothing that is sent to it arrives. */
export const linkToNodeCut = any('node.link.to.cut');
/** By node: milliseconds more for each way. */
export const linkDelayMs = sum('node.link.delay');
/** By node: share of packets that are lost. */
export const linkLoss = chance('node.link.loss');
/** By node: by how much its clock is ahead. */
export const clockOffsetMs = sum('node.clock.offset');
/** By node: nothing can be written to its disk. */
export const diskFull = any('node.disk.full');
/** By node: bytes are written so many times slower. */
export const diskSlowness = slowest('node.disk.slowness');
/** By node: what is wrong with the disk that its system, its images and its containers are on. The worst counts. */
export const systemDisk: FaultPoint<SystemDiskFault, SystemDiskFault | undefined> = {
  name: 'node.disk.system',
  combine: (values) => systemDiskFaults.findLast((fault) => values.includes(fault)),
};
/** By node: memory runs short. */
export const memoryShort = any('node.memory.short');
/** By node: process numbers run short. */
export const pidsShort = any('node.pids.short');
/** By node: the certificate of its kubelet is not valid any more. */
export const credentialsExpired = any('node.credentials.expired');
/** Making, deleting and changing volumes takes so many times longer. */
export const volumeProvisionSlowness = slowest('volume.provision.slowness');
/** Share of such work that fails. */
export const volumeProvisionFailures = chance('volume.provision.failures');
/** Attaching and detaching volumes takes so many times longer. */
export const volumeAttachSlowness = slowest('volume.attach.slowness');
/** Share of such work that fails. */
export const volumeAttachFailures = chance('volume.attach.failures');
/** By handle of a disk, or '' for all: it is not there any more, or fails whenever it is read or written. */
export const volumeDisk: FaultPoint<DiskFault, DiskFault | undefined> = {
  name: 'volume.disk',
  combine: (values) => (values.includes('gone') ? 'gone' : values[0]),
};
/** By registry host, or '' for all. */
export const registryDown = any('registry.down');
export const registrySlowness = slowest('registry.slowness');
export const apiLatency = all<LatencyRule>('api.latency');
export const apiErrors = all<ErrorRule>('api.errors');
/** Milliseconds more for each write. */
export const storeLatencyMs = sum('store.latency');
/** By process, or '' for all: how much later watches tell. */
export const watchLagMs = sum('watch.lag');
/** By process, or '' for all: share of deliveries at which the stream breaks. */
export const watchBreaks = chance('watch.breaks');
export const cloudLatency = all<CloudLatencyRule>('cloud.latency');
export const cloudErrors = all<CloudErrorRule>('cloud.errors');
/** By kind of what is counted: how many there may be. */
export const cloudQuota = lowest('cloud.quota');
export const cloudCallsPerSecond = lowest('cloud.rate');
/** By instance: calls about it fail. */
export const cloudUnreachable = any('cloud.instance.unreachable');
/** By instance: the provider has ended it. */
export const cloudInstanceGone = any('cloud.instance.gone');
/** By instance: the provider has switched it off and keeps it. */
export const cloudInstanceStopped = any('cloud.instance.stopped');

interface Held extends FaultEffect {
  readonly causes: readonly Cause[];
}

const heldCodec = list(record<Held>({ point: text, subject: text, value: json, causes: causesCodec }));

export type FaultListener = (subject: string, causes: readonly Cause[]) => void;

export class FaultPoints {
  readonly slots = new Slots();
  /** By fault, in the order of their injection. */
  readonly #held = this.slots.map('held', heldCodec);
  /** Why something was wrong last, by point and subject, once it is not any more. */
  readonly #past = this.slots.map('past', causesCodec);
  /** Derived: by point, by subject. */
  readonly #index = new Map<string, Map<string, Held[]>>();
  readonly #listeners = new Map<string, FaultListener[]>();

  constructor() {
    this.slots.onRestored(() => this.#reindex());
  }

  /** Nothing is wrong anywhere: the quick way past a seam. */
  get calm(): boolean {
    return this.#index.size === 0;
  }

  /** A fault that is known already does nothing. */
  inject(fault: string, effects: readonly FaultEffect[], causes: readonly Cause[]): void {
    if (this.#held.has(fault)) return;
    this.#held.set(
      fault,
      effects.map((effect) => ({ ...effect, causes })),
    );
    this.#reindex();
    this.#tell(effects, causes);
  }

  /** What only this fault did ends; what others do goes on. `causes`: why it ends. */
  heal(fault: string, causes: readonly Cause[]): void {
    const effects = this.#held.get(fault);
    if (effects === undefined) return;
    this.#held.delete(fault);
    for (const { point, subject, causes: why } of effects) this.#past.set(`${point} ${subject}`, mergeCauses(why, causes));
    this.#reindex();
    for (const effect of effects) this.#tell([effect], mergeCauses(effect.causes, causes));
  }

  value<V, C>(point: FaultPoint<V, C>, subject = ''): C {
    return point.combine(this.#at(point.name, subject).map(({ value }) => value as V));
  }

  /** Of the faults in force; when there are none, of the last that was. */
  causes(point: FaultPoint<never, unknown> | FaultPoint, subject = ''): readonly Cause[] {
    const held = this.#at(point.name, subject);
    if (held.length === 0) return this.#past.get(`${point.name} ${subject}`) ?? [];
    return held.reduce<readonly Cause[]>((causes, one) => mergeCauses(causes, one.causes), []);
  }

  /** The same, where effects may be on the subject or on all: also of the last that was on either. */
  causesFor(point: FaultPoint<never, unknown> | FaultPoint, subject: string): readonly Cause[] {
    return mergeCauses(this.causes(point, subject), this.causes(point));
  }

  /** Called after an effect came or went, with why. */
  onChange(points: readonly { readonly name: string }[], listener: FaultListener): void {
    for (const { name } of points) this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
  }

  /** Effects on the subject, and those that are on all of them. */
  #at(point: string, subject: string): readonly Held[] {
    const bySubject = this.#index.get(point);
    if (bySubject === undefined) return [];
    const own = bySubject.get(subject) ?? [];
    return subject === '' ? own : [...own, ...(bySubject.get('') ?? [])];
  }

  #reindex(): void {
    this.#index.clear();
    for (const effects of this.#held.values()) {
      for (const effect of effects) {
        const bySubject = this.#index.get(effect.point) ?? new Map<string, Held[]>();
        this.#index.set(effect.point, bySubject);
        bySubject.set(effect.subject, [...(bySubject.get(effect.subject) ?? []), effect]);
      }
    }
  }

  #tell(effects: readonly FaultEffect[], causes: readonly Cause[]): void {
    for (const { point, subject } of effects) for (const listener of this.#listeners.get(point) ?? []) listener(subject, causes);
  }
}

/** Whether a rule is about a request. */
export function matches(match: RequestMatch, request: { readonly verb: string; readonly resource: string; readonly user: string }): boolean {
  const { verbs = [], resources = [], user = '' } = match;
  return (
    (verbs.length === 0 || verbs.includes(request.verb)) &&
    (resources.length === 0 || resources.includes(request.resource)) &&
    request.user.startsWith(user)
  );
}

/** A match as plain data, without members that mean all. */
export function toMatch(verbs: readonly string[], resources: readonly string[], user: string): RequestMatch & JsonObject {
  return {
    ...(verbs.length === 0 ? {} : { verbs }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(user === '' ? {} : { user }),
  };
}
