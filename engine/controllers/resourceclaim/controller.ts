/**
 * Makes ResourceClaims for pods from templates, reserves allocated ones for pods that were bound by hand, and frees those that nobody
 * uses any more. Mirrors pkg/controller/resourceclaim/controller.go, without pod groups.
 */
import type { Pod, PodResourceClaim } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource/v1/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { text } from '../../base/codecs.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import {
  claimFinalizer,
  claimNameOf,
  generateNameOf,
  isMadeFor,
  isPodDone,
  knownClaimNames,
  mayReserve,
  podClaimAnnotation,
  resourceClaims,
  resourceClaimTemplates,
} from '../lib/resource-claims.ts';

const podPrefix = 'pod:';
const claimPrefix = 'claim:';
const fieldManager = 'ResourceClaimController';
const byClaim = 'claim';
const byTemplate = 'template';
const byOwner = 'owner';

class ResourceClaimController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<ResourceClaim>;
  readonly #templates: Informer<ResourceClaimTemplate>;
  /** Claims that were made and have not been seen yet, by uid of the pod and name of its claim. */
  readonly #made: Map<string, string>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#pods = environment.informer(pods);
    this.#claims = environment.informer(resourceClaims);
    this.#templates = environment.informer(resourceClaimTemplates);
    this.#made = environment.slots.map('made', text);
    this.#pods.addIndex(byClaim, (pod) => knownClaimNames(pod).map((name) => `${pod.metadata.namespace}/${name}`));
    this.#pods.addIndex(byTemplate, ({ metadata, spec }) =>
      (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) => (name === undefined ? [] : [`${metadata.namespace}/${name}`])),
    );
    this.#claims.addIndex(byOwner, ({ metadata }) => (metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller ? [uid] : [])));
  }

  keysOfPod({ type, object }: InformerEvent<Pod>): readonly string[] {
    if ((object.spec?.resourceClaims ?? []).length === 0 && object.status?.extendedResourceClaimStatus === undefined) return [];
    if (type === 'delete' || isPodDone(object)) for (const { name } of object.spec?.resourceClaims ?? []) this.#made.delete(madeKey(object, name));
    return [
      ...(type === 'delete' || isPodDone(object) ? knownClaimNames(object).map((name) => `${claimPrefix}${object.metadata.namespace}/${name}`) : []),
      ...(type !== 'delete' && this.#needsWork(object) ? [podPrefix + keyOf(object)] : []),
    ];
  }

  keysOfClaim({ type, object }: InformerEvent<ResourceClaim>): readonly string[] {
    const using = this.#pods.byIndex(byClaim, keyOf(object)).filter((pod) => this.#needsWork(pod));
    return [...(type === 'delete' ? [] : [claimPrefix + keyOf(object)]), ...using.map((pod) => podPrefix + keyOf(pod))];
  }

  keysOfTemplate({ type, object }: InformerEvent<ResourceClaimTemplate>): readonly string[] {
    if (type === 'delete') return [];
    return this.#pods.byIndex(byTemplate, keyOf(object)).flatMap((pod) => (this.#needsWork(pod) ? [podPrefix + keyOf(pod)] : []));
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(podPrefix)) await this.#syncPod(context, key.slice(podPrefix.length));
    else await this.#syncClaim(context.client, key.slice(claimPrefix.length));
  }

  #needsWork(pod: Pod): boolean {
    if (pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return false;
    return (pod.spec?.resourceClaims ?? []).some((wanted) => {
      const named = claimNameOf(pod, wanted);
      if (named === 'none') return false;
      if (named === 'unknown') return true;
      const claim = this.#claims.get(pod.metadata.namespace, named.name);
      if (claim === undefined) return wanted.resourceClaimTemplateName !== undefined;
      return !(named.isMade && !isMadeFor(claim, pod)) && Boolean(pod.spec?.nodeName) && mayReserve(claim, pod);
    });
  }

  async #syncPod({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const { namespace = '', name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return;
    const found: { readonly name: string; readonly resourceClaimName: string }[] = [];
    for (const wanted of pod.spec?.resourceClaims ?? []) {
      try {
        const made = await this.#claimFor(client, pod, wanted);
        if (made !== undefined) found.push({ name: wanted.name, resourceClaimName: made });
      } catch (error) {
        if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
        const message = `PodResourceClaim ${wanted.name}: ${error.message}`;
        this.#environment.recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', message, causes);
        throw new RetryError(`pod ${key}, ${message}`);
      }
    }
    if (found.length > 0) {
      // Applied as a whole: what was noted before stays.
      const noted = (pod.status?.resourceClaimStatuses ?? []).filter((status) => found.every((one) => one.name !== status.name));
      const resourceClaimStatuses = [...noted, ...found];
      const wanted = { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace }, status: { resourceClaimStatuses } };
      await client.patch(pods, namespace, name, 'apply', wanted, { subresource: 'status', fieldManager, force: true });
    }
    if (pod.spec?.nodeName) await this.#reserve(client, pod);
  }

  /** The name of a claim that is to be noted in the pod's status; undefined when nothing is to be done. */
  async #claimFor(client: Client, pod: Pod, wanted: PodResourceClaim): Promise<string | undefined> {
    const { namespace = '', uid = '' } = pod.metadata;
    const named = claimNameOf(pod, wanted);
    if (named === 'none' || wanted.resourceClaimTemplateName === undefined) return undefined;
    const noted = typeof named === 'string' ? undefined : this.#claims.get(namespace, named.name);
    if (noted !== undefined && isMadeFor(noted, pod)) return undefined;
    const there = this.#claims.byIndex(byOwner, uid).find(({ metadata }) => metadata.annotations?.[podClaimAnnotation] === wanted.name);
    const known = there?.metadata.name ?? this.#made.get(madeKey(pod, wanted.name));
    if (known !== undefined) return known;
    const template = this.#templates.get(namespace, wanted.resourceClaimTemplateName);
    if (template === undefined) {
      const name = wanted.resourceClaimTemplateName;
      throw new RetryError(`resource claim template "${name}": resourceclaimtemplate.resource.k8s.io "${name}" not found`);
    }
    const made = await client.create(resourceClaims, claimFrom(template, pod, wanted.name));
    this.#made.set(madeKey(pod, wanted.name), made.metadata.name ?? '');
    return made.metadata.name;
  }

  /** For a pod that no scheduler has bound: those reserve what they allocate. */
  async #reserve(client: Client, pod: Pod): Promise<void> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    for (const wanted of pod.spec?.resourceClaims ?? []) {
      const named = claimNameOf(pod, wanted);
      const claim = typeof named === 'string' ? undefined : this.#claims.get(namespace, named.name);
      if (claim === undefined || !mayReserve(claim, pod)) continue;
      if (typeof named !== 'string' && named.isMade && !isMadeFor(claim, pod)) continue;
      const reservedFor = [...(claim.status?.reservedFor ?? []), { resource: 'pods', name, uid }];
      await client.updateStatus(resourceClaims, { ...claim, status: { ...claim.status, reservedFor } });
    }
  }

  async #syncClaim(client: Client, key: string): Promise<void> {
    const { namespace = '', name } = splitKey(key);
    const claim = this.#claims.get(namespace, name);
    if (claim === undefined) return;
    const reserved = claim.status?.reservedFor ?? [];
    const kept: (typeof reserved)[number][] = [];
    for (const consumer of reserved) {
      const isPod = (consumer.apiGroup ?? '') === '' && consumer.resource === 'pods';
      if (!isPod || (await this.#isUsing(client, namespace, consumer))) kept.push(consumer);
    }
    const isOurs = claim.metadata.finalizers?.includes(claimFinalizer) === true;
    if (kept.length < reserved.length) await free(client, claim, kept, isOurs);
    else if (isOurs && claim.metadata.deletionTimestamp !== undefined && kept.length === 0) await free(client, claim, kept, isOurs);
    if (kept.length === 0) await this.#removeWithPod(client, claim);
  }

  async #isUsing(client: Client, namespace: string, { name, uid }: { readonly name: string; readonly uid: string }): Promise<boolean> {
    const cached = this.#pods.get(namespace, name);
    if (cached !== undefined) return cached.metadata.uid === uid && !isPodDone(cached);
    try {
      return (await client.get(pods, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return false;
    }
  }

  /** The garbage collector sees to claims whose pod is gone; this to those whose pod is over. */
  async #removeWithPod(client: Client, { metadata }: ResourceClaim): Promise<void> {
    const { namespace = '', name = '', ownerReferences = [] } = metadata;
    const owner = ownerReferences.find(({ controller, kind, apiVersion }) => controller === true && kind === 'Pod' && apiVersion === 'v1');
    const pod = owner === undefined ? undefined : this.#pods.get(namespace, owner.name);
    if (pod === undefined || metadata.deletionTimestamp !== undefined || (pod.metadata.uid === owner?.uid && !isPodDone(pod))) return;
    try {
      await client.delete(resourceClaims, namespace, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function madeKey({ metadata }: Pod, claim: string): string {
  return `${metadata.uid} ${claim}`;
}

function claimFrom({ spec }: ResourceClaimTemplate, { metadata }: Pod, claim: string): ResourceClaim {
  const { namespace = '', name = '', uid = '' } = metadata;
  const { labels, annotations } = spec.metadata ?? {};
  return {
    kind: 'ResourceClaim',
    apiVersion: 'resource.k8s.io/v1',
    metadata: {
      generateName: generateNameOf(name, claim),
      namespace,
      ...(labels === undefined ? {} : { labels }),
      annotations: sortedMap({ ...annotations, [podClaimAnnotation]: claim }),
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
    },
    spec: spec.spec,
  };
}

/** Writes who uses it yet; with the last one the allocation goes, and the finalizer that kept it. */
async function free(
  client: Client,
  claim: ResourceClaim,
  kept: NonNullable<NonNullable<ResourceClaim['status']>['reservedFor']>,
  isOurs: boolean,
): Promise<void> {
  const { reservedFor = [], allocation, ...rest } = claim.status ?? {};
  const isFreed = kept.length === 0 && isOurs;
  const keptAllocation = isFreed || allocation === undefined ? {} : { allocation };
  const isChanged = kept.length < reservedFor.length || (isFreed && allocation !== undefined);
  const status = { ...keptAllocation, ...rest, ...(kept.length === 0 ? {} : { reservedFor: kept }) };
  const written = isChanged ? await client.updateStatus(resourceClaims, { ...claim, status } as ResourceClaim) : claim;
  if (!isFreed) return;
  const finalizers = (written.metadata.finalizers ?? []).filter((one) => one !== claimFinalizer);
  await client.update(resourceClaims, { ...written, metadata: withMeta(written.metadata, { finalizers }) });
}

export const resourceClaimController = defineController<ResourceClaimController>({
  name: 'resourceclaim-controller',
  aliases: ['resource-claim-controller', 'resourceclaim'],
  serviceAccount: 'resource-claim-controller',
  eventSource: 'resource_claim',
  workers: ({ concurrentResourceClaimSyncs }) => concurrentResourceClaimSyncs,
  watches: [
    watchOf(pods, (event, controller: ResourceClaimController) => controller.keysOfPod(event)),
    watchOf(resourceClaims, (event, controller: ResourceClaimController) => controller.keysOfClaim(event)),
    watchOf(resourceClaimTemplates, (event, controller: ResourceClaimController) => controller.keysOfTemplate(event)),
  ],
  create: (environment) => new ResourceClaimController(environment),
});
