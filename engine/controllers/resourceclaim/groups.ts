/** ResourceClaims of groups of pods: made from templates, noted in the group's status, kept while the group is there. */
import type { Pod, PodResourceClaim } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceClaimTemplate } from '../../api/resource/v1/types.gen.ts';
import type { PodGroup } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, splitKey } from '../../client/informer.ts';
import { podGroups } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { claimNameOfGroup, isClaimOfGroup, isMadeForGroup, resourceClaims, resourceClaimTemplates } from '../lib/resource-claims.ts';
import { claimFrom, madeKey, mustFind } from './made.ts';

const fieldManager = 'ResourceClaimController';
const byClaim = 'claim';
const byTemplate = 'template';

interface MadeClaims {
  /** Claims that were made and have not been seen yet, by uid of the owner and name of its claim. */
  readonly made: Map<string, string>;
  madeFor(owner: string, name: string): string | undefined;
}

export class GroupClaims {
  readonly #environment: ControllerEnvironment;
  readonly #claims: Informer<ResourceClaim>;
  readonly #templates: Informer<ResourceClaimTemplate>;
  readonly #groups: Informer<PodGroup>;
  readonly #made: MadeClaims;

  constructor(environment: ControllerEnvironment, made: MadeClaims) {
    this.#environment = environment;
    this.#made = made;
    this.#claims = environment.informer(resourceClaims);
    this.#templates = environment.informer(resourceClaimTemplates);
    this.#groups = environment.informer(podGroups);
    this.#groups.addIndex(byClaim, (group) => knownNames(group).map((name) => `${group.metadata.namespace}/${name}`));
    this.#groups.addIndex(byTemplate, ({ metadata, spec }) =>
      (spec.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) => (name === undefined ? [] : [`${metadata.namespace}/${name}`])),
    );
  }

  usingClaim(key: string): readonly PodGroup[] {
    return this.#groups.byIndex(byClaim, key);
  }

  usingTemplate(key: string): readonly PodGroup[] {
    return this.#groups.byIndex(byTemplate, key);
  }

  /** A group has gone: the names of its claims. */
  forget(group: PodGroup): readonly string[] {
    for (const { name } of group.spec.resourceClaims ?? []) this.#made.made.delete(madeKey(group.metadata.uid ?? '', name));
    return knownNames(group);
  }

  /** The group that the pod says it belongs to; undefined when to none. Throws RetryError where there is none. */
  mustGetOf(pod: Pod): PodGroup | undefined {
    const name = pod.spec?.schedulingGroup?.podGroupName;
    if (name === undefined) return undefined;
    const { namespace = '' } = pod.metadata;
    const group = this.#groups.get(namespace, name);
    if (group === undefined)
      throw new RetryError(`get PodGroup for Pod ${namespace}/${pod.metadata.name}: podgroup.scheduling.k8s.io "${name}" not found`);
    return group;
  }

  /** Whether it is the pod's group that the claim is made for. */
  makes({ metadata, spec }: Pod, wanted: PodResourceClaim): boolean {
    const name = spec?.schedulingGroup?.podGroupName;
    const group = name === undefined ? undefined : this.#groups.get(metadata.namespace, name);
    return group !== undefined && isClaimOfGroup(group, wanted);
  }

  needsWork(group: PodGroup): boolean {
    if (group.metadata.deletionTimestamp !== undefined) return false;
    return (group.spec.resourceClaims ?? []).some((wanted) => {
      const named = claimNameOfGroup(group, wanted);
      if (typeof named === 'string') return named === 'unknown';
      return this.#claims.get(group.metadata.namespace, named.name) === undefined && wanted.resourceClaimTemplateName !== undefined;
    });
  }

  async sync({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const { namespace = '', name } = splitKey(key);
    const group = this.#groups.get(namespace, name);
    if (group === undefined || group.metadata.deletionTimestamp !== undefined) return;
    const found: { readonly name: string; readonly resourceClaimName: string }[] = [];
    for (const wanted of group.spec.resourceClaims ?? []) {
      try {
        const made = await this.#claimFor(client, group, wanted);
        if (made !== undefined) found.push({ name: wanted.name, resourceClaimName: made });
      } catch (error) {
        if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
        const message = `PodGroupResourceClaim ${wanted.name}: ${error.message}`;
        this.#environment.recorder.event(group, 'Warning', 'FailedResourceClaimCreation', message, causes);
        throw new RetryError(`PodGroup ${key}, ${message}`);
      }
    }
    if (found.length === 0) return;
    // Applied as a whole: what was noted before stays.
    const noted = (group.status?.resourceClaimStatuses ?? []).filter((status) => found.every((one) => one.name !== status.name));
    const status = { resourceClaimStatuses: [...noted, ...found] };
    const wanted = { kind: 'PodGroup', apiVersion: 'scheduling.k8s.io/v1alpha2', metadata: { name, namespace }, status };
    await client.patch(podGroups, namespace, name, 'apply', wanted as unknown as JsonObject, { subresource: 'status', fieldManager, force: true });
  }

  /** Whether the group that a claim is reserved for is there. */
  async isUsing(client: Client, namespace: string, { name, uid }: { readonly name: string; readonly uid: string }): Promise<boolean> {
    const cached = this.#groups.get(namespace, name);
    if (cached !== undefined) return cached.metadata.uid === uid;
    try {
      return (await client.get(podGroups, namespace, name)).metadata.uid === uid;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return false;
    }
  }

  /** The name of a claim that is to be noted in the group's status; undefined when nothing is to be done. */
  async #claimFor(client: Client, group: PodGroup, wanted: PodResourceClaim): Promise<string | undefined> {
    const { namespace = '', uid = '' } = group.metadata;
    const named = claimNameOfGroup(group, wanted);
    if (named === 'none' || wanted.resourceClaimTemplateName === undefined) return undefined;
    const noted = typeof named === 'string' ? undefined : this.#claims.get(namespace, named.name);
    if (noted !== undefined && isMadeForGroup(noted, group)) return undefined;
    const known = this.#made.madeFor(uid, wanted.name);
    if (known !== undefined) return known;
    const template = mustFind(this.#templates, namespace, wanted.resourceClaimTemplateName);
    const owner = { kind: 'PodGroup', apiVersion: 'scheduling.k8s.io/v1alpha2', metadata: group.metadata };
    const made = await client.create(resourceClaims, claimFrom(template, owner, wanted.name));
    this.#made.made.set(madeKey(uid, wanted.name), made.metadata.name ?? '');
    return made.metadata.name;
  }
}

function knownNames(group: PodGroup): readonly string[] {
  return (group.spec.resourceClaims ?? []).flatMap((wanted) => {
    const named = claimNameOfGroup(group, wanted);
    return typeof named === 'string' ? [] : [named.name];
  });
}
