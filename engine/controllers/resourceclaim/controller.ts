/**
 * Makes ResourceClaims for pods from templates, reserves allocated ones for pods that were bound by hand, and frees those that nobody
 * uses any more. Mirrors pkg/controller/resourceclaim/controller.go; what it does for groups of pods is in `groups.ts`.
 */
import type { Pod, PodResourceClaim } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource/v1/types.gen.ts';
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { text } from '../../base/codecs.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { podGroups, pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, type ControllerOptions, defineController } from '../controller.ts';
import { withMeta } from '../../component-helpers/meta.ts';
import {
  claimFinalizer,
  claimNameOf,
  consumerOf,
  isClaimOfGroup,
  isMadeFor,
  isPodDone,
  isReservationOfGroup,
  keysOfGroup,
  knownClaimNames,
  mayReserve,
  podClaimAnnotation,
  resourceClaims,
  resourceClaimTemplates,
} from '../lib/resource-claims.ts';
import { GroupClaims } from './groups.ts';
import { claimFrom, madeKey, mustFind } from './made.ts';

const podPrefix = 'pod:';
const claimPrefix = 'claim:';
const groupPrefix = 'podgroup:';
const fieldManager = 'ResourceClaimController';
const byClaim = 'claim';
const byTemplate = 'template';
const byOwner = 'owner';
const byGroup = 'schedulingGroup';

class ResourceClaimController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<ResourceClaim>;
  readonly #templates: Informer<ResourceClaimTemplate>;
  /** Claims that were made and have not been seen yet, by uid of the pod and name of its claim. */
  readonly #made: Map<string, string>;
  /** While pods of a group may share claims (gate DRAWorkloadResourceClaims). */
  readonly #groups: GroupClaims | undefined;

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
    if (!environment.options.workloadClaims) return;
    this.#pods.addIndex(byGroup, keysOfGroup);
    this.#groups = new GroupClaims(environment, { made: this.#made, madeFor: (uid, name) => this.#madeFor(uid, name) });
  }

  keysOfPod({ type, object }: InformerEvent<Pod>): readonly string[] {
    if ((object.spec?.resourceClaims ?? []).length === 0 && object.status?.extendedResourceClaimStatus === undefined) return [];
    if (type === 'delete' || isPodDone(object))
      for (const { name } of object.spec?.resourceClaims ?? []) this.#made.delete(madeKey(object.metadata.uid ?? '', name));
    return [
      ...(type === 'delete' || isPodDone(object) ? knownClaimNames(object).map((name) => `${claimPrefix}${object.metadata.namespace}/${name}`) : []),
      ...(type !== 'delete' && this.#needsWork(object) ? [podPrefix + keyOf(object)] : []),
    ];
  }

  keysOfClaim({ type, object }: InformerEvent<ResourceClaim>): readonly string[] {
    // From now on the cache says whether it is there.
    const { annotations = {}, ownerReferences = [] } = object.metadata;
    for (const { uid } of ownerReferences) this.#made.delete(madeKey(uid, annotations[podClaimAnnotation] ?? ''));
    const using = this.#pods.byIndex(byClaim, keyOf(object)).filter((pod) => this.#needsWork(pod));
    const groups = this.#groups?.usingClaim(keyOf(object)) ?? [];
    return [
      ...(type === 'delete' ? [] : [claimPrefix + keyOf(object)]),
      ...using.map((pod) => podPrefix + keyOf(pod)),
      ...groups.flatMap((group) => this.#keysForGroup(group, false)),
    ];
  }

  keysOfGroup({ type, object }: InformerEvent<PodGroup>): readonly string[] {
    return this.#keysForGroup(object, type === 'delete');
  }

  #keysForGroup(group: PodGroup, isGone: boolean): readonly string[] {
    if (this.#groups === undefined || (group.spec.resourceClaims ?? []).length === 0) return [];
    const members = this.#pods.byIndex(byGroup, keyOf(group)).filter((pod) => (pod.spec?.resourceClaims ?? []).length > 0 && this.#needsWork(pod));
    return [
      ...(isGone ? this.#groups.forget(group).map((name) => `${claimPrefix}${group.metadata.namespace}/${name}`) : []),
      ...(!isGone && this.#groups.needsWork(group) ? [groupPrefix + keyOf(group)] : []),
      ...members.map((pod) => podPrefix + keyOf(pod)),
    ];
  }

  keysOfTemplate({ type, object }: InformerEvent<ResourceClaimTemplate>): readonly string[] {
    if (type === 'delete') return [];
    const groups = this.#groups?.usingTemplate(keyOf(object)) ?? [];
    return [
      ...this.#pods.byIndex(byTemplate, keyOf(object)).flatMap((pod) => (this.#needsWork(pod) ? [podPrefix + keyOf(pod)] : [])),
      ...groups.flatMap((group) => this.#keysForGroup(group, false)),
    ];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(podPrefix)) await this.#syncPod(context, key.slice(podPrefix.length));
    else if (key.startsWith(groupPrefix)) await this.#groups?.sync(context, key.slice(groupPrefix.length));
    else await this.#syncClaim(context.client, key.slice(claimPrefix.length));
  }

  #needsWork(pod: Pod): boolean {
    if (pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return false;
    return (pod.spec?.resourceClaims ?? []).some((wanted) => {
      const named = claimNameOf(pod, wanted);
      if (named === 'none') return false;
      if (named === 'unknown') return true;
      const claim = this.#claims.get(pod.metadata.namespace, named.name);
      if (claim === undefined) return wanted.resourceClaimTemplateName !== undefined && this.#groups?.makes(pod, wanted) !== true;
      return this.#isFor(claim, pod, named.isMade) && Boolean(pod.spec?.nodeName) && mayReserve(claim, pod, this.#groups !== undefined);
    });
  }

  async #syncPod({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const { namespace = '', name } = splitKey(key);
    const pod = this.#pods.get(namespace, name);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined || isPodDone(pod)) return;
    const group = this.#groups?.mustGetOf(pod);
    const found: { readonly name: string; readonly resourceClaimName: string }[] = [];
    for (const wanted of pod.spec?.resourceClaims ?? []) {
      try {
        const made = await this.#claimFor(client, pod, group, wanted);
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
    if (pod.spec?.nodeName) await this.#reserve(client, pod, group);
  }

  /** The name of a claim that is to be noted in the pod's status; undefined when nothing is to be done. */
  async #claimFor(client: Client, pod: Pod, group: PodGroup | undefined, wanted: PodResourceClaim): Promise<string | undefined> {
    const { namespace = '', uid = '' } = pod.metadata;
    const named = claimNameOf(pod, wanted);
    if (named === 'none' || wanted.resourceClaimTemplateName === undefined) return undefined;
    const noted = typeof named === 'string' ? undefined : this.#claims.get(namespace, named.name);
    if (noted !== undefined && this.#isFor(noted, pod, true)) return undefined;
    if (group !== undefined && isClaimOfGroup(group, wanted)) return this.#madeFor(group.metadata.uid ?? '', wanted.name);
    const known = this.#madeFor(uid, wanted.name);
    if (known !== undefined) return known;
    const template = mustFind(this.#templates, namespace, wanted.resourceClaimTemplateName);
    const made = await client.create(resourceClaims, claimFrom(template, { kind: 'Pod', apiVersion: 'v1', metadata: pod.metadata }, wanted.name));
    this.#made.set(madeKey(uid, wanted.name), made.metadata.name ?? '');
    return made.metadata.name;
  }

  /** The claim that was made for this claim of a pod or group, whether the cache knows it yet or not. */
  #madeFor(owner: string, name: string): string | undefined {
    const there = this.#claims.byIndex(byOwner, owner).find(({ metadata }) => metadata.annotations?.[podClaimAnnotation] === name);
    return there?.metadata.name ?? this.#made.get(madeKey(owner, name));
  }

  #isFor(claim: ResourceClaim, pod: Pod, isMade: boolean): boolean {
    return !isMade || isMadeFor(claim, pod, this.#groups !== undefined);
  }

  /** For a pod that no scheduler has bound: those reserve what they allocate. */
  async #reserve(client: Client, pod: Pod, group: PodGroup | undefined): Promise<void> {
    const { namespace = '' } = pod.metadata;
    for (const wanted of pod.spec?.resourceClaims ?? []) {
      const named = claimNameOf(pod, wanted);
      const claim = typeof named === 'string' ? undefined : this.#claims.get(namespace, named.name);
      if (claim === undefined || !mayReserve(claim, pod, this.#groups !== undefined)) continue;
      if (typeof named !== 'string' && !this.#isFor(claim, pod, named.isMade)) continue;
      const reservedFor = [...(claim.status?.reservedFor ?? []), consumerOf(pod, group, wanted)];
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
      const isUsing = isPod
        ? await this.#isUsing(client, namespace, consumer)
        : this.#groups === undefined || !isReservationOfGroup(consumer) || (await this.#groups.isUsing(client, namespace, consumer));
      if (isUsing) kept.push(consumer);
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
    {
      ...watchOf(podGroups, (event, controller: ResourceClaimController) => controller.keysOfGroup(event)),
      when: ({ workloadClaims }: ControllerOptions) => workloadClaims,
    },
  ],
  gatedRules: {
    gate: 'DRAWorkloadResourceClaims',
    rules: [
      { apiGroups: ['scheduling.k8s.io'], resources: ['podgroups'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['scheduling.k8s.io'], resources: ['podgroups/status'], verbs: ['update', 'patch'] },
    ],
  },
  create: (environment) => new ResourceClaimController(environment),
});
