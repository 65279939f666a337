/**
 * Brings definitions to be served and lets go of those that are deleted, in the API server's name. Mirrors the naming, establishing,
 * approval and finalizing controllers of apiextensions-apiserver, one after the other on one key.
 */
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import { isConflict, isNotFound } from '../apimachinery/errors.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { formatTime, parseTime } from '../apimachinery/time.ts';
import type { Client, ResourceType } from '../client/client.ts';
import { type Informer, type InformerEvent, keyOf } from '../client/informer.ts';
import { resourceType } from '../client/resources.ts';
import { checkController, type Controller, type ControllerEnvironment, type ReconcileContext, watchOf } from '../controller-runtime/controller.ts';
import { RetryError } from '../controller-runtime/retry-error.ts';
import { caBundleFault } from '../component-helpers/ca-bundle.ts';
import type { CertificateJudge } from '../contracts/certificates.ts';
import type { ControllerTraits } from '../contracts/release.ts';
import { approvalConditionOf } from './approval.ts';
import { cleanupFinalizer, type Condition, conditionOf, isTrue, saysTheSame, withCondition } from '../component-helpers/definition-conditions.ts';
import { namingOf } from './naming.ts';

export const definitionType = resourceType<CustomResourceDefinition>(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
);
/** How often it is looked whether the last object has gone, and for how long. */
const pollMs = 5_000;
const patienceMs = 60_000;

export interface DefinitionsOptions {
  /** Judges whom conversion webhooks are trusted by; whoever does without trusts all. */
  readonly certificates: CertificateJudge | undefined;
  readonly traits: Pick<ControllerTraits, 'timesTurnedConditions'>;
}

class DefinitionsController implements Controller {
  readonly #environment: ControllerEnvironment<DefinitionsOptions>;
  readonly #definitions: Informer<CustomResourceDefinition>;

  constructor(environment: ControllerEnvironment<DefinitionsOptions>) {
    this.#environment = environment;
    this.#definitions = environment.informer(definitionType);
  }

  /** Names that one gives up another of its group may want. */
  keysOf({ type, object }: InformerEvent<CustomResourceDefinition>): readonly string[] {
    const others = this.#definitions.list().filter(({ spec }) => spec.group === object.spec.group);
    return type === 'add' ? [keyOf(object)] : [keyOf(object), ...others.map(keyOf)];
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const definition = this.#definitions.get(undefined, key);
    if (definition === undefined) return;
    try {
      // Names are looked at until the end.
      if (await this.#name(client, definition)) return;
      if (definition.metadata.deletionTimestamp !== undefined && definition.metadata.finalizers?.includes(cleanupFinalizer)) {
        const isDone = await this.#letGo(client, definition);
        if (!isDone) this.#environment.enqueueAfter(key, pollMs, causes);
      } else await this.#bringUp(client, definition);
    } catch (error) {
      // Changed or gone meanwhile: the event of that comes.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  /** Whether it wrote which names are accepted. */
  async #name(client: Client, definition: CustomResourceDefinition): Promise<boolean> {
    const naming = namingOf(definition, this.#definitions.list());
    if (naming === undefined) return false;
    const named = { ...definition, status: { ...definition.status, acceptedNames: naming.acceptedNames } } as CustomResourceDefinition;
    await this.#write(client, named, naming.conditions);
    return true;
  }

  /** One write at a time, as upstream's controllers write one after the other. */
  async #bringUp(client: Client, definition: CustomResourceDefinition): Promise<void> {
    if (isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) {
      const established = establishedCondition(definition, this.#environment.options.certificates);
      if (!saysTheSame(established, conditionOf(definition, established.type))) await this.#write(client, definition, [established]);
      return;
    }
    const approval = approvalConditionOf(definition);
    if (approval !== undefined && !saysTheSame(approval, conditionOf(definition, approval.type))) await this.#write(client, definition, [approval]);
  }

  /** Deletes what there is of the kind; true when nothing is left and nobody holds the definition any more. */
  async #letGo(client: Client, found: CustomResourceDefinition): Promise<boolean> {
    const terminating = (status: string, reason: string, message: string): Condition => ({ type: 'Terminating', status, reason, message });
    const definition = await this.#write(client, found, [
      terminating('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress'),
    ]);
    let end = terminating('False', 'NeverEstablished', 'resource was never established');
    if (isTrue(definition, 'Established')) {
      const left = await deleteInstances(client, instancesOf(definition));
      if (left > 0 && !this.#hasWaited(definition)) return false;
      if (left > 0) {
        const message = 'could not confirm zero CustomResources remaining: context deadline exceeded';
        await this.#write(client, definition, [terminating('True', 'InstanceDeletionCheck', message)]);
        throw new RetryError('context deadline exceeded');
      }
      end = terminating('False', 'InstanceDeletionCompleted', 'removed all instances');
    }
    const { metadata } = definition;
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
    await this.#write(client, { ...definition, metadata: { ...metadata, finalizers } }, [end]);
    return true;
  }

  #hasWaited(definition: CustomResourceDefinition): boolean {
    return this.#environment.nowMs() - (parseTime(definition.metadata.deletionTimestamp ?? '') ?? 0) >= patienceMs;
  }

  #write(client: Client, definition: CustomResourceDefinition, conditions: readonly Condition[]): Promise<CustomResourceDefinition> {
    const nowText = formatTime(this.#environment.nowMs());
    const turnedText = this.#environment.options.traits.timesTurnedConditions ? nowText : '';
    const next = conditions.reduce((one, condition) => withCondition(one, condition, nowText, turnedText), definition);
    return client.updateStatus(definitionType, next);
  }
}

function instancesOf({ spec }: CustomResourceDefinition): ResourceType {
  const version = (spec.versions ?? []).find(({ storage }) => storage)?.name ?? '';
  return resourceType<KubeObject>(spec.group, version, spec.names.plural, spec.names.kind, spec.scope === 'Namespaced');
}

function establishedCondition({ spec }: CustomResourceDefinition, certificates: CertificateJudge | undefined): Condition {
  return caBundleFault(spec.conversion?.webhook?.clientConfig?.caBundle, certificates) === undefined
    ? { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
    : { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: 'The conversion webhook CABundle is invalid' };
}

/** How many are left. */
async function deleteInstances(client: Client, type: ResourceType): Promise<number> {
  const { items } = await client.list(type, undefined);
  const namespaces = new Set(items.map(({ metadata }) => metadata.namespace));
  for (const namespace of [...namespaces].sort()) await client.deleteCollection(type, namespace, {});
  return items.length === 0 ? 0 : (await client.list(type, undefined)).items.length;
}

export const definitionsController = checkController<DefinitionsController, DefinitionsOptions>({
  name: 'customresourcedefinitions',
  component: 'apiserver/customresourcedefinitions',
  aliases: [],
  serviceAccount: 'apiserver',
  eventSource: 'apiextensions',
  workers: () => 1,
  watches: [watchOf<CustomResourceDefinition, DefinitionsController>(definitionType, (event, controller) => controller.keysOf(event))],
  create: (environment) => new DefinitionsController(environment),
});
