/**
 * Makes Fault objects come true: injects when one is created, heals after its duration or when it is deleted (a finalizer waits
 * for that). Where faults of one type overlap on a node, it is healed when the last of them ends.
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { Fault, FaultStatus } from '../api/sim/v1alpha1/fault.ts';
import type { NodeFaultPoints } from '../contracts/connect.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { StatusError } from '../apimachinery/status.ts';
import { formatTime, parseDuration } from '../apimachinery/time.ts';
import { type Cause, mergeCauses, timerCause } from '../base/causes.ts';
import type { Component, TaskLoop } from '../base/task-loop.ts';
import type { Client } from '../client/client.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import { nodes, resourceType } from '../client/resources.ts';
import type { FaultDefinition } from './fault.ts';
import { faults as registered } from './index.gen.ts';
import { type FaultEntry, FaultMemory } from './memory.ts';

export interface FaultsOptions {
  readonly loop: TaskLoop;
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly points: NodeFaultPoints;
}

export const faultResource = resourceType<Fault>('sim.wavetank.dev', 'v1alpha1', 'faults', 'Fault', false);
export const healFinalizer = 'sim.wavetank.dev/heal';

const componentName = 'faults';
const zoneLabel = 'topology.kubernetes.io/zone';
const syncTimer = 'sync';
const retryMs = 1000;

class Faults implements Component {
  readonly name = componentName;
  readonly #options: FaultsOptions;
  readonly #faults: Informer<Fault>;
  readonly #nodes: Informer<Node>;
  readonly #memory = new FaultMemory();
  readonly #busy = new Set<string>();
  readonly #again = new Map<string, readonly Cause[]>();

  constructor(options: FaultsOptions) {
    this.#options = options;
    this.#nodes = options.informers.informer(nodes);
    this.#faults = options.informers.informer(faultResource);
    this.#faults.addHandler(({ object, causes }) => this.#sync(object.metadata.name ?? '', causes));
  }

  onTimer(name: string, payload: JsonValue): void {
    this.#sync(payload as string, [timerCause(componentName, name)]);
  }

  save(): JsonValue {
    return this.#memory.save() as unknown as JsonValue;
  }

  restore(saved: JsonValue): void {
    this.#memory.restore(saved as unknown as readonly FaultEntry[]);
  }

  /** One coroutine per fault at a time; what comes meanwhile is looked at afterwards. */
  #sync(name: string, causes: readonly Cause[]): void {
    if (this.#busy.has(name)) {
      this.#again.set(name, mergeCauses(this.#again.get(name) ?? [], causes));
      return;
    }
    this.#busy.add(name);
    this.#options.loop.track(this.#work(name, causes), componentName, name);
  }

  async #work(name: string, causes: readonly Cause[]): Promise<void> {
    try {
      await this.#reconcile(name, this.#options.client.because(causes));
    } catch (error) {
      if (!(error instanceof StatusError)) this.#options.loop.crashed(componentName, name, error);
      if (!(error instanceof StatusError) || error.status.code !== 404)
        this.#options.loop.setTimer(componentName, this.#options.loop.nowMs() + retryMs, syncTimer, name);
    }
    this.#busy.delete(name);
    const again = this.#again.get(name);
    if (again === undefined) return;
    this.#again.delete(name);
    this.#sync(name, again);
  }

  async #reconcile(name: string, client: Client): Promise<void> {
    const fault = this.#faults.get(undefined, name);
    const known = this.#memory.get(name);
    const entry = known !== undefined && known.uid === fault?.metadata.uid ? known : undefined;
    if (known !== undefined && entry === undefined) {
      this.#heal(known);
      this.#memory.forget(name);
    }
    if (fault === undefined) return;
    if (fault.metadata.deletionTimestamp !== undefined) {
      if (entry !== undefined) this.#heal(entry);
      await this.#removeFinalizer(fault, client);
      return;
    }
    if (entry !== undefined) await this.#goOn(fault, entry, client);
    else if (fault.status?.phase === undefined || fault.status.phase === 'Pending') await this.#begin(fault, client);
  }

  async #begin(fault: Fault, client: Client): Promise<void> {
    const { name = '', finalizers = [] } = fault.metadata;
    if (!finalizers.includes(healFinalizer))
      await client.patch(faultResource, undefined, name, 'merge', { metadata: { finalizers: [...finalizers, healFinalizer] } });
    const { loop, points } = this.#options;
    const definition = find(fault.spec.type);
    const subjects = definition === undefined ? [] : this.#subjects(fault, definition);
    const durationMs = parseDuration(fault.spec.duration ?? '') ?? 0;
    const entry: FaultEntry = {
      name,
      uid: fault.metadata.uid ?? '',
      type: fault.spec.type,
      subjects,
      injectedMs: loop.nowMs(),
      healsMs: durationMs === 0 ? 0 : loop.nowMs() + durationMs,
      message: definition === undefined ? `there is no fault of type ${fault.spec.type}` : message(fault, definition, subjects),
      phase: subjects.length === 0 ? 'Failed' : 'Active',
      healedMs: 0,
      reported: '',
    };
    this.#memory.add(entry);
    if (entry.phase === 'Active') for (const subject of subjects) definition?.inject(points, subject);
    if (entry.phase === 'Active' && entry.healsMs > 0) loop.setTimer(componentName, entry.healsMs, syncTimer, name);
    await this.#goOn(fault, entry, client);
  }

  /** Heals what has lasted long enough, and tells the object's status what there is to tell. */
  async #goOn(fault: Fault, entry: FaultEntry, client: Client): Promise<void> {
    if (entry.healsMs > 0 && this.#options.loop.nowMs() >= entry.healsMs) this.#heal(entry);
    if (entry.reported === entry.phase) return;
    const { phase } = entry;
    await client.patch(
      faultResource,
      undefined,
      entry.name,
      'merge',
      { status: statusOf(entry) as unknown as JsonObject },
      { subresource: 'status' },
    );
    entry.reported = phase;
    if (phase !== 'Active') await this.#removeFinalizer(fault, client);
  }

  #heal(entry: FaultEntry): void {
    if (entry.phase !== 'Active') return;
    const definition = find(entry.type);
    for (const subject of this.#memory.freedBy(entry)) definition?.heal(this.#options.points, subject);
    entry.phase = 'Healed';
    entry.healedMs = this.#options.loop.nowMs();
  }

  async #removeFinalizer({ metadata }: Fault, client: Client): Promise<void> {
    const finalizers = this.#faults.get(undefined, metadata.name ?? '')?.metadata.finalizers ?? [];
    if (!finalizers.includes(healFinalizer)) return;
    await client.patch(faultResource, undefined, metadata.name ?? '', 'merge', {
      metadata: { finalizers: finalizers.filter((one) => one !== healFinalizer) },
    });
  }

  #subjects({ spec: { target = {} } }: Fault, definition: FaultDefinition): readonly string[] {
    if (definition.target === 'image-registry') return [target.host ?? ''];
    const machines = this.#options.points.nodeNames();
    if (target.node !== undefined) return machines.filter((name) => name === target.node);
    return machines.filter((name) => this.#nodes.get(undefined, name)?.metadata.labels?.[zoneLabel] === target.zone);
  }
}

export function createFaults(options: FaultsOptions): Component {
  return new Faults(options);
}

function find(type: string): FaultDefinition | undefined {
  return registered.find((definition) => definition.name === type);
}

function message({ spec: { target = {} } }: Fault, definition: FaultDefinition, subjects: readonly string[]): string {
  if (subjects.length > 0) return definition.describe(target);
  return target.node === undefined ? `no machine is in zone ${target.zone ?? ''}` : `there is no machine named ${target.node}`;
}

function statusOf({ phase, injectedMs, healsMs, healedMs, subjects, message: text }: FaultEntry): FaultStatus {
  return {
    phase,
    ...(phase === 'Failed' ? {} : { injectedAt: formatTime(injectedMs) }),
    ...(healsMs === 0 ? {} : { healsAt: formatTime(healsMs) }),
    ...(healedMs === 0 ? {} : { healedAt: formatTime(healedMs) }),
    affected: subjects.map((subject) => (subject === '' ? '*' : subject)),
    message: text,
  };
}
