/**
 * Keeps the status of resource quotas: the limits in force and what is used of them. Admission charges what comes; here is counted
 * what went. Mirrors pkg/controller/resourcequota/resource_quota_controller.go, but asks the API server for the objects: a list that is
 * younger than the quota misses nothing that was charged, which a cache may, and then the quota would let in too much.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import type { ContainerStatus, PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { compareQuantity, parseQuantity } from '../../apimachinery/quantity.ts';
import type { Client, ResourceType } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import {
  configMaps,
  cronJobs,
  daemonSets,
  deviceClasses,
  deployments,
  jobs,
  persistentVolumeClaims,
  pods,
  replicaSets,
  replicationControllers,
  resourceClaims,
  resourceQuotas,
  secrets,
  services,
  statefulSets,
} from '../../client/resources.ts';
import { changesClaimUsage, isTerminatingPod, namesCounting, usedOf } from '../../component-helpers/quota/quota.ts';
import type { DeviceFacts } from '../../component-helpers/quota/extended-devices.ts';
import { addAmounts, type Amounts, countName, isChargedPod, isResourceClaim } from '../../component-helpers/quota/usage.ts';
import { MonitoredKinds } from '../lib/monitored-kinds.ts';
import { type Controller, type ControllerWatch, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

const resyncMs = 5 * 60_000;
/** How often new kinds are looked for. */
const monitorMs = 30_000;
const counted: readonly ResourceType[] = [
  pods,
  services,
  persistentVolumeClaims,
  configMaps,
  secrets,
  replicationControllers,
  replicaSets,
  deployments,
  statefulSets,
  daemonSets,
  jobs,
  cronJobs,
  resourceQuotas,
];
/** Never counted under these groups. */
const ignored: ReadonlySet<string> = new Set(['/events', 'events.k8s.io/events']);
const followed: ReadonlySet<string> = new Set([...ignored, ...counted.map(({ group, resource }) => `${group}/${resource}`)]);

class ResourceQuotaController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #quotas: Informer<ResourceQuota>;
  readonly #monitored: MonitoredKinds;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#quotas = environment.informer(resourceQuotas);
    // Every other kind that `count/` may name.
    this.#monitored = new MonitoredKinds(
      environment,
      ({ namespaced, group, resource }) => namespaced && !followed.has(`${group}/${resource}`),
      (_type, event) => {
        if (event.type !== 'delete') return;
        for (const key of this.#keysIn(event.object)) environment.enqueue(key, event.causes);
      },
    );
  }

  start(): void {
    this.#environment.setTimer(resyncMs, 'resync');
    this.#environment.setTimer(monitorMs, 'monitor');
  }

  onTimer(name: string): void {
    if (name === 'resync') for (const quota of this.#quotas.list()) this.#environment.enqueue(keyOf(quota), []);
    else this.#monitored.look();
    this.#environment.setTimer(name === 'resync' ? resyncMs : monitorMs, name);
  }

  /** A quota whose limits changed is counted anew. */
  keysOfQuota(event: InformerEvent<ResourceQuota>): readonly string[] {
    const others = event.type === 'update' ? [] : this.#keysIn(event.object);
    if (event.type === 'update' && deepEqual(event.old.spec?.hard ?? null, event.object.spec?.hard ?? null)) return [];
    return [...new Set([keyOf(event.object), ...others])];
  }

  /** The quotas of a namespace in which something went or began to count otherwise. */
  keysOfCounted(type: ResourceType, event: InformerEvent<KubeObject>): readonly string[] {
    if (event.type === 'add') return [];
    const keys = this.#keysIn(event.object);
    if (keys.length === 0 || event.type !== 'update') return keys;
    return changesUsage(type, event.old, event.object, this.#environment.nowMs()) ? keys : [];
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const quota = this.#quotas.get(namespace, name);
    if (quota === undefined) return;
    const written = await this.#count(client, quota);
    // What came before the limits were in force was charged by nobody.
    if (written !== undefined && !equalAmounts(hardOf(quota), quota.status?.hard as Amounts | undefined)) await this.#count(client, written);
  }

  /** Gives the quota as it was written; undefined where its status is right. */
  async #count(client: Client, quota: ResourceQuota): Promise<ResourceQuota | undefined> {
    const hard = hardOf(quota);
    const had = (quota.status?.used ?? {}) as Amounts;
    const now = await this.#used(client, quota);
    const used: { [name: string]: string } = {};
    for (const each of Object.keys(hard)) {
      const amount = getOwn(now, each) ?? getOwn(had, each);
      if (amount !== undefined) setOwn(used, each, amount);
    }
    if (equalAmounts(hard, quota.status?.hard as Amounts | undefined) && equalAmounts(used, quota.status?.used as Amounts | undefined)) {
      const present = await this.#read(client, quota);
      return present === undefined || present.metadata.resourceVersion === quota.metadata.resourceVersion ? undefined : this.#count(client, present);
    }
    return client.updateStatus(resourceQuotas, { ...quota, status: { hard, used } });
  }

  /**
   * The quota as it stands after the count. What came in the place of what went has been charged perhaps, and the cache does not say so
   * yet: then the count equals what the cache says, and nothing would take the charge back before the next resync.
   */
  async #read(client: Client, { metadata: { namespace, name } }: ResourceQuota): Promise<ResourceQuota | undefined> {
    const { items } = await client.list(resourceQuotas, namespace, { fieldSelector: `metadata.name=${name}` });
    return items[0];
  }

  async #used(client: Client, quota: ResourceQuota): Promise<Amounts> {
    const used: { [name: string]: string } = {};
    const nowMs = this.#environment.nowMs();
    const hard = hardOf(quota);
    const facts = await this.#devices(client, quota);
    const add = async (type: ResourceType): Promise<void> => {
      const { items } = await client.list(type, quota.metadata.namespace);
      for (const [name, amount] of Object.entries(usedOf(quota, type, items, nowMs, facts)))
        setOwn(used, name, getOwn(addAmounts(used, { [name]: amount }), name) ?? amount);
    };
    for (const type of counted) if (namesCounting(type, hard).length > 0) await add(type);
    await this.#countOtherNames(client, quota, used);
    const left = Object.fromEntries(Object.entries(hard).filter(([name]) => getOwn(used, name) === undefined));
    if (Object.keys(left).length === 0 && facts === undefined) return used;
    // What pods are counted for by the same name is no reason not to look at claims.
    const namedIn = (type: ResourceType): Amounts => (isResourceClaim(type) ? hard : left);
    for (const type of this.#environment.deletableResources())
      if (type.namespaced && !ignored.has(`${type.group}/${type.resource}`) && namesCounting(type, namedIn(type), facts).length > 0) await add(type);
    return used;
  }

  /** What goes by several groups counts under the name of each. */
  async #countOtherNames(client: Client, quota: ResourceQuota, used: { [name: string]: string }): Promise<void> {
    const hard = hardOf(quota);
    for (const [name, { group, resource }] of Object.entries(this.#environment.options.traits.quotaNames)) {
      if (getOwn(hard, name) === undefined) continue;
      const type = this.#environment.deletableResources().find((one) => one.group === group && one.resource === resource);
      if (type === undefined) continue;
      const { items } = await client.list(type, quota.metadata.namespace);
      const counted = usedOf({ ...quota, spec: { ...quota.spec, hard: { [countName(type)]: '0' } } }, type, items, this.#environment.nowMs());
      setOwn(used, name, getOwn(counted, countName(type)) ?? '0');
    }
  }

  /** What claims are judged by, where the quota may limit what their devices stand for. */
  async #devices(client: Client, { metadata: { namespace = '' }, spec }: ResourceQuota): Promise<DeviceFacts | undefined> {
    if (!Object.keys(spec?.hard ?? {}).some((name) => name.startsWith('requests.') && name.includes('/'))) return undefined;
    if (!this.#environment.deletableResources().some((type) => isResourceClaim(type))) return undefined;
    const [classes, owners, claims] = await Promise.all([
      client.list(deviceClasses, ''),
      client.list(pods, namespace),
      client.list(resourceClaims, namespace),
    ]);
    return {
      deviceClasses: () => classes.items,
      pod: (_namespace, name) => owners.items.find(({ metadata }) => metadata.name === name),
      claims: () => claims.items,
    };
  }

  #keysIn({ metadata }: KubeObject): readonly string[] {
    const found = this.#quotas.list(metadata.namespace);
    return found.length === 0 ? [] : found.map(keyOf);
  }
}

function hardOf({ spec }: ResourceQuota): Amounts {
  return (spec?.hard ?? {}) as Amounts;
}

/** What an update frees without that admission hears of it. Mirrors pkg/quota/v1/install/update_filter.go. */
function changesUsage(type: ResourceType, old: KubeObject, now: KubeObject, nowMs: number): boolean {
  if (type === pods) {
    const [before, after] = [old as Pod, now as Pod];
    if (before.spec === after.spec && before.status === after.status) return false;
    return (
      isTerminatingPod(before) !== isTerminatingPod(after) ||
      (isChargedPod(before, nowMs) && !isChargedPod(after, nowMs)) ||
      hasOtherResources(before, after)
    );
  }
  if (type === services) return portsType(old as Service) !== portsType(now as Service);
  return type === persistentVolumeClaims && changesClaimUsage(now as PersistentVolumeClaim, old as PersistentVolumeClaim);
}

function hasOtherResources({ status: old }: Pod, { status: now }: Pod): boolean {
  const changed = (before: readonly ContainerStatus[] = [], after: readonly ContainerStatus[] = []): boolean =>
    before.some(({ name, resources }) => {
      const found = after.find((each) => each.name === name);
      return found !== undefined && found.resources !== resources && !deepEqual(found.resources ?? null, resources ?? null);
    });
  return changed(old?.containerStatuses, now?.containerStatuses) || changed(old?.initContainerStatuses, now?.initContainerStatuses);
}

function portsType({ spec }: Service): string {
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? spec.type : '';
}

function equalAmounts(a: Amounts, b: Amounts | undefined): boolean {
  const names = Object.keys(a);
  if (b === undefined || names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) => getOwn(b, name) !== undefined && compareQuantity(parseQuantity(getOwn(a, name) ?? '0'), parseQuantity(getOwn(b, name) ?? '0')) === 0,
  );
}

const watches: readonly ControllerWatch<ResourceQuotaController>[] = counted.map((type) =>
  type === resourceQuotas
    ? watchOf(resourceQuotas, (event, controller: ResourceQuotaController) => controller.keysOfQuota(event))
    : watchOf(type, (event, controller: ResourceQuotaController) => controller.keysOfCounted(type, event)),
);

export const resourceQuotaController = defineController<ResourceQuotaController>({
  name: 'resourcequota-controller',
  aliases: ['resourcequota'],
  serviceAccount: 'resourcequota-controller',
  eventSource: 'resourcequota-controller',
  workers: (options) => options.concurrentResourceQuotaSyncs,
  watches,
  create: (environment) => new ResourceQuotaController(environment),
});
