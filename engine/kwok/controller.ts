/**
 * Plays the stages of KWOK: objects of the kinds that stages name are watched, and what a stage says is done to those it selects when
 * its delay is over. Of nodes only those are driven that opt in with the annotation `kwok.x-k8s.io/node: fake`, and the pods on them;
 * their leases are kept too. Mirrors pkg/kwok/controllers of sigs.k8s.io/kwok. Nothing is watched but stages until there is one.
 */
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { PolicyRule } from '../api/rbac/v1/types.gen.ts';
import type { Stage } from '../api/kwok/v1alpha1/stage.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { StatusError } from '../apimachinery/status.ts';
import { json, number, record, text } from '../base/codecs.ts';
import { getOwn } from '../base/dictionary.ts';
import type { JsonValue } from '../base/json.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { nodes, pods, resourceType } from '../client/resources.ts';
import {
  checkController,
  type Controller,
  type ControllerDefinition,
  type ControllerEnvironment,
  type ReconcileContext,
  watchOf,
} from '../controller-runtime/controller.ts';
import { Addresses } from './addresses.ts';
import { type Expressions, stageExpressions } from './expressions/environment.ts';
import { renewLease, renewMs } from './leases.ts';
import { Player } from './player.ts';
import { chooseStage, type ReadStage, readStage, StageError } from './stage.ts';
import { TemplateError } from './template/tokens.ts';

export interface KwokOptions {
  /** The informer of a restored component, filled at once. */
  restoreInformer<T extends KubeObject>(type: ResourceType<T>): Informer<T>;
  /** The client of a user whom a stage names to be acted as. */
  clientAs(user: string): Client;
}

export type KwokEnvironment = ControllerEnvironment<KwokOptions>;

/** A stage that waits for its time, or that was played on this revision of the object (without a stage). */
interface Job {
  readonly stage: string;
  readonly revision: string;
  readonly dueMs: number;
  readonly step: number;
  readonly retries: number;
}

/** A stage as it was read at a revision, and the kind that it is about; neither where it cannot be played. */
interface Known {
  readonly revision: string;
  readonly stage: ReadStage | undefined;
  readonly type: ResourceType | undefined;
}

const stages = resourceType<Stage>('kwok.x-k8s.io', 'v1alpha1', 'stages', 'Stage', false);
const optIn = 'kwok.x-k8s.io/node';
const nodeIndex = 'kwok/node';
const leasePrefix = 'lease|';
const backoffBaseMs = 1000;
const backoffMaxMs = 32 * 60_000;
const jobCodec = record<Job>({ stage: text, revision: text, dueMs: number, step: number, retries: number });

class KwokController implements Controller {
  readonly #environment: KwokEnvironment;
  readonly #stages: Informer<Stage>;
  readonly #jobs: Map<string, Job>;
  /** What was written here, of immediate next stages, until the informer has it too. */
  readonly #ahead: Map<string, JsonValue>;
  readonly #followed: Set<string>;
  readonly #addresses: Addresses;
  readonly #player: Player;
  /** Derived from the stages that there are. */
  readonly #read = new Map<string, Known>();
  /** By kind; derived from nothing. */
  readonly #expressions = new Map<string, Expressions>();
  readonly #types = new Map<string, { readonly type: ResourceType; readonly informer: Informer<KubeObject> }>();

  constructor(environment: KwokEnvironment) {
    this.#environment = environment;
    this.#stages = environment.informer(stages);
    this.#jobs = environment.slots.map('jobs', jobCodec);
    this.#ahead = environment.slots.map('ahead', json);
    this.#followed = environment.slots.set('followed');
    this.#addresses = new Addresses(environment.slots.part('addresses'));
    this.#player = new Player(environment, this.#addresses, (name) => this.#nodes?.get(undefined, name));
    environment.slots.onRestored(() => {
      for (const id of this.#followed) this.#follow(id, true);
    });
  }

  get #nodes(): Informer<Node> | undefined {
    return this.#types.get(idOf(nodes))?.informer as Informer<Node> | undefined;
  }

  /** A stage that comes or changes is asked about all that its kind has. */
  onStage({ type, object }: InformerEvent<Stage>): readonly string[] {
    if (type === 'delete') {
      this.#read.delete(object.metadata.uid ?? '');
      return [];
    }
    const { type: found } = this.#know(object, true);
    if (found === undefined) return [];
    // Pods are driven with their nodes.
    if (found.kind === 'Pod') this.#begin(nodes);
    this.#begin(found);
    const { informer } = this.#types.get(idOf(found)) ?? {};
    return (informer?.list() ?? []).map((each) => keyOf(found, each));
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(leasePrefix)) return this.#keepLease(context, key);
    const [id = '', namespace = '', name = ''] = key.split('|');
    const { type, informer } = this.#types.get(id) ?? {};
    const object = this.#newest(key, informer?.get(namespace === '' ? undefined : namespace, name));
    if (type === undefined || object === undefined || !this.#isDriven(type, object)) {
      this.#forget(key);
      return;
    }
    if (type.kind === 'Pod') this.#addresses.keep(object as Pod, key);
    const job = this.#jobs.get(key);
    const revision = object.metadata.resourceVersion ?? '';
    // The cache may be behind what was written here last.
    if (job !== undefined && Number(job.revision) > revisionOf(object)) return;
    if (job === undefined || job.revision !== revision) this.#plan(context, key, type, object);
    else if (job.stage !== '' && job.dueMs <= this.#environment.nowMs()) await this.#play(context, key, type, object, job);
    else if (job.stage !== '') this.#environment.enqueueAfter(key, job.dueMs - this.#environment.nowMs(), context.causes);
  }

  /** Of what the informer has and what was written here; undefined once it is gone from the informer. */
  #newest(key: string, cached: KubeObject | undefined): KubeObject | undefined {
    const ahead = this.#ahead.get(key) as KubeObject | undefined;
    if (cached !== undefined && ahead !== undefined && revisionOf(ahead) > revisionOf(cached)) return ahead;
    this.#ahead.delete(key);
    return cached;
  }

  #forget(key: string): void {
    this.#jobs.delete(key);
    this.#ahead.delete(key);
  }

  #keepLease({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const node = this.#nodes?.get(undefined, key.slice(leasePrefix.length));
    if (node === undefined || !isFake(node)) return Promise.resolve();
    this.#environment.enqueueAfter(key, renewMs, causes);
    return renewLease(client, node, this.#environment.nowMs());
  }

  #know(stage: Stage, tells = false): Known {
    const { uid = '', resourceVersion = '' } = stage.metadata;
    const known = this.#read.get(uid);
    if (known?.revision === resourceVersion && !tells) return known;
    let read: ReadStage | undefined;
    try {
      read = readStage(stage, (kind) => this.#expressionsOf(kind));
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      if (tells) this.#environment.recorder.event(stage, 'Warning', 'InvalidStage', error.message, []);
    }
    const made = { revision: resourceVersion, stage: read, type: read && this.#typeOf(read) };
    this.#read.set(uid, made);
    return made;
  }

  #expressionsOf(kind: string): Expressions {
    const known = this.#expressions.get(kind);
    if (known !== undefined) return known;
    const { random } = this.#environment;
    const made = stageExpressions({ nowMs: () => this.#environment.nowMs(), random: () => random.next() }, kind);
    this.#expressions.set(kind, made);
    return made;
  }

  #typeOf({ apiGroup, kind }: ReadStage): ResourceType | undefined {
    return this.#environment
      .deletableResources()
      .find((type) => type.kind === kind && (type.group === '' ? type.version : `${type.group}/${type.version}`) === apiGroup);
  }

  #begin(type: ResourceType): void {
    const id = idOf(type);
    if (this.#followed.has(id)) return;
    this.#followed.add(id);
    this.#follow(id, false);
  }

  #follow(id: string, isRestored: boolean): void {
    const type = this.#environment.deletableResources().find((each) => idOf(each) === id);
    if (type === undefined) return;
    const informer = isRestored ? this.#environment.options.restoreInformer(type) : this.#environment.informer(type);
    this.#types.set(id, { type, informer });
    if (type.kind === 'Pod') (informer as Informer<Pod>).addIndex(nodeIndex, ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []));
    informer.addHandler((event) => this.#observe(type, event));
  }

  #observe(type: ResourceType, event: InformerEvent<KubeObject>): void {
    const { object, causes } = event;
    const key = keyOf(type, object);
    const isNode = type.group === '' && type.kind === 'Node';
    if (event.type === 'delete') {
      this.#forget(key);
      this.#addresses.free(key);
      return;
    }
    if (isNode && isFake(object) && (event.type === 'add' || !isFake(event.old))) {
      this.#environment.enqueue(leasePrefix + (object.metadata.name ?? ''), causes);
      const { type: podType, informer } = this.#types.get(idOf(pods)) ?? {};
      if (podType && informer)
        for (const pod of informer.byIndex(nodeIndex, object.metadata.name ?? '')) this.#environment.enqueue(keyOf(podType, pod), causes);
    }
    if (this.#isDriven(type, object)) this.#environment.enqueue(key, causes);
  }

  #isDriven({ group, kind }: ResourceType, object: KubeObject): boolean {
    if (group !== '' || (kind !== 'Node' && kind !== 'Pod')) return true;
    if (kind === 'Node') return isFake(object);
    const node = this.#nodes?.get(undefined, (object as Pod).spec?.nodeName ?? '');
    return node !== undefined && isFake(node);
  }

  #plan({ causes }: ReconcileContext, key: string, type: ResourceType, object: KubeObject): void {
    const { random } = this.#environment;
    const nowMs = this.#environment.nowMs();
    const candidates = this.#stages.list().flatMap((each) => {
      const known = this.#know(each);
      return known.stage !== undefined && known.type !== undefined && idOf(known.type) === idOf(type) ? [known.stage] : [];
    });
    const revision = object.metadata.resourceVersion ?? '';
    let stage: ReadStage | undefined;
    let delayMs = 0;
    try {
      stage = chooseStage(candidates, object, random);
      delayMs = stage?.delayMs(object, nowMs, random) ?? 0;
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      // Nothing is played on this revision then.
      const { stage: uid } = error;
      const told = this.#stages.list().find(({ metadata }) => metadata.uid === uid);
      if (told) this.#environment.recorder.event(told, 'Warning', 'StageFailed', `${key.split('|').slice(1).join('/')}: ${error.message}`, causes);
      stage = undefined;
    }
    this.#jobs.set(key, { stage: stage?.uid ?? '', revision, dueMs: nowMs + delayMs, step: 0, retries: 0 });
    if (stage === undefined) return;
    this.#environment.enqueueAfter(key, delayMs, causes);
  }

  async #play(context: ReconcileContext, key: string, type: ResourceType, object: KubeObject, job: Job): Promise<void> {
    const found = this.#stages.list().find(({ metadata }) => metadata.uid === job.stage);
    const stage = found && this.#know(found).stage;
    this.#jobs.set(key, { ...job, stage: '' });
    if (stage === undefined) return;
    let result: KubeObject | undefined;
    let step = job.step;
    try {
      for (; step < stage.steps.length; step++) {
        const done = await this.#player.play(context, type, object, stage.steps[step] ?? {}, key);
        if (done === 'deleted') return;
        result = done ?? result;
      }
    } catch (error) {
      this.#failed(context, key, stage, { ...job, step }, error);
      return;
    }
    const isChanged = result !== undefined && result.metadata.resourceVersion !== object.metadata.resourceVersion;
    if (!stage.immediateNextStage || !isChanged || result === undefined) return;
    this.#ahead.set(key, result as unknown as JsonValue);
    this.#plan(context, key, type, result);
  }

  /** What a busy server refuses is tried again from this step on; all else is told and left. */
  #failed({ causes }: ReconcileContext, key: string, stage: ReadStage, job: Job, error: unknown): void {
    if (!(error instanceof StatusError) && !(error instanceof StageError) && !(error instanceof TemplateError)) throw error;
    if (error instanceof StatusError && isBusy(error)) {
      const delayMs = Math.min(backoffBaseMs * 2 ** job.retries, backoffMaxMs);
      this.#jobs.set(key, { ...job, dueMs: this.#environment.nowMs() + delayMs, retries: job.retries + 1 });
      this.#environment.enqueueAfter(key, delayMs, causes);
      return;
    }
    const found = this.#stages.list().find(({ metadata }) => metadata.uid === stage.uid);
    if (found) this.#environment.recorder.event(found, 'Warning', 'StageFailed', `${key.split('|').slice(1).join('/')}: ${error.message}`, causes);
  }
}

function isBusy({ status: { code, reason } }: StatusError): boolean {
  return code === 429 || code === 503 || code === 504 || reason === 'ServerTimeout';
}

function isFake({ metadata }: KubeObject): boolean {
  return getOwn(metadata.annotations, optIn) === 'fake';
}

function revisionOf({ metadata: { resourceVersion } }: KubeObject): number {
  return Number(resourceVersion ?? 0);
}

function idOf({ group, version, resource }: ResourceType): string {
  return `${group}/${version}/${resource}`;
}

function keyOf(type: ResourceType, { metadata }: KubeObject): string {
  return `${idOf(type)}|${metadata.namespace ?? ''}|${metadata.name ?? ''}`;
}

/** Stages may be about anything. */
export const kwokRules: readonly PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
];

export const kwokController: ControllerDefinition<Controller, KwokOptions> = checkController<KwokController, KwokOptions>({
  name: 'kwok',
  component: 'kwok',
  aliases: [],
  eventSource: 'kwok_controller',
  workers: () => 4,
  watches: [watchOf(stages, (event, controller: KwokController) => controller.onStage(event))],
  create: (environment) => new KwokController(environment),
});
