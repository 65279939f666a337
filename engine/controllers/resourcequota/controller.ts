/**
 * Keeps the status of resource quotas: the limits in force and what is used of them. Mirrors
 * pkg/controller/resourcequota/resource_quota_controller.go; since admission writes no status, creations also lead here.
 */
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { deepEqual } from '../../base/equal.ts';
import type { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '../../api/core/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import type { JsonValue } from '../../base/json.ts';
import { compareQuantity, parseQuantity } from '../../apimachinery/quantity.ts';
import type { ResourceType } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import {
  configMaps,
  cronJobs,
  daemonSets,
  deployments,
  jobs,
  persistentVolumeClaims,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
  secrets,
  services,
  statefulSets,
} from '../../client/resources.ts';
import { isTerminatingPod, usedOf } from '../../component-helpers/quota/quota.ts';
import { type Amounts, countName, usageOf } from '../../component-helpers/quota/usage.ts';
import { type Controller, type ControllerWatch, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';

const resyncMs = 5 * 60_000;
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

class ResourceQuotaController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #quotas: Informer<ResourceQuota>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#quotas = environment.informer(resourceQuotas);
  }

  start(): void {
    this.#environment.setTimer(resyncMs, 'resync');
  }

  /** Kinds without a watch of ours are counted anew from time to time. */
  onTimer(): void {
    for (const quota of this.#quotas.list()) this.#environment.enqueue(keyOf(quota), []);
    this.#environment.setTimer(resyncMs, 'resync');
  }

  /** A quota whose limits changed is counted anew. */
  keysOfQuota(event: InformerEvent<ResourceQuota>): readonly string[] {
    const others = event.type === 'update' ? [] : this.#keysIn(event.object);
    if (event.type === 'update' && deepEqual(event.old.spec?.hard ?? null, event.object.spec?.hard ?? null)) return [];
    return [...new Set([keyOf(event.object), ...others])];
  }

  /** The quotas of a namespace in which something came, went or began to count otherwise. */
  keysOfCounted(type: ResourceType, event: InformerEvent<KubeObject>): readonly string[] {
    return event.type === 'update' && !changesUsage(type, event.old, event.object, this.#environment.nowMs()) ? [] : this.#keysIn(event.object);
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const quota = this.#quotas.get(namespace, name);
    if (quota === undefined || namespace === undefined) return;
    const hard = (quota.spec?.hard ?? {}) as Amounts;
    const had = (quota.status?.used ?? {}) as Amounts;
    const now = await this.#used(context, quota, namespace);
    const used: { [name: string]: string } = {};
    for (const each of Object.keys(hard)) {
      const amount = getOwn(now, each) ?? getOwn(had, each);
      if (amount !== undefined) setOwn(used, each, amount);
    }
    if (equalAmounts(hard, quota.status?.hard as Amounts | undefined) && equalAmounts(used, quota.status?.used as Amounts | undefined)) return;
    await context.client.updateStatus(resourceQuotas, { ...quota, status: { hard, used } });
  }

  async #used({ client }: ReconcileContext, quota: ResourceQuota, namespace: string): Promise<Amounts> {
    const used: { [name: string]: string } = {};
    const nowMs = this.#environment.nowMs();
    for (const type of counted) Object.assign(used, usedOf(quota, type, this.#environment.informer(type).list(namespace), nowMs));
    const left = Object.keys(quota.spec?.hard ?? {}).filter((name) => name.startsWith('count/') && getOwn(used, name) === undefined);
    if (left.length === 0) return used;
    for (const type of this.#environment.deletableResources()) {
      if (!type.namespaced || !left.includes(countName(type))) continue;
      Object.assign(used, usedOf(quota, type, (await client.list(type, namespace)).items, nowMs));
    }
    return used;
  }

  #keysIn({ metadata }: KubeObject): readonly string[] {
    const found = this.#quotas.list(metadata.namespace);
    return found.length === 0 ? [] : found.map(keyOf);
  }
}

/** Upstream looks at pods that end or get a deadline, and at services and claims that changed. */
function changesUsage(type: ResourceType, old: KubeObject, now: KubeObject, nowMs: number): boolean {
  if (type === pods) {
    const [before, after] = [old as Pod, now as Pod];
    if (before.spec === after.spec && before.status?.phase === after.status?.phase) return false;
    return (
      isTerminatingPod(before) !== isTerminatingPod(after) ||
      !deepEqual(usageOf(type, before, nowMs) as JsonValue, usageOf(type, after, nowMs) as JsonValue)
    );
  }
  if (type === services) return (old as Service).spec !== (now as Service).spec;
  return type === persistentVolumeClaims && (old as PersistentVolumeClaim).spec !== (now as PersistentVolumeClaim).spec;
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
