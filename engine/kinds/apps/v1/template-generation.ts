/** The annotation in which apps/v1 keeps a daemon set's old template generation. Mirrors pkg/apis/apps/v1/conversion.go. */
import type { DaemonSet } from '../../../api/apps/v1/types.gen.ts';
import { compactInt64, incremented, type Int64 } from '../../../base/int64.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specTemplate, templateHooks } from '../../shared/template-hooks.ts';

const hooks = templateHooks<DaemonSet>(specTemplate(false));

export const generationAnnotation = 'deprecated.daemonset.template.generation';

/** What is no whole number of 64 bits counts as none. */
export function generationOf(text: string | undefined): Int64 {
  return text !== undefined && /^-?[0-9]{1,19}$/.test(text) ? compactInt64(BigInt.asIntN(64, BigInt(text))) : 0;
}

function withGeneration(object: DaemonSet, generation: Int64): DaemonSet {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [generationAnnotation]: String(generation) } } };
}

/** Whoever says nothing of it says 0, and owns that. */
export function tellGeneration(object: DaemonSet): DaemonSet {
  return object.metadata.annotations?.[generationAnnotation] === undefined ? withGeneration(object, 0) : object;
}

export function prepareDaemonSet(object: DaemonSet, context: StrategyContext): DaemonSet {
  const given = generationOf(object.metadata.annotations?.[generationAnnotation]);
  return withGeneration(hooks.prepareForCreate(object, context), given > 0 ? given : 1);
}

/** It never changes by itself: it counts changes of the template. */
export function prepareDaemonSetUpdate(next: DaemonSet, old: DaemonSet, context: StrategyContext): DaemonSet {
  const before = generationOf(old.metadata.annotations?.[generationAnnotation]);
  const kept = hooks.prepareForUpdate(next, old, context);
  const [now, then] = [kept.spec?.template, old.spec?.template];
  const changed = !semanticEqual(now, then);
  return withGeneration(kept, changed ? incremented(before) : before);
}

/** A write of the status counts nothing, whatever it says of it. */
export function prepareDaemonSetStatus({ metadata, status }: DaemonSet, old: DaemonSet): DaemonSet {
  const next = { ...old, metadata, ...(status === undefined ? undefined : { status }) };
  return withGeneration(next, generationOf(old.metadata.annotations?.[generationAnnotation]));
}

/** Only a new template is looked at. */
export function daemonSetWarnings(object: DaemonSet, old: DaemonSet | undefined, context: StrategyContext): readonly string[] {
  const generation = (one: DaemonSet): string | undefined => one.metadata.annotations?.[generationAnnotation];
  return old !== undefined && generation(old) === generation(object) ? [] : hooks.warnings(object, old, context);
}
