/** What a namespace says of its own deletion. Mirrors pkg/controller/namespace/deletion/status_condition_utils.go. */
import type { NamespaceCondition } from '../../api/core/v1/types.gen.ts';

/** Type, reason and message while nothing is wrong, in the order in which they are written. */
const fine = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
] as const;

export interface Remaining {
  /** Objects left by `resource.group`. */
  readonly resources: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

export function failureCondition(messages: readonly string[]): Omit<NamespaceCondition, 'lastTransitionTime'> | undefined {
  if (messages.length === 0) return undefined;
  const message = `Failed to delete all resource types, ${messages.length} remaining: ${messages.toSorted().join(', ')}`;
  return { type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'ContentDeletionFailed', message };
}

export function remainingConditions({ resources, finalizers }: Remaining): readonly Omit<NamespaceCondition, 'lastTransitionTime'>[] {
  const conditions: Omit<NamespaceCondition, 'lastTransitionTime'>[] = [];
  if (resources.size > 0) {
    const texts = [...resources].map(([resource, count]) => `${resource} has ${count} resource instances`).sort();
    conditions.push({
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${texts.join(', ')}`,
    });
  }
  if (finalizers.size > 0) {
    const texts = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
    const message = `Some content in the namespace has finalizers remaining: ${texts.join(', ')}`;
    conditions.push({ type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message });
  }
  return conditions;
}

/** The conditions to write, or undefined when nothing would change. What is not failing says so. */
export function mergeConditions(
  old: readonly NamespaceCondition[],
  failing: readonly Omit<NamespaceCondition, 'lastTransitionTime'>[],
  now: string,
): readonly NamespaceCondition[] | undefined {
  const merged = [...old];
  let changed = false;
  for (const [type, reason, message] of fine) {
    const next = failing.find((condition) => condition.type === type) ?? { type, status: 'False', reason, message };
    const position = merged.findIndex((condition) => condition.type === type);
    const before = merged[position];
    if (before !== undefined && before.status === next.status && before.reason === next.reason && before.message === next.message) continue;
    changed = true;
    const { status, ...said } = next;
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    const condition: NamespaceCondition = {
      type,
      status,
      lastTransitionTime,
      ...(said.reason ? { reason: said.reason } : {}),
      ...(said.message ? { message: said.message } : {}),
    };
    if (before === undefined) merged.push(condition);
    else merged[position] = condition;
  }
  return changed ? merged : undefined;
}
