/**
 * Deletes pods that use devices with NoExecute taints which their claims do not tolerate, and tells DeviceTaintRules how far that is.
 * Mirrors pkg/controller/devicetainteviction.
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { ResourceClaim, ResourceSlice } from '../../api/resource/v1/types.gen.ts';
import type { DeviceTaintRule } from '../../api/resource/v1beta2/types.gen.ts';
import { isNotFound } from '../../apimachinery/errors.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { Cause } from '../../base/causes.ts';
import { list, number, record, text } from '../../base/codecs.ts';
import { deepEqual } from '../../base/equal.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { deviceTaintRules, pods } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, type ControllerOptions, defineController } from '../controller.ts';
import { isReservationOfGroup } from '../../component-helpers/resource-claims.ts';
import { disruptionTarget, patchPodStatus } from '../lib/pod-status.ts';
import { keysOfGroup, resourceClaims, resourceSlices } from '../lib/resource-claims.ts';
import { parseTime } from '../lib/time.ts';
import { allocatedDevices, type DeviceWorld, type Eviction, podEviction, poolKey, ruleKey } from './evictions.ts';
import { evictionInProgress, ruleCondition } from './rule-status.ts';

const name = 'device-taint-eviction-controller';
const podPrefix = 'pod:';
const rulePrefix = 'rule:';
const byPool = 'devicePool';
const byGroup = 'schedulingGroup';
/** Shortest time between two updates of a rule's status. */
const ruleStatusMs = 10_000;
/** Pods remembered as evicted, so that none is evicted twice before its deletion is seen. */
const evictedMax = 500;

class DeviceTaintEvictionController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<ResourceClaim>;
  readonly #slices: Informer<ResourceSlice>;
  readonly #rules: Informer<DeviceTaintRule> | undefined;
  /** Pods that are to go, by key of the queue. */
  readonly #deletions: Map<string, Eviction>;
  readonly #evicted: Set<string>;
  /** How many pods a rule has evicted, by its uid. */
  readonly #evictedBy: Map<string, number>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#deletions = environment.slots.map('deletions', record<Eviction>({ atMs: number, rules: list(text) }));
    this.#evicted = environment.slots.set('evicted');
    this.#evictedBy = environment.slots.map('evictedBy', number);
    this.#pods = environment.informer(pods);
    this.#claims = environment.informer(resourceClaims);
    this.#slices = environment.informer(resourceSlices);
    this.#rules = environment.options.deviceTaintRules ? environment.informer(deviceTaintRules) : undefined;
    this.#pods.addIndex(byGroup, environment.options.workloadClaims ? keysOfGroup : () => []);
    this.#claims.addIndex(byPool, (claim) => [...new Set(allocatedDevices(claim).map(({ driver, pool }) => poolKey(driver, pool)))]);
    this.#slices.addIndex(byPool, ({ spec }) => [poolKey(spec.driver, spec.pool.name)]);
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    const { type, object, causes } = event;
    if (type === 'delete') this.#deletions.delete(podKey(object));
    else if (type === 'add' || hasMoved(event.old, object)) this.#look(object, causes);
    return [];
  }

  keysOfClaim(event: InformerEvent<ResourceClaim>): readonly string[] {
    if (event.type === 'update' && !deepEqual(event.old.status?.reservedFor, event.object.status?.reservedFor))
      this.#lookAtUsers(event.old, event.causes);
    this.#lookAtUsers(event.object, event.causes);
    return [];
  }

  keysOfSlice({ object, causes }: InformerEvent<ResourceSlice>): readonly string[] {
    for (const claim of this.#claims.byIndex(byPool, poolKey(object.spec.driver, object.spec.pool.name))) this.#lookAtUsers(claim, causes);
    return [];
  }

  keysOfRule(event: InformerEvent<DeviceTaintRule>): readonly string[] {
    const { type, object, causes } = event;
    if (type === 'delete') this.#evictedBy.delete(object.metadata.uid ?? '');
    else if (type === 'update' && deepEqual(event.old.spec, object.spec)) return [];
    for (const claim of this.#claims.list()) this.#lookAtUsers(claim, causes);
    // The status is told before any pod goes.
    return type === 'delete' ? [] : [rulePrefix + ruleKey(object)];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    if (key.startsWith(podPrefix)) await this.#evict(context, key);
    else await this.#tellRule(context, key.slice(rulePrefix.length));
  }

  #lookAtUsers({ metadata, status }: ResourceClaim, causes: readonly Cause[]): void {
    for (const consumer of status?.reservedFor ?? []) {
      const { apiGroup = '', resource, name: user, uid } = consumer;
      if (isReservationOfGroup(consumer)) for (const pod of this.#pods.byIndex(byGroup, `${metadata.namespace}/${user}`)) this.#look(pod, causes);
      if (apiGroup !== '' || resource !== 'pods') continue;
      const pod = this.#pods.get(metadata.namespace, user);
      if (pod?.metadata.uid === uid && pod !== undefined) this.#look(pod, causes);
    }
  }

  #look(pod: Pod, causes: readonly Cause[]): void {
    const key = podKey(pod);
    const eviction = podEviction(this.#world(), pod);
    if (eviction === undefined) {
      if (this.#deletions.delete(key)) this.#tell(pod, 'Cancelling deletion', causes);
      return;
    }
    if (this.#evicted.has(pod.metadata.uid ?? '') || deepEqual(this.#deletions.get(key), eviction)) return;
    this.#deletions.set(key, eviction);
    const delayMs = eviction.atMs - this.#environment.nowMs();
    if (delayMs > 0) this.#environment.enqueueAfter(key, delayMs, causes);
    else this.#environment.enqueue(key, causes);
    for (const rule of eviction.rules) this.#environment.enqueueAfter(rulePrefix + rule, ruleStatusMs, causes);
  }

  async #evict({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const eviction = this.#deletions.get(key);
    if (eviction === undefined) return;
    const waitMs = eviction.atMs - this.#environment.nowMs();
    if (waitMs > 0) {
      this.#environment.enqueueAfter(key, waitMs, causes);
      return;
    }
    const [namespace = '', podName = '', uid = ''] = key.slice(podPrefix.length).split('/');
    try {
      const pod = await client.get(pods, namespace, podName);
      if (pod.metadata.uid === uid) {
        if (pod.metadata.deletionTimestamp === undefined) {
          this.#tell(pod, 'Marking for deletion', causes);
          await patchCondition(client, pod, this.#environment.nowMs());
          await client.delete(pods, namespace, podName, { preconditions: { uid } });
        }
        for (const rule of eviction.rules) {
          const ruleUid = rule.slice(rule.indexOf('/') + 1);
          this.#evictedBy.set(ruleUid, (this.#evictedBy.get(ruleUid) ?? 0) + 1);
          this.#environment.enqueueAfter(rulePrefix + rule, ruleStatusMs, causes);
        }
      }
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#deletions.delete(key);
    this.#evicted.add(uid);
    for (const oldest of this.#evicted) {
      if (this.#evicted.size <= evictedMax) break;
      this.#evicted.delete(oldest);
    }
  }

  async #tellRule({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const [ruleName = '', uid = ''] = key.split('/');
    const rule = this.#rules?.get(undefined, ruleName);
    if (rule === undefined || rule.metadata.uid !== uid) return;
    const old = rule.status?.conditions?.find(({ type }) => type === evictionInProgress);
    const sinceMs = this.#environment.nowMs() - (parseTime(old?.lastTransitionTime) ?? 0);
    if (old !== undefined && Number(old.observedGeneration ?? 0) === Number(rule.metadata.generation ?? 0) && sinceMs < ruleStatusMs) {
      this.#environment.enqueueAfter(rulePrefix + key, ruleStatusMs - sinceMs, causes);
      return;
    }
    const { lastTransitionTime: _, ...before } = old ?? {};
    const condition = ruleCondition(rule, this.#census(), this.#evictedBy.get(uid) ?? 0);
    if (old !== undefined && deepEqual({ ...before, observedGeneration: Number(old.observedGeneration ?? 0) }, { ...condition })) return;
    const conditions = [{ ...condition, lastTransitionTime: formatTime(this.#environment.nowMs()) }];
    const applied = { kind: 'DeviceTaintRule', apiVersion: 'resource.k8s.io/v1beta2', metadata: { name: ruleName, uid }, status: { conditions } };
    const options = { subresource: 'status', fieldManager: name, force: true } as const;
    await client.patch(deviceTaintRules, undefined, ruleName, 'apply', applied as unknown as JsonObject, options);
  }

  #world(): DeviceWorld {
    return {
      slicesOf: (pool) => this.#slices.byIndex(byPool, pool),
      claim: (namespace, claim) => this.#claims.get(namespace, claim),
      sharesGroups: this.#environment.options.workloadClaims,
      rules: (this.#rules?.list() ?? []).filter(({ spec }) => spec.taint?.effect === 'NoExecute'),
    };
  }

  #census() {
    const pools = new Set(this.#slices.list().map(({ spec }) => poolKey(spec.driver, spec.pool.name)));
    return {
      world: this.#world(),
      pods: this.#pods.list(),
      claims: this.#claims.list(),
      pools: [...pools].map((pool) => this.#slices.byIndex(byPool, pool)),
    };
  }

  #tell({ metadata: { namespace = '', name: podName = '', uid = '' } }: Pod, message: string, causes: readonly Cause[]): void {
    const reference = { kind: 'Pod', apiVersion: 'v1', metadata: { name: podName, namespace, uid } };
    this.#environment.recorder.event(reference, 'Normal', 'DeviceTaintManagerEviction', message, causes);
  }
}

function podKey({ metadata }: Pod): string {
  return `${podPrefix}${metadata.namespace}/${metadata.name}/${metadata.uid}`;
}

/** Others change too often to be looked at. */
function hasMoved(old: Pod, pod: Pod): boolean {
  return old.spec?.nodeName !== pod.spec?.nodeName || !deepEqual(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses);
}

async function patchCondition(client: ReconcileContext['client'], pod: Pod, nowMs: number): Promise<void> {
  const reason = 'DeletionByDeviceTaintManager';
  const { observedGeneration: _, ...condition } = disruptionTarget(pod, reason, 'Device Taint manager: deleting due to NoExecute taint', nowMs);
  const old = pod.status?.conditions?.find(({ type }) => type === condition.type);
  if (old?.status !== 'True' || old.reason !== condition.reason || old.message !== condition.message) await patchPodStatus(client, pod, condition);
}

export const deviceTaintEvictionController = defineController<DeviceTaintEvictionController>({
  name,
  aliases: [],
  gates: ['DynamicResourceAllocation', 'DRADeviceTaints'],
  serviceAccount: name,
  gatedRules: {
    gate: 'DRADeviceTaintRules',
    rules: [
      { apiGroups: ['resource.k8s.io'], resources: ['devicetaintrules'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: ['resource.k8s.io'], resources: ['devicetaintrules/status'], verbs: ['patch', 'update'] },
    ],
  },
  eventSource: name,
  workers: ({ concurrentDeviceTaintSyncs }) => concurrentDeviceTaintSyncs,
  watches: [
    watchOf(pods, (event, controller: DeviceTaintEvictionController) => controller.keysOfPod(event)),
    watchOf(resourceClaims, (event, controller: DeviceTaintEvictionController) => controller.keysOfClaim(event)),
    watchOf(resourceSlices, (event, controller: DeviceTaintEvictionController) => controller.keysOfSlice(event)),
    {
      ...watchOf(deviceTaintRules, (event, controller: DeviceTaintEvictionController) => controller.keysOfRule(event)),
      when: ({ deviceTaintRules: isOn }: ControllerOptions) => isOn,
    },
  ],
  create: (environment) => new DeviceTaintEvictionController(environment),
});
