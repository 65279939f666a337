/** Does what a step of a stage says, through the API. Mirrors playStage of pkg/kwok/controllers of sigs.k8s.io/kwok. */
import type { Node } from '../api/core/v1/types.gen.ts';
import type { StagePatch, StageStep } from '../api/kwok/v1alpha1/stage.ts';
import { isAlreadyExists, isNotFound } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import type { JsonValue } from '../base/json.ts';
import type { RandomStream } from '../base/random.ts';
import type { Client, ResourceType } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { ReconcileContext } from '../controller-runtime/controller.ts';
import type { Addresses } from './addresses.ts';
import { StageError } from './stage.ts';
import { finalizersAfter, patchOf, renderYaml } from './steps.ts';
import { executeTemplate, type TemplateFunctions } from './template/execute.ts';
import { namesOf, plainFunctions } from './template/functions.ts';
import { parseTemplate, type Template } from './template/parse.ts';
import { clusterFunctions } from './template/cluster-functions.ts';

export interface PlayerEnvironment {
  nowMs(): number;
  readonly recorder: EventRecorder;
  readonly random: RandomStream;
  deletableResources(): readonly ResourceType[];
  readonly options: { clientAs(user: string): Client };
}

const userAgentManager = 'kwok';

export class Player {
  readonly #environment: PlayerEnvironment;
  readonly #functions: TemplateFunctions;
  readonly #names: ReadonlySet<string>;
  /** Derived from the texts. */
  readonly #templates = new Map<string, Template>();
  /** Whose template is executed. */
  #holder = '';

  constructor(environment: PlayerEnvironment, addresses: Addresses, nodeOf: (name: string) => Node | undefined) {
    this.#environment = environment;
    this.#functions = new Map([
      ...plainFunctions(),
      ...clusterFunctions({ nowMs: () => environment.nowMs(), random: environment.random, addresses, nodeOf, holder: () => this.#holder }),
    ]);
    this.#names = namesOf(this.#functions);
  }

  /** The object as it was written; undefined where nothing was written to it. Throws StatusError, StageError or TemplateError. */
  async play(
    { client, causes }: ReconcileContext,
    type: ResourceType,
    object: KubeObject,
    step: StageStep,
    key: string,
  ): Promise<KubeObject | 'deleted' | undefined> {
    const { namespace, name = '' } = object.metadata;
    let result: KubeObject | undefined;
    if (step.event !== undefined) {
      const { type: eventType, reason = '', message = '' } = step.event;
      this.#environment.recorder.event(object, eventType === 'Warning' ? 'Warning' : 'Normal', reason, message, causes);
    }
    if (step.finalizers !== undefined) {
      const finalizers = finalizersAfter(object, step.finalizers);
      if (finalizers !== undefined)
        result = await client.patch(type, namespace, name, 'merge', { metadata: { finalizers } }, { fieldManager: userAgentManager });
    }
    if (step.delete === true) {
      await client.delete(type, namespace, name, { gracePeriodSeconds: 0 }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return 'deleted';
    }
    if (step.patch !== undefined) {
      const { type: patchType, document, subresource } = patchOf(step.patch, type.group === '' ? type.kind : '', this.#render(object, key));
      const options = { fieldManager: userAgentManager, ...(subresource === undefined ? {} : { subresource }) };
      result = await this.#actor({ client, causes }, step.patch).patch(type, namespace, name, patchType, document, options);
    }
    if (step.apply !== undefined) await this.#apply({ client, causes }, object, step.apply, key);
    return result;
  }

  /** Who does it: whom the step names, else KWOK itself. */
  #actor({ client, causes }: ReconcileContext, { impersonation }: StagePatch): Client {
    const user = impersonation?.username ?? '';
    return user === '' ? client : this.#environment.options.clientAs(user).because(causes);
  }

  #render(object: KubeObject, key: string): (template: string) => string {
    return (template) => {
      let nodes = this.#templates.get(template);
      if (nodes === undefined) {
        nodes = parseTemplate(template, this.#names);
        this.#templates.set(template, nodes);
      }
      this.#holder = key;
      return executeTemplate(nodes, object as unknown as JsonValue, this.#functions);
    };
  }

  /** Another object: made, or changed where it is there. */
  async #apply(context: ReconcileContext, source: KubeObject, apply: StagePatch, key: string): Promise<void> {
    const client = this.#actor(context, apply);
    const object = renderYaml(apply.template ?? '', this.#render(source, key)) as unknown as KubeObject | null;
    if (object === null || typeof object !== 'object' || !object.kind || !object.apiVersion)
      throw new StageError('template must include apiVersion and kind');
    const type = this.#environment
      .deletableResources()
      .find((each) => each.kind === object.kind && (each.group === '' ? each.version : `${each.group}/${each.version}`) === object.apiVersion);
    if (type === undefined)
      throw new StageError(`no matches for kind ${JSON.stringify(object.kind)} in version ${JSON.stringify(object.apiVersion)}`);
    const namespace = type.namespaced ? (object.metadata?.namespace ?? source.metadata.namespace ?? '') : undefined;
    const body = { ...object, metadata: { ...object.metadata, ...(namespace === undefined ? {} : { namespace }) } };
    const patchType = apply.type === 'merge' || apply.type === 'strategic' ? apply.type : 'apply';
    const options = { fieldManager: userAgentManager, ...(patchType === 'apply' ? { force: true } : {}) };
    const patch = (subresource?: string): Promise<KubeObject> =>
      client.patch(
        type,
        namespace,
        body.metadata.name ?? '',
        patchType,
        body as unknown as JsonValue,
        subresource === undefined ? options : { ...options, subresource },
      );
    if (apply.subresource) {
      await patch(apply.subresource);
      return;
    }
    try {
      await client.create(type, body, { fieldManager: userAgentManager });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await patch();
    }
  }
}
