/** The annotation in which apps/v1 keeps a daemon set's old template generation. Mirrors pkg/apis/apps/v1/conversion.go. */
import type { DaemonSet } from '../../../api/apps/v1/types.gen.ts';
import { goJson } from '../../../apimachinery/quote.ts';
import type { JsonValue } from '../../../base/json.ts';
import { dropStatus, keepStatus } from '../../shared/strategy.ts';

export const generationAnnotation = 'deprecated.daemonset.template.generation';

function withGeneration(object: DaemonSet, generation: number): DaemonSet {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [generationAnnotation]: String(generation) } } };
}

export function prepareDaemonSet(object: DaemonSet): DaemonSet {
  const given = Number(object.metadata.annotations?.[generationAnnotation] ?? 0);
  return withGeneration(dropStatus(object), given > 0 ? given : 1);
}

/** It never changes by itself: it counts changes of the template. */
export function prepareDaemonSetUpdate(next: DaemonSet, old: DaemonSet): DaemonSet {
  const before = Number(old.metadata.annotations?.[generationAnnotation] ?? 0);
  const [now, then] = [next.spec?.template, old.spec?.template];
  const changed = now !== then && goJson((now ?? null) as JsonValue) !== goJson((then ?? null) as JsonValue);
  return withGeneration(keepStatus(next, old), changed ? before + 1 : before);
}
