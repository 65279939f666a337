/** Who owns what: one controller each, nothing collected that still has an owner, owners wait for or let go of what they own. */
import { controllerUid, nameOf, type Thing, type World } from '../world.ts';
import type { Promises } from '../promises.ts';
import type { Checker } from './checker.ts';

const collector = 'system:serviceaccount:kube-system:generic-garbage-collector';
const cronController = 'system:serviceaccount:kube-system:cronjob-controller';
/** Longest time from an owner's end to the collection of what it owned. */
const collectionMs = 60_000;
/** Longest time until the collector knows an object; creation timestamps are whole seconds. */
const collectorLagMs = 2_000;

export function oneController(): Checker {
  return {
    name: 'one controller each',
    onChange({ current, previous }) {
      const now = current?.value as Thing | undefined;
      if (now === undefined) return [];
      const controllers = (now.metadata.ownerReferences ?? []).filter(({ controller }) => controller === true);
      if (controllers.length > 1) return [`${nameOf(now)} has ${controllers.length} controllers`];
      const from = controllerUid(previous?.value as Thing | undefined);
      const to = controllerUid(now);
      return from !== undefined && to !== undefined && from !== to ? [`${nameOf(now)} went from one controller to another`] : [];
    },
  };
}

export function collectionIsRight(promises: Promises): Checker {
  return {
    name: 'collection is right',
    onChange({ type, current, previous, meta }, world) {
      const before = previous?.value as Thing | undefined;
      const found: string[] = [];
      const starts = type === 'delete' || current?.value.metadata.deletionTimestamp !== undefined;
      if (before !== undefined && meta.identity === collector && before.metadata.deletionTimestamp === undefined && starts)
        found.push(...whyKept(before, world, promises));
      // A CronJob replaces a Job in the background, even one that somebody deletes in the foreground.
      const isReplaced = meta.identity === cronController && before?.kind === 'Job';
      if (type === 'delete' && before !== undefined && !isReplaced && !promises.inBackground.has(before.metadata.uid ?? ''))
        found.push(...leftBehind(before, world));
      return found;
    },
  };
}

/** Reasons not to collect an object. */
function whyKept(object: Thing, world: World, promises: Promises): readonly string[] {
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) return [`${nameOf(object)} was collected and has no owner`];
  const uids = new Set(owners.map(({ uid }) => uid));
  const living = world.everything().filter(({ metadata }) => uids.has(metadata.uid ?? '') && metadata.deletionTimestamp === undefined);
  // One that its controller has made while the owner went was not known to the collector, and has nobody left.
  const knownMs = (Date.parse(object.metadata.creationTimestamp ?? '') || 0) + collectorLagMs;
  const orphaned = owners.filter(({ uid }) => (promises.orphaned.get(uid) ?? Number.NEGATIVE_INFINITY) >= knownMs);
  return [
    ...living.map((owner) => `${nameOf(object)} was collected while ${nameOf(owner)} owns it`),
    ...orphaned.map(({ kind, name }) => `${nameOf(object)} was collected though ${kind} ${name} was deleted to orphan it`),
  ];
}

/** What an owner that is gone should have waited for, or let go of. */
function leftBehind({ metadata: { uid, finalizers = [] }, kind }: Thing, world: World): readonly string[] {
  const waits = finalizers.includes('foregroundDeletion');
  const orphans = finalizers.includes('orphan');
  if (!waits && !orphans) return [];
  // One that was made a moment ago was not known to the collector yet; it goes later.
  const isKnown = ({ metadata: { creationTimestamp = '' } }: Thing): boolean => !(world.nowMs - Date.parse(creationTimestamp ?? '') < collectorLagMs);
  return world
    .everything()
    .filter(isKnown)
    .flatMap((dependent) =>
      (dependent.metadata.ownerReferences ?? [])
        .filter((owner) => owner.uid === uid && (orphans || owner.blockOwnerDeletion === true))
        .map((owner) => `${kind} ${owner.name} went ${orphans ? 'without letting go of' : 'before'} ${nameOf(dependent)}`),
    );
}

/** At rest every owner that is named exists, and what was to go has gone. */
export function nothingIsLeftOver(): Checker {
  return {
    name: 'nothing is left over',
    atRest(world) {
      const all = world.everything();
      const uids = new Set(all.map(({ metadata }) => metadata.uid));
      const namespaces = new Set(world.all('namespaces').map(({ metadata }) => metadata.name));
      return all.flatMap((thing) => {
        const { ownerReferences = [], deletionTimestamp, namespace, finalizers = [] } = thing.metadata;
        const found: string[] = [];
        if (ownerReferences.length > 0 && ownerReferences.every(({ uid }) => !uids.has(uid)) && deletionTimestamp === undefined)
          found.push(`${nameOf(thing)} has no owner left`);
        if (namespace !== undefined && !namespaces.has(namespace)) found.push(`${nameOf(thing)} is in no namespace`);
        const overdue = deletionTimestamp !== undefined && world.nowMs - Date.parse(deletionTimestamp) > collectionMs;
        if (overdue && finalizers.length === 0 && thing.kind !== 'Namespace') found.push(`${nameOf(thing)} was to go at ${deletionTimestamp}`);
        return found;
      });
    },
  };
}
