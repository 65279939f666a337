/**
 * Makes Fault objects come true: puts a fault's effects at their points when one is created, takes them away after its duration or when
 * it is deleted (a finalizer waits for that). What overlapping faults do together is the points' affair.
 */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { Fault, FaultStatus } from '../api/sim/v1alpha1/fault.ts';
import { isNotFound } from '../apimachinery/errors.ts';
import { formatTime, parseDuration, parseTime } from '../apimachinery/time.ts';
import { number, list, oneOf, record, text } from '../base/codecs.ts';
import type { Cause } from '../base/causes.ts';
import type { FaultPoints } from '../base/fault-points.ts';
import type { JsonObject } from '../base/json.ts';
import type { Client } from '../client/client.ts';
import type { Informer } from '../client/informer.ts';
import { nodes, resourceType } from '../client/resources.ts';
import { parametersInForce } from '../component-helpers/fault-parameters.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { type FaultDefinition, FaultParameters, type FaultSettings, unmetNeed } from './fault.ts';
import { faults as registered } from './index.gen.ts';

export interface FaultsOptions {
  readonly points: FaultPoints;
  readonly settings: FaultSettings;
  /** Names of all machines there are, with or without a Node object. */
  machines(): readonly string[];
}

const faultResource = resourceType<Fault>('sim.wavetank.dev', 'v1alpha1', 'faults', 'Fault', false);
const healFinalizer = 'sim.wavetank.dev/heal';

const zoneLabel = 'topology.kubernetes.io/zone';

interface Entry {
  readonly uid: string;
  /** Nodes, the registry host, or '' for what is there once. */
  readonly subjects: readonly string[];
  readonly injectedMs: number;
  /** 0: until the object is deleted. */
  readonly healsMs: number;
  readonly message: string;
  phase: 'Active' | 'Healed' | 'Failed';
  healedMs: number;
  /** The phase that the object's status tells. */
  reported: string;
}

const entryCodec = record<Entry>({
  uid: text,
  subjects: list(text),
  injectedMs: number,
  healsMs: number,
  message: text,
  phase: oneOf('Active', 'Healed', 'Failed'),
  healedMs: number,
  reported: text,
});

class Faults implements Controller {
  readonly #environment: ControllerEnvironment<FaultsOptions>;
  readonly #faults: Informer<Fault>;
  readonly #nodes: Informer<Node>;
  /** By name of the Fault. */
  readonly #entries: Map<string, Entry>;

  constructor(environment: ControllerEnvironment<FaultsOptions>) {
    this.#environment = environment;
    this.#nodes = environment.informer(nodes);
    this.#faults = environment.informer(faultResource);
    this.#entries = environment.slots.map('entries', entryCodec);
  }

  async reconcile({ client, causes }: ReconcileContext, name: string): Promise<void> {
    try {
      await this.#reconcile(name, client, causes);
    } catch (error) {
      // Deleted in between: its own event sees to the rest.
      if (!isNotFound(error)) throw error;
    }
  }

  async #reconcile(name: string, client: Client, causes: readonly Cause[]): Promise<void> {
    const fault = this.#faults.get(undefined, name);
    const known = this.#entries.get(name);
    const entry = known !== undefined && known.uid === fault?.metadata.uid ? known : undefined;
    if (known !== undefined && entry === undefined) {
      this.#heal(known, causes);
      this.#entries.delete(name);
    }
    if (fault === undefined) return;
    if (fault.metadata.deletionTimestamp !== undefined) {
      if (entry !== undefined) this.#heal(entry, causes);
      await this.#removeFinalizer(fault, client);
      return;
    }
    if (entry !== undefined) await this.#goOn(fault, entry, client, causes);
    else if (fault.status?.phase === undefined || fault.status.phase === 'Pending') await this.#beginInTime(fault, client, causes);
  }

  /** What is planned waits for its instant; what it would do is told meanwhile. */
  async #beginInTime(fault: Fault, client: Client, causes: readonly Cause[]): Promise<void> {
    const { name = '' } = fault.metadata;
    const { options, nowMs, enqueueAfter } = this.#environment;
    const leftMs = (parseTime(fault.spec.startAt ?? '') ?? 0) - nowMs();
    if (leftMs <= 0) return this.#begin(fault, client, causes);
    enqueueAfter(name, leftMs, causes);
    const definition = findFault(fault.spec.type);
    if (fault.status?.phase !== undefined || definition === undefined) return;
    const status = { phase: 'Pending', message: message(fault, definition, this.#subjects(fault, definition), options.settings) };
    await client.patch(faultResource, undefined, name, 'merge', { status }, { subresource: 'status' });
  }

  async #begin(fault: Fault, client: Client, causes: readonly Cause[]): Promise<void> {
    const { name = '', uid = '', finalizers = [] } = fault.metadata;
    if (!finalizers.includes(healFinalizer))
      await client.patch(faultResource, undefined, name, 'merge', { metadata: { finalizers: [...finalizers, healFinalizer] } });
    const { options, nowMs } = this.#environment;
    const definition = findFault(fault.spec.type);
    const subjects = definition === undefined || unmetNeed(definition, options.settings) !== undefined ? [] : this.#subjects(fault, definition);
    const durationMs = parseDuration(fault.spec.duration ?? '') ?? 0;
    const entry: Entry = {
      uid,
      subjects,
      injectedMs: nowMs(),
      healsMs: durationMs === 0 ? 0 : nowMs() + durationMs,
      message: definition === undefined ? `there is no fault of type ${fault.spec.type}` : message(fault, definition, subjects, options.settings),
      phase: subjects.length === 0 ? 'Failed' : 'Active',
      healedMs: 0,
      reported: '',
    };
    this.#entries.set(name, entry);
    if (definition !== undefined) {
      const parameters = new FaultParameters(parametersInForce(definition, fault.spec.parameters));
      const effects = subjects.flatMap((subject) => definition.effects(subject, parameters));
      options.points.inject(uid, effects, causes);
    }
    await this.#goOn(fault, entry, client, causes);
  }

  /** Heals what has lasted long enough, and tells the object's status what there is to tell. */
  async #goOn(fault: Fault, entry: Entry, client: Client, causes: readonly Cause[]): Promise<void> {
    const { name = '' } = fault.metadata;
    const leftMs = entry.healsMs - this.#environment.nowMs();
    if (entry.healsMs > 0 && leftMs <= 0) this.#heal(entry, causes);
    else if (entry.healsMs > 0 && entry.phase === 'Active') this.#environment.enqueueAfter(name, leftMs, []);
    if (entry.reported === entry.phase) return;
    const { phase } = entry;
    const status = statusOf(entry) as unknown as JsonObject;
    await client.patch(faultResource, undefined, name, 'merge', { status }, { subresource: 'status' });
    entry.reported = phase;
    if (phase !== 'Active') await this.#removeFinalizer(fault, client);
  }

  #heal(entry: Entry, causes: readonly Cause[]): void {
    if (entry.phase !== 'Active') return;
    this.#environment.options.points.heal(entry.uid, causes);
    entry.phase = 'Healed';
    entry.healedMs = this.#environment.nowMs();
  }

  async #removeFinalizer({ metadata }: Fault, client: Client): Promise<void> {
    const finalizers = this.#faults.get(undefined, metadata.name ?? '')?.metadata.finalizers ?? [];
    if (!finalizers.includes(healFinalizer)) return;
    await client.patch(faultResource, undefined, metadata.name ?? '', 'merge', {
      metadata: { finalizers: finalizers.filter((one) => one !== healFinalizer) },
    });
  }

  #subjects({ spec: { target = {} } }: Fault, definition: FaultDefinition): readonly string[] {
    if (definition.target === 'control-plane') return [''];
    if (definition.target === 'image-registry') return [target.host ?? ''];
    const machines = this.#environment.options.machines();
    if (target.node !== undefined) return machines.filter((name) => name === target.node);
    return machines.filter((name) => this.#nodes.get(undefined, name)?.metadata.labels?.[zoneLabel] === target.zone);
  }
}

export const faultsController = checkController<Faults, FaultsOptions>({
  name: 'faults',
  component: 'faults',
  aliases: [],
  serviceAccount: 'faults',
  eventSource: 'wavetank-faults',
  watches: [watchOf(faultResource, ({ object }) => [object.metadata.name ?? ''])],
  workers: () => 10,
  backoff: { baseMs: 1000, maxMs: 60_000 },
  rules: [
    { apiGroups: ['sim.wavetank.dev'], resources: ['faults'], verbs: ['get', 'list', 'watch', 'patch'] },
    { apiGroups: ['sim.wavetank.dev'], resources: ['faults/status'], verbs: ['patch'] },
    { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
  ],
  create: (environment) => new Faults(environment),
});

function findFault(type: string): FaultDefinition | undefined {
  return registered.find((definition) => definition.name === type);
}

function message({ spec }: Fault, definition: FaultDefinition, subjects: readonly string[], settings: FaultSettings): string {
  const { target = {} } = spec;
  const parameters = new FaultParameters(parametersInForce(definition, spec.parameters));
  if (subjects.length > 0) return definition.describe({ target, parameters }, settings);
  const need = unmetNeed(definition, settings);
  if (need !== undefined) return need;
  return target.node === undefined ? `no machine is in zone ${target.zone ?? ''}` : `there is no machine named ${target.node}`;
}

function statusOf({ phase, injectedMs, healsMs, healedMs, subjects, message: words }: Entry): FaultStatus {
  return {
    phase,
    ...(phase === 'Failed' ? {} : { injectedAt: formatTime(injectedMs) }),
    ...(healsMs === 0 ? {} : { healsAt: formatTime(healsMs) }),
    ...(healedMs === 0 ? {} : { healedAt: formatTime(healedMs) }),
    affected: subjects.map((subject) => (subject === '' ? '*' : subject)),
    message: words,
  };
}
