/**
 * What the API server does for flow schemas and priority levels: says of each schema whether its level exists, and once a minute puts
 * right what it created itself. Mirrors kubernetes pkg/registry/flowcontrol/{rest,ensurer} and the consumer of apiserver
 * pkg/util/flowcontrol/apf_controller.go.
 */
import type { FlowSchema, PriorityLevelConfiguration } from '../api/flowcontrol/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../apimachinery/errors.ts';
import { formatTime } from '../apimachinery/time.ts';
import { number } from '../base/codecs.ts';
import { deepEqual } from '../base/equal.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { Informer, InformerEvent } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { exemptName } from '../kinds/flowcontrol/v1/mandatory.ts';
import { autoupdateAnnotation, consumer, type FlowControlObjects, producer } from './flow-control-objects.ts';

export interface FlowControlConfigOptions {
  readonly objects: FlowControlObjects;
  /** The server looks after its objects each minute since. */
  readonly startMs: number;
  /** Whether levels act, and schemas have a status. */
  readonly isOn: boolean;
}

const group = 'flowcontrol.apiserver.k8s.io';
const schemaType = resourceType<FlowSchema>(group, 'v1', 'flowschemas', 'FlowSchema', false);
const levelType = resourceType<PriorityLevelConfiguration>(group, 'v1', 'prioritylevelconfigurations', 'PriorityLevelConfiguration', false);
const keepKey = 'keep';
const statusPrefix = 'status/';
const minuteMs = 60_000;

type Kept = FlowSchema | PriorityLevelConfiguration;

class FlowControlConfig implements Controller {
  readonly #environment: ControllerEnvironment<FlowControlConfigOptions>;
  readonly #schemas: Informer<FlowSchema>;
  readonly #levels: Informer<PriorityLevelConfiguration>;
  /** When its objects are put right; 0: nothing is wrong with them. */
  #dueMs = 0;

  constructor(environment: ControllerEnvironment<FlowControlConfigOptions>) {
    this.#environment = environment;
    this.#schemas = environment.informer(schemaType);
    this.#levels = environment.informer(levelType);
    environment.slots.field(
      'dueMs',
      number,
      () => this.#dueMs,
      (dueMs) => (this.#dueMs = dueMs),
    );
  }

  keysOfSchema(event: InformerEvent<FlowSchema>): readonly string[] {
    const { type, object } = event;
    const status = type !== 'delete' && this.#environment.options.isOn ? [`${statusPrefix}${object.metadata.name}`] : [];
    return [...status, ...this.#keep(event)];
  }

  keysOfLevel(event: InformerEvent<PriorityLevelConfiguration>): readonly string[] {
    const { name } = event.object.metadata;
    const concerned = event.type === 'update' || !this.#environment.options.isOn ? [] : this.#schemas.list().filter((one) => levelOf(one) === name);
    return [...concerned.map(({ metadata }) => `${statusPrefix}${metadata.name}`), ...this.#keep(event)];
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    if (key === keepKey) await this.#putRight(client);
    else await this.#tellStatus(client, key.slice(statusPrefix.length));
  }

  async #tellStatus(client: Client, name: string): Promise<void> {
    const schema = this.#schemas.get(undefined, name);
    if (schema === undefined) return;
    const level = levelOf(schema);
    const exists = this.#levels.get(undefined, level) !== undefined;
    const begin = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
    const wanted = exists
      ? { status: 'False', reason: 'Found', message: `${begin} and it exists` }
      : { status: 'True', reason: 'NotFound', message: `${begin} but there is no such object` };
    const present = schema.status?.conditions?.find(({ type }) => type === 'Dangling');
    if (present?.status === wanted.status && present.reason === wanted.reason && present.message === wanted.message) return;
    const isFlip = present?.status !== wanted.status;
    const lastTransitionTime = isFlip ? formatTime(this.#environment.nowMs()) : (present.lastTransitionTime ?? '');
    const patch = {
      apiVersion: `${group}/v1`,
      kind: 'FlowSchema',
      metadata: { name, uid: schema.metadata.uid ?? '' },
      status: { conditions: [{ type: 'Dangling', ...wanted, lastTransitionTime }] },
    };
    try {
      await client.patch(schemaType, undefined, name, 'apply', patch, { subresource: 'status', fieldManager: consumer, force: true });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** A reason to look after the objects when the minute is over. */
  #keep({ type, object }: InformerEvent<Kept>): readonly string[] {
    const wanted = this.#wanted(object);
    const isWrong = wanted === undefined ? type !== 'delete' && isOurs(object) : type === 'delete' || this.#change(object, wanted) !== undefined;
    return isWrong ? [keepKey] : [];
  }

  async #putRight(client: Client): Promise<void> {
    const { options } = this.#environment;
    const now = this.#environment.nowMs();
    if (this.#dueMs === 0) this.#dueMs = options.startMs + (Math.floor((now - options.startMs) / minuteMs) + 1) * minuteMs;
    if (now < this.#dueMs) return this.#environment.enqueueAfter(keepKey, this.#dueMs - now, []);
    this.#dueMs = 0;
    for (const wanted of [...options.objects.mandatory, ...options.objects.suggested]) await this.#restore(client, wanted as unknown as Kept);
    for (const object of [...this.#levels.list(), ...this.#schemas.list()])
      if (this.#wanted(object) === undefined && isOurs(object)) await remove(client, object);
  }

  async #restore(client: Client, wanted: Kept): Promise<void> {
    const type = typeOf(wanted);
    const present = this.#present(wanted);
    try {
      if (present === undefined) await client.create(type, wanted, { fieldManager: producer });
      else {
        const changed = this.#change(present, wanted);
        if (changed !== undefined) await client.update(type, changed, { fieldManager: producer });
      }
    } catch (error) {
      // Somebody was faster: the event that tells of it brings the key again.
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** The object as it should be; undefined when it is. */
  #change(present: Kept, wanted: Kept): Kept | undefined {
    const isMandatory = this.#environment.options.objects.mandatory.some(
      (one) => one.kind === wanted.kind && one.metadata.name === wanted.metadata.name,
    );
    const given = present.metadata.annotations?.[autoupdateAnnotation];
    const updates = isMandatory || (given === undefined ? present.metadata.generation === 1 : given === 'true');
    const isAnnotated = given === String(updates);
    const spec = updates && !isSpecKept(present, wanted) ? wanted.spec : present.spec;
    if (isAnnotated && spec === present.spec) return undefined;
    const annotations = { ...present.metadata.annotations, [autoupdateAnnotation]: String(updates) };
    return { ...present, metadata: { ...present.metadata, annotations }, spec } as Kept;
  }

  #wanted(object: Kept): Kept | undefined {
    const { mandatory, suggested } = this.#environment.options.objects;
    const kind = isLevel(object) ? levelType.kind : schemaType.kind;
    const found = [...mandatory, ...suggested].find((one) => one.kind === kind && one.metadata.name === object.metadata.name);
    return found as unknown as Kept | undefined;
  }

  #present({ kind, metadata: { name = '' } }: Kept): Kept | undefined {
    return kind === levelType.kind ? this.#levels.get(undefined, name) : this.#schemas.get(undefined, name);
  }
}

function levelOf({ spec }: FlowSchema): string {
  return spec?.priorityLevelConfiguration?.name ?? '';
}

function isLevel(object: Kept): object is PriorityLevelConfiguration {
  return object.spec !== undefined && 'type' in object.spec;
}

/** Made by a server of another release. */
function isOurs({ metadata }: Kept): boolean {
  return metadata.annotations?.[autoupdateAnnotation] === 'true';
}

/** Of the exempt level the shares are the user's. */
function isSpecKept(present: Kept, wanted: Kept): boolean {
  if (isLevel(present) && present.metadata.name === exemptName) return present.spec?.type === 'Exempt';
  return deepEqual(present.spec, wanted.spec);
}

function typeOf(object: Kept): ResourceType {
  return isLevel(object) ? levelType : schemaType;
}

async function remove(client: Client, object: Kept): Promise<void> {
  const { name = '', uid = '' } = object.metadata;
  try {
    await client.delete(typeOf(object), undefined, name, { preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

export const flowControlConfig = checkController<FlowControlConfig, FlowControlConfigOptions>({
  name: 'priority-and-fairness-config',
  component: 'apiserver/priority-and-fairness-config',
  aliases: [],
  serviceAccount: 'apiserver',
  eventSource: 'apiserver',
  workers: () => 1,
  watches: [
    watchOf<FlowSchema, FlowControlConfig>(schemaType, (event, controller) => controller.keysOfSchema(event)),
    watchOf<PriorityLevelConfiguration, FlowControlConfig>(levelType, (event, controller) => controller.keysOfLevel(event)),
  ],
  create: (environment) => new FlowControlConfig(environment),
});
