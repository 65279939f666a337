/** Keeps the pods of StatefulSets, each with a name, claims and a turn of its own. Mirrors pkg/controller/statefulset/stateful_set.go. */
import { deepEqual } from '../../base/equal.ts';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '../../api/apps/v1/types.gen.ts';
import type { PersistentVolumeClaim, Pod } from '../../api/core/v1/types.gen.ts';
import { isConflict } from '../../apimachinery/errors.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type Informer, type InformerEvent, keyOf, splitKey } from '../../client/informer.ts';
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { Resync } from '../lib/resync.ts';
import { CanonicalForm } from '../lib/canonical-form.ts';
import { claim, controllerIndex, controllerIndexValues, controllerOf, orphansOf, sameControllerRef } from '../lib/controller-ref.ts';
import { toMatcher } from '../lib/label-selector.ts';
import { isPodReady, nextAvailabilityMs } from '../lib/pod.ts';
import { RevisionData } from '../lib/revision-data.ts';
import { claimRevisions, createRevision, forgetRevisions, listRevisions, nextNumber, renumber, type RevisionOwner } from '../lib/revision-history.ts';
import { WrittenVersions } from '../lib/written-versions.ts';
import { isMember, podRevision } from './identity.ts';
import { StatefulPods } from './pods.ts';
import { Rollout } from './rollout.ts';
import { isNews, newStatus, type Revisions } from './status.ts';

/**
 * Upstream's sync looks at every pod of its set. Its workers take such time by themselves, and what changes meanwhile is answered
 * together; here it must be said. Sets of fewer pods are synced at once.
 */
const podsPerSyncMs = 20;

class StatefulSetController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #resync: Resync;
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #revisions: Informer<ControllerRevision>;
  readonly #written: WrittenVersions;
  readonly #form = new CanonicalForm();
  readonly #data: RevisionData;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#data = new RevisionData(this.#form, environment.options.traits);
    this.#sets = environment.informer(statefulSets);
    this.#resync = new Resync(environment, 'statefulset-controller', this.#sets);
    this.#pods = environment.informer(pods);
    this.#pods.addIndex(controllerIndex, controllerIndexValues, { ignoresStatus: true });
    this.#revisions = environment.informer(controllerRevisions);
    this.#revisions.addIndex(controllerIndex, controllerIndexValues);
    this.#written = new WrittenVersions(() => environment.nowMs(), environment.slots);
  }

  start(): void {
    this.#resync.start();
  }

  onTimer(): void {
    this.#resync.onTimer();
  }

  keysOfSet({ object }: InformerEvent<StatefulSet>): readonly string[] {
    this.#written.saw(statefulSets, object);
    return [keyOf(object)];
  }

  sawClaim({ object }: InformerEvent<PersistentVolumeClaim>): readonly string[] {
    this.#written.saw(persistentVolumeClaims, object);
    return [];
  }

  keysOfPod(event: InformerEvent<Pod>): readonly string[] {
    this.#written.saw(pods, event.object);
    return this.#concerned(event).filter((key) => {
      const delayMs = this.#syncMs(key);
      if (delayMs > 0) this.#environment.enqueueAfter(key, delayMs, event.causes);
      return delayMs === 0;
    });
  }

  #syncMs(key: string): number {
    const { namespace, name } = splitKey(key);
    return Math.floor((this.#sets.get(namespace, name)?.status?.replicas ?? 0) / podsPerSyncMs);
  }

  #concerned(event: InformerEvent<Pod>): readonly string[] {
    const pod = event.object;
    const owner = this.#ownerOf(pod);
    if (event.type !== 'update') {
      const isGoing = event.type === 'delete' || pod.metadata.deletionTimestamp !== undefined;
      if (owner !== undefined) return [keyOf(owner)];
      return isGoing || controllerOf(pod) !== undefined ? [] : this.#setsMatching(pod);
    }
    const { old } = event;
    const ownerChanged = !sameControllerRef(controllerOf(pod), controllerOf(old));
    const oldOwner = ownerChanged ? this.#ownerOf(old) : undefined;
    const keys = oldOwner === undefined ? [] : [keyOf(oldOwner)];
    if (controllerOf(pod) === undefined) {
      return ownerChanged || !deepEqual(pod.metadata.labels, old.metadata.labels) ? [...keys, ...this.#setsMatching(pod)] : keys;
    }
    if (owner === undefined) return keys;
    const { minReadySeconds = 0 } = owner.spec ?? {};
    if (minReadySeconds > 0 && !isPodReady(old) && isPodReady(pod))
      this.#environment.enqueueAfter(keyOf(owner), minReadySeconds * 1000, event.causes);
    return [...keys, keyOf(owner)];
  }

  async reconcile(context: ReconcileContext, key: string): Promise<void> {
    const missing = this.#written.missing(key);
    if (missing !== undefined) throw new RetryError(missing);
    const { namespace, name } = splitKey(key);
    const set = this.#sets.get(namespace, name);
    if (set === undefined) {
      this.#written.forget(key);
      return;
    }
    const owner = { object: set, type: statefulSets, matches: toMatcher(set.spec?.selector) };
    const orphans = listRevisions(this.#revisions, owner).filter((revision) => controllerOf(revision) === undefined);
    await claimRevisions(context.client, owner, orphans, this.#environment.options.traits.takesRevisionsAlong);
    await this.#sync(context, key, owner, set, await this.#claimPods(context, owner, set));
  }

  #claimPods({ client }: ReconcileContext, { matches }: RevisionOwner, set: StatefulSet): Promise<readonly Pod[]> {
    const { uid = '', namespace } = set.metadata;
    const orphans = this.#pods.byIndex(controllerIndex, orphansOf(namespace)).filter((pod) => matches(pod.metadata.labels) && isMember(set, pod));
    const options = { client, owner: set, ownerType: statefulSets, type: pods, matches, accepts: (pod: Pod) => isMember(set, pod) };
    return claim(options, [...this.#pods.byIndex(controllerIndex, uid), ...orphans]);
  }

  /** Whatever goes wrong, history is kept short. */
  async #sync(context: ReconcileContext, key: string, owner: RevisionOwner, set: StatefulSet, own: readonly Pod[]): Promise<void> {
    const known = listRevisions(this.#revisions, owner);
    let revisions: Revisions | undefined;
    let failure: unknown;
    try {
      revisions = await this.#revisionsOf(context, owner, set, known);
      await this.#roll(context, key, set, own, revisions);
    } catch (error) {
      if (!(error instanceof StatusError) && !(error instanceof RetryError)) throw error;
      failure = error;
    }
    await this.#truncate(context, set, own, known, revisions);
    if (failure !== undefined) throw failure;
  }

  /** The revision that the set's template is, made or counted up if need be, and the one that its pods come from. */
  async #revisionsOf({ client }: ReconcileContext, owner: RevisionOwner, set: StatefulSet, known: readonly ControllerRevision[]): Promise<Revisions> {
    const template = set.spec?.template;
    const text = this.#data.patchOf(template);
    const newest = known.at(-1);
    const equal = known.findLast((revision) => this.#data.textOf(revision) === text);
    let collisionCount = set.status?.collisionCount ?? 0;
    let update: ControllerRevision;
    if (equal !== undefined) {
      update = newest !== undefined && this.#data.textOf(newest) === text ? newest : await renumber(client, equal, nextNumber(known));
    } else if (newest !== undefined && this.#environment.options.comparesRevisions && deepEqual(this.#data.templateOf(newest), template)) {
      // Another server's words for the same template are no news.
      update = newest;
    } else {
      const made = await createRevision(client, this.#data, owner, template, { revision: nextNumber(known), collisionCount });
      update = made.revision;
      collisionCount = made.collisionCount;
    }
    return { current: known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update, update, collisionCount };
  }

  async #roll(context: ReconcileContext, key: string, set: StatefulSet, own: readonly Pod[], revisions: Revisions): Promise<void> {
    const environment = this.#environment;
    const nowMs = environment.nowMs();
    const { current, update } = revisions;
    const { counts, error, isCut } = await new Rollout({
      set,
      pods: own,
      revisions,
      currentTemplate: (current.metadata.name === update.metadata.name ? undefined : this.#data.templateOf(current)) ?? set.spec?.template,
      labelsOrdinals: this.#environment.options.traits.labelsOrdinals,
      control: new StatefulPods({ environment, context, written: this.#written, form: this.#form, key, set }),
      nowMs,
      callsAvailable: environment.callsAvailable(),
      severalAtOnce: environment.options.maxUnavailableStatefulSet,
    }).run();
    const status = newStatus(set, counts, revisions);
    try {
      if (isNews(set, status)) this.#written.wrote(key, statefulSets, await this.#writeStatus(context, set, status));
    } catch (refusal) {
      // The first thing that went wrong is the one to tell.
      if (!(refusal instanceof StatusError) || error === undefined) throw refusal;
    }
    if (error !== undefined) throw error;
    if (isCut) environment.enqueue(key, context.causes);
    const { minReadySeconds = 0 } = set.spec ?? {};
    if (minReadySeconds === 0 || counts.ready === counts.available) return;
    environment.enqueueAfter(key, nextAvailabilityMs(own, minReadySeconds, nowMs) ?? minReadySeconds * 1000, context.causes);
  }

  /** A conflict is tried once more on the object as it is now. */
  async #writeStatus({ client }: ReconcileContext, set: StatefulSet, status: StatefulSetStatus): Promise<StatefulSet> {
    try {
      return await client.updateStatus(statefulSets, { ...set, status });
    } catch (error) {
      if (!isConflict(error)) throw error;
      const fresh = await client.get(statefulSets, set.metadata.namespace, set.metadata.name ?? '');
      if (fresh.metadata.uid !== set.metadata.uid) throw error;
      return client.updateStatus(statefulSets, { ...fresh, status });
    }
  }

  /** Forgets the oldest revisions that nothing is made of, beyond the limit. */
  async #truncate(
    { client }: ReconcileContext,
    set: StatefulSet,
    own: readonly Pod[],
    known: readonly ControllerRevision[],
    revisions: Revisions | undefined,
  ): Promise<void> {
    const live = new Set(own.map(podRevision));
    for (const revision of [revisions?.current, revisions?.update]) live.add(revision?.metadata.name ?? '');
    const history = known.filter(({ metadata }) => !live.has(metadata.name ?? ''));
    const limit = set.spec?.revisionHistoryLimit ?? 10;
    if (limit >= 0 && history.length > limit) await forgetRevisions(client, history.slice(0, history.length - limit));
  }

  #ownerOf(pod: Pod): StatefulSet | undefined {
    const reference = controllerOf(pod);
    if (reference?.kind !== 'StatefulSet') return undefined;
    const set = this.#sets.get(pod.metadata.namespace, reference.name);
    return set?.metadata.uid === reference.uid ? set : undefined;
  }

  #setsMatching({ metadata: { namespace, labels } }: Pod): readonly string[] {
    if (labels === undefined) return [];
    return this.#sets
      .list(namespace)
      .filter(({ spec }) => toMatcher(spec?.selector)(labels))
      .map(keyOf);
  }
}

export const statefulSetController = defineController<StatefulSetController>({
  name: 'statefulset-controller',
  aliases: ['statefulset'],
  serviceAccount: 'statefulset-controller',
  eventSource: 'statefulset-controller',
  workers: (options) => options.concurrentStatefulSetSyncs,
  watches: [
    watchOf(statefulSets, (event, controller: StatefulSetController) => controller.keysOfSet(event)),
    watchOf(pods, (event, controller: StatefulSetController) => controller.keysOfPod(event)),
    watchOf(persistentVolumeClaims, (event, controller: StatefulSetController) => controller.sawClaim(event)),
    watchOf(controllerRevisions, () => []),
  ],
  create: (environment) => new StatefulSetController(environment),
});
