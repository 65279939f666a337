/** How things go: finalizers are waited for, pods get their grace, namespaces go last. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { Promises } from '../promises.ts';
import { nameOf, prefixOf, type Thing, type World } from '../world.ts';
import type { Checker } from './checker.ts';

const admin = 'kubernetes-admin';
const podCollector = 'system:serviceaccount:kube-system:pod-garbage-collector';
const gone: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed']);

export function finalizersAreHonoured(promises: Promises): Checker {
  return {
    name: 'finalizers are honoured',
    onChange({ type, key, previous, meta }) {
      const { finalizers = [] } = previous?.value.metadata ?? {};
      if (type !== 'delete' || finalizers.length === 0 || promises.released.has(key)) return [];
      const holds = finalizers.filter((finalizer) => finalizer.startsWith('example.com/'));
      // The write that takes the last finalizer away removes the object at once.
      if (finalizers.length > 1 || holds.length > 0) return [`${key} was removed by ${meta.identity} under ${finalizers.join(', ')}`];
      return [];
    },
  };
}

export function gracePeriodsAreKept(promises: Promises): Checker {
  return {
    name: 'grace periods are kept',
    onChange({ type, key, previous, current, meta }) {
      if (!key.startsWith('/registry/pods/')) return [];
      const before = previous?.value as Pod | undefined;
      if (before === undefined || promises.released.has(key)) return [];
      if (type === 'delete') return wasCutShort(before, key, meta.identity);
      const now = current?.value as Pod;
      if (before.metadata.deletionTimestamp !== undefined || now.metadata.deletionTimestamp === undefined) return [];
      return meta.identity === admin ? [] : wrongGrace(before, now);
    },
  };
}

function wasCutShort({ metadata, spec, status }: Pod, key: string, identity: string): readonly string[] {
  if (identity === podCollector || !spec?.nodeName || gone.has(status?.phase)) return [];
  if (metadata.deletionTimestamp === undefined) return [`${key} was removed by ${identity} without any grace`];
  const running = (status?.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);
  if (running.length > 0 && identity.startsWith('system:node:')) return [`${key} was removed by ${identity} while ${running[0]?.name} ran`];
  return [];
}

/** A component that names no grace period gives the pod its own. */
function wrongGrace({ spec, status }: Pod, { metadata }: Pod): readonly string[] {
  if (!spec?.nodeName || gone.has(status?.phase)) return [];
  const own = Number(spec.terminationGracePeriodSeconds ?? 30);
  const given = Number(metadata.deletionGracePeriodSeconds ?? 0);
  return given === own ? [] : [`Pod ${metadata.namespace}/${metadata.name} was given ${given} s of its ${own} s`];
}

/** A namespace is removed after everything in it. */
export function namespacesGoLast(): Checker {
  return {
    name: 'namespaces go last',
    onChange({ type, key, previous }, world) {
      if (type !== 'delete' || prefixOf(key) !== 'namespaces') return [];
      const name = previous?.value.metadata.name;
      return inside(world, name).map((thing) => `namespace ${name} went before ${nameOf(thing)}`);
    },
  };
}

function inside(world: World, namespace: string | undefined): readonly Thing[] {
  // Events are still written of what has just gone.
  return world.everything().filter(({ kind, metadata }) => metadata.namespace === namespace && kind !== 'Event');
}
