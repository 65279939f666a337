/**
 * One reconcile of one deployment: finds or makes the new ReplicaSet, moves replicas between new and old, scales in proportion,
 * cleans up. Mirrors sync.go, rolling.go and recreate.go of pkg/controller/deployment.
 */
import { deepEqual } from '../../base/equal.ts';
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { isAlreadyExists, isNotFound } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import type { Informer } from '../../client/informer.ts';
import { deployments, replicaSets } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { isControlledBy, newControllerRef } from '../lib/controller-ref.ts';
import { isPodTerminal } from '../lib/pod.ts';
import { isNamespaceTerminating } from '../lib/pod-control.ts';
import { templateHash } from '../lib/template-hash.ts';
import {
  byCreation,
  countAnnotation,
  desiredAnnotation,
  desiredOf,
  findNew,
  hashLabel,
  hasProgressDeadline,
  historyLimitOf,
  isActive,
  isComplete,
  isRollingUpdate,
  isSaturated,
  maxSurgeOf,
  maxUnavailableOf,
  newReplicaSetSize,
  proportionOf,
  sizeOf,
  scalingEvent,
  sum,
  totalSize,
} from './arithmetic.ts';
import { byRevision, maxRevision, newReplicaSetAnnotations, revisionAnnotation, withSizes } from './revision.ts';
import { rolledBack } from './rollback.ts';
import { calculateStatus, conditionOf, makingOf, newCondition, progressCheckMs, rolloutStatus, setCondition, withConditions } from './status.ts';

const nameLengthMax = 253;

/** Pods that each owned ReplicaSet controls, by the ReplicaSet's UID. */
export type PodsOf = (replicaSet: ReplicaSet) => readonly Pod[];

export class Rollout {
  readonly #environment: ControllerEnvironment;
  readonly #context: ReconcileContext;
  readonly #cache: Informer<ReplicaSet>;
  readonly #owned: readonly ReplicaSet[];
  readonly #key: string;
  #deployment: Deployment;
  #new: ReplicaSet | undefined;
  #old: ReplicaSet[];

  constructor(environment: ControllerEnvironment, context: ReconcileContext, key: string, deployment: Deployment, owned: readonly ReplicaSet[]) {
    this.#environment = environment;
    this.#context = context;
    this.#cache = environment.informer(replicaSets);
    this.#key = key;
    this.#deployment = deployment;
    this.#owned = owned.toSorted(byCreation);
    this.#new = findNew(deployment, this.#owned);
    this.#old = this.#owned.filter((replicaSet) => replicaSet !== this.#new);
  }

  async statusOnly(): Promise<void> {
    await this.#syncNew(false);
    await this.#syncStatus();
  }

  /** Paused, or the number of replicas has changed. */
  async scaleOnly(): Promise<void> {
    await this.#syncNew(false);
    await this.#scale();
    if (this.#deployment.spec?.paused === true) await this.#cleanUp();
    await this.#syncStatus();
  }

  /** Puts an older template in the place of the present one; the next sync rolls it out. */
  async rollBack(asked: bigint): Promise<void> {
    await this.#syncNew(true);
    const { deployment, event } = rolledBack(this.#deployment, this.#all(), asked);
    await this.#context.client.update(deployments, deployment);
    this.#environment.recorder.event(this.#deployment, event.type, event.reason, event.message, this.#context.causes);
  }

  async rolling(): Promise<void> {
    await this.#syncNew(true);
    if (!(await this.#growNew()) && !(await this.#shrinkOld()) && isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp();
    await this.#syncRolloutStatus();
  }

  async recreate(podsOf: PodsOf): Promise<void> {
    await this.#syncNew(false);
    const active = this.#old.filter(isActive);
    for (const replicaSet of active) await this.#resize(replicaSet, 0);
    if (active.length === 0 && !this.#hasOldPods(podsOf)) {
      if (this.#new === undefined) await this.#syncNew(true);
      if (this.#new !== undefined) await this.#resize(this.#new, desiredOf(this.#deployment));
      if (isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp();
    }
    await this.#syncRolloutStatus();
  }

  /** Says on the condition Progressing that the deployment was paused or resumed. */
  async checkPaused(): Promise<void> {
    if (!hasProgressDeadline(this.#deployment)) return;
    const condition = conditionOf(this.#deployment.status?.conditions, 'Progressing');
    if (condition?.reason === 'ProgressDeadlineExceeded') return;
    const paused = this.#deployment.spec?.paused === true;
    if (paused === (condition?.reason === 'DeploymentPaused')) return;
    const word = paused ? 'paused' : 'resumed';
    await this.#writeCondition(this.#progressing('Unknown', paused ? 'DeploymentPaused' : 'DeploymentResumed', `Deployment is ${word}`));
  }

  /** Whether the wish has changed since the ReplicaSets were sized. */
  async isScaling(): Promise<boolean> {
    await this.#syncNew(false);
    return this.#all().some((replicaSet) => {
      const noted = isActive(replicaSet) ? countAnnotation(replicaSet, desiredAnnotation) : undefined;
      return noted !== undefined && noted !== desiredOf(this.#deployment);
    });
  }

  #all(): readonly ReplicaSet[] {
    return this.#new === undefined ? this.#old : [...this.#old, this.#new];
  }

  /** Brings the new ReplicaSet's annotations and the revision up to date; makes the ReplicaSet if there is none and it may. */
  async #syncNew(create: boolean): Promise<void> {
    const revision = maxRevision(this.#old) + 1n;
    if (this.#new !== undefined) await this.#adjustNew(this.#new, revision);
    else if (create) await this.#createNew(revision);
  }

  async #adjustNew(existing: ReplicaSet, revision: bigint): Promise<void> {
    const current = existing.metadata.annotations ?? {};
    const annotations = newReplicaSetAnnotations(this.#deployment, current, revision, this.#environment.options.traits.notesAnnotations);
    const minReadySeconds = this.#deployment.spec?.minReadySeconds ?? 0;
    if (annotations !== current || minReadySeconds !== (existing.spec?.minReadySeconds ?? 0)) {
      const spec = { ...existing.spec, minReadySeconds };
      this.#new = await this.#context.client.update(replicaSets, {
        ...existing,
        metadata: { ...existing.metadata, annotations },
        spec,
      } as ReplicaSet);
      return;
    }
    const found = hasProgressDeadline(this.#deployment) && conditionOf(this.#deployment.status?.conditions, 'Progressing') === undefined;
    const message = `Found new replica set "${existing.metadata.name}"`;
    await this.#noteRevision(annotations[revisionAnnotation] ?? '', found ? this.#progressing('True', 'FoundNewReplicaSet', message) : undefined);
  }

  async #createNew(revision: bigint): Promise<void> {
    const draft = this.#draft(revision);
    let existed = false;
    let created: ReplicaSet;
    try {
      created = await this.#context.client.create(replicaSets, draft);
    } catch (error) {
      const own = await this.#onCreateFailure(error, draft);
      if (own === undefined) throw error;
      existed = true;
      created = own;
    }
    this.#new = created;
    const { name } = created.metadata;
    if (!existed && sizeOf(draft) > 0) this.#tell(...scalingEvent(this.#environment.options.traits, name, 0, sizeOf(draft)));
    const isNews = !existed && hasProgressDeadline(this.#deployment);
    await this.#noteRevision(
      String(revision),
      isNews ? this.#progressing('True', 'NewReplicaSetCreated', `Created new replica set "${name}"`) : undefined,
    );
  }

  #draft(revision: bigint): ReplicaSet {
    const { metadata, spec, status } = this.#deployment;
    const hash = templateHash(this.#environment.options.podTemplateForms, spec?.template, status?.collisionCount);
    const labels = { ...spec?.template?.metadata?.labels, [hashLabel]: hash };
    const template = { ...spec?.template, metadata: { ...spec?.template?.metadata, labels } };
    const selector = { ...spec?.selector, matchLabels: { ...spec?.selector?.matchLabels, [hashLabel]: hash } };
    const minReadySeconds = spec?.minReadySeconds;
    return {
      kind: 'ReplicaSet',
      apiVersion: 'apps/v1',
      metadata: {
        name: `${(metadata.name ?? '').slice(0, nameLengthMax - hash.length - 1)}-${hash}`,
        namespace: metadata.namespace,
        labels,
        annotations: withSizes(newReplicaSetAnnotations(this.#deployment, {}, revision, false), this.#deployment),
        ownerReferences: [newControllerRef(this.#deployment, deployments)],
      },
      spec: { replicas: newReplicaSetSize(this.#deployment, this.#old, 0), ...(minReadySeconds ? { minReadySeconds } : {}), selector, template },
    } as unknown as ReplicaSet;
  }

  /** The ReplicaSet of that name, if it is the one wanted. Otherwise notes the failure, or changes the hash for the next try. */
  async #onCreateFailure(error: unknown, draft: ReplicaSet): Promise<ReplicaSet | undefined> {
    const { namespace, name = '' } = draft.metadata;
    if (!(error instanceof StatusError) || isNamespaceTerminating(error)) return undefined;
    if (isAlreadyExists(error)) {
      const existing = this.#cache.get(namespace, name);
      if (existing === undefined) return undefined;
      if (isControlledBy(existing, this.#deployment) && findNew(this.#deployment, [existing]) !== undefined) return existing;
      const collisionCount = (this.#deployment.status?.collisionCount ?? 0) + 1;
      await this.#tryStatus({ ...this.#deployment.status, collisionCount } as DeploymentStatus);
      return undefined;
    }
    const message = `Failed to create new replica set "${name}": ${error.message}`;
    if (hasProgressDeadline(this.#deployment)) {
      const conditions = setCondition(this.#deployment.status?.conditions ?? [], this.#progressing('False', 'ReplicaSetCreateError', message));
      await this.#tryStatus(withConditions(this.#deployment.status, conditions));
    }
    this.#tell('Warning', 'ReplicaSetCreateError', message);
    return undefined;
  }

  /** Writes the revision on the deployment, and a condition with it. */
  async #noteRevision(revision: string, condition: DeploymentCondition | undefined): Promise<void> {
    const { metadata } = this.#deployment;
    const isNoted = metadata.annotations?.[revisionAnnotation] === revision;
    if (isNoted && condition === undefined) return;
    if (!isNoted)
      this.#deployment = { ...this.#deployment, metadata: { ...metadata, annotations: { ...metadata.annotations, [revisionAnnotation]: revision } } };
    if (condition !== undefined) await this.#writeCondition(condition);
    else await this.#writeStatus(this.#deployment.status ?? ({} as DeploymentStatus));
  }

  async #scale(): Promise<void> {
    const deployment = this.#deployment;
    const active = this.#all().filter(isActive);
    const single = active.length > 1 ? undefined : (active[0] ?? this.#new ?? this.#old.at(-1));
    if (single !== undefined) {
      await this.#resize(single, desiredOf(deployment));
    } else if (isSaturated(deployment, this.#new)) {
      for (const replicaSet of this.#old.filter(isActive)) await this.#resize(replicaSet, 0);
    } else if (isRollingUpdate(deployment) && active.length > 0) {
      await this.#scaleInProportion(active);
    }
  }

  async #scaleInProportion(active: readonly ReplicaSet[]): Promise<void> {
    const deployment = this.#deployment;
    const allowed = desiredOf(deployment) > 0 ? desiredOf(deployment) + maxSurgeOf(deployment) : 0;
    const toAdd = allowed - totalSize(active);
    const sorted = active.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)));
    let added = 0;
    const sizes = sorted.map((replicaSet) => {
      const proportion = proportionOf(replicaSet, deployment, toAdd, added);
      added += proportion;
      return sizeOf(replicaSet) + proportion;
    });
    // The largest takes what rounding has left over.
    sizes[0] = Math.max(0, (sizes[0] ?? 0) + (toAdd - added));
    for (const [i, replicaSet] of sorted.entries()) await this.#resize(replicaSet, sizes[i] ?? 0, true);
  }

  async #growNew(): Promise<boolean> {
    const current = this.#new;
    const desired = desiredOf(this.#deployment);
    if (current === undefined || sizeOf(current) === desired) return false;
    const size = sizeOf(current) > desired ? desired : newReplicaSetSize(this.#deployment, this.#all(), sizeOf(current));
    return this.#resize(current, size);
  }

  async #shrinkOld(): Promise<boolean> {
    const current = this.#new;
    const active = this.#old.filter(isActive);
    if (active.length === 0 || current === undefined) return false;
    const minAvailable = desiredOf(this.#deployment) - maxUnavailableOf(this.#deployment);
    const unavailableOfNew = sizeOf(current) - (current.status?.availableReplicas ?? 0);
    const most = totalSize(this.#all()) - minAvailable - unavailableOfNew;
    if (most <= 0) return false;
    try {
      const unhealthy = await this.#shrinkUnhealthy(active, most);
      return unhealthy !== undefined && (await this.#shrinkHealthy(minAvailable)) + unhealthy > 0;
    } catch (error) {
      // The next reconcile sees what was done and goes on; upstream drops the error here too.
      if (error instanceof StatusError) return false;
      throw error;
    }
  }

  /** Pods that serve nobody go first: they cost no availability. Undefined where a status is behind: nothing can be said of that set yet. */
  async #shrinkUnhealthy(active: readonly ReplicaSet[], most: number): Promise<number | undefined> {
    let removed = 0;
    for (const replicaSet of active) {
      if (removed >= most) break;
      const unhealthy = sizeOf(replicaSet) - (replicaSet.status?.availableReplicas ?? 0);
      if (unhealthy === 0) continue;
      if (unhealthy < 0) return undefined;
      const count = Math.min(most - removed, unhealthy);
      await this.#resize(replicaSet, sizeOf(replicaSet) - count);
      removed += count;
    }
    return removed;
  }

  async #shrinkHealthy(minAvailable: number): Promise<number> {
    const active = this.#old.filter(isActive);
    const available = sum(this.#new === undefined ? active : [...active, this.#new], (replicaSet) => replicaSet.status?.availableReplicas);
    let removed = 0;
    for (const replicaSet of active) {
      if (removed >= available - minAvailable) break;
      const count = Math.min(sizeOf(replicaSet), available - minAvailable - removed);
      await this.#resize(replicaSet, sizeOf(replicaSet) - count);
      removed += count;
    }
    return removed;
  }

  /** True when the size has changed. Annotations are brought up to date with it, or always if `force`. */
  async #resize(replicaSet: ReplicaSet, size: number, force = false): Promise<boolean> {
    const oldSize = sizeOf(replicaSet);
    if (oldSize === size && !force) return false;
    const current = replicaSet.metadata.annotations ?? {};
    const annotations = withSizes(current, this.#deployment);
    if (oldSize === size && annotations === current) return false;
    const metadata = { ...replicaSet.metadata, annotations };
    const written = await this.#context.client.update(replicaSets, {
      ...replicaSet,
      metadata,
      spec: { ...replicaSet.spec, replicas: size },
    } as ReplicaSet);
    if (this.#new === replicaSet) this.#new = written;
    else this.#old = this.#old.map((old) => (old === replicaSet ? written : old));
    if (oldSize === size) return false;
    this.#tell(...scalingEvent(this.#environment.options.traits, replicaSet.metadata.name, oldSize, size));
    return true;
  }

  #hasOldPods(podsOf: PodsOf): boolean {
    if (sum(this.#old, (replicaSet) => replicaSet.status?.replicas) > 0) return true;
    return this.#old.some((replicaSet) => podsOf(replicaSet).some((pod) => !isPodTerminal(pod)));
  }

  /** Forgets the oldest revisions beyond the limit. */
  async #cleanUp(): Promise<void> {
    const limit = historyLimitOf(this.#deployment);
    if (limit === undefined) return;
    const alive = this.#old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const surplus = alive.length - limit;
    if (surplus <= 0) return;
    for (const { metadata, spec, status } of alive.toSorted(byRevision).slice(0, surplus)) {
      if ((status?.replicas ?? 0) !== 0 || (spec?.replicas ?? 1) !== 0 || (metadata.generation ?? 0) > (status?.observedGeneration ?? 0)) continue;
      try {
        await this.#context.client.delete(replicaSets, metadata.namespace, metadata.name ?? '');
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }

  async #syncStatus(): Promise<void> {
    const status = calculateStatus(this.#deployment, this.#all(), this.#new, makingOf(this.#environment));
    if (!deepEqual(this.#deployment.status, status)) await this.#writeStatus(status);
  }

  async #syncRolloutStatus(): Promise<void> {
    const nowMs = this.#environment.nowMs();
    const status = rolloutStatus(this.#deployment, this.#all(), this.#new, makingOf(this.#environment));
    if (!deepEqual(this.#deployment.status, status)) {
      await this.#writeStatus(status);
      return;
    }
    const checkMs = progressCheckMs(this.#deployment, status, nowMs);
    if (checkMs === 'now') this.#environment.enqueueRateLimited(this.#key, this.#context.causes);
    else if (checkMs !== undefined) this.#environment.enqueueAfter(this.#key, checkMs, this.#context.causes);
  }

  #progressing(status: 'True' | 'False' | 'Unknown', reason: string, message: string): DeploymentCondition {
    return newCondition('Progressing', status, reason, message, this.#environment.nowMs());
  }

  async #writeCondition(condition: DeploymentCondition): Promise<void> {
    await this.#writeStatus(withConditions(this.#deployment.status, setCondition(this.#deployment.status?.conditions ?? [], condition)));
  }

  async #writeStatus(status: DeploymentStatus): Promise<void> {
    this.#deployment = await this.#context.client.updateStatus(deployments, { ...this.#deployment, status });
  }

  /** For a status beside a failure that is the one to report. */
  async #tryStatus(status: DeploymentStatus): Promise<void> {
    try {
      await this.#writeStatus(status);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
    }
  }

  #tell(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#environment.recorder.event(this.#deployment, type, reason, message, this.#context.causes);
  }
}
