/** What the first versions of workloads fill: selector and labels from the template. Mirrors pkg/apis/extensions/v1beta1/defaults.go. */
import { compactInt64, type Int64 } from '../../base/int64.ts';
import type { LabelSelector } from '../../api/meta/v1/types.gen.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { rollbackAnnotation } from '../../contracts/rollback.ts';

interface Workload extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly template?: { readonly metadata?: { readonly labels?: { readonly [key: string]: string } } };
  };
}

/** The greatest int32: as upstream's controllers read it, no limit. */
export const unlimited = 2147483647;

/** Selects what the template makes, where nothing is said. */
export function defaultFromTemplate<T extends Workload>(object: T): T {
  const labels = object.spec?.template?.metadata?.labels;
  if (labels === undefined || labels === null) return object;
  const selected = object.spec?.selector ? object : { ...object, spec: { ...object.spec, selector: { matchLabels: labels } } };
  if (Object.keys(selected.metadata.labels ?? {}).length > 0) return selected;
  return { ...selected, metadata: { ...selected.metadata, labels } };
}

interface WithRollback extends KubeObject {
  readonly spec?: { readonly rollbackTo?: { readonly revision?: Int64 } };
}

/** The present version keeps a wish to roll back in an annotation. */
export function hideRollback<T extends WithRollback>(object: T): KubeObject {
  const { rollbackTo, ...spec } = object.spec ?? {};
  if (rollbackTo === undefined || rollbackTo === null) return object;
  const annotations = { ...object.metadata.annotations, [rollbackAnnotation]: String(rollbackTo.revision ?? 0) };
  return { ...object, metadata: { ...object.metadata, annotations }, spec } as KubeObject;
}

export function showRollback<T extends WithRollback>(object: KubeObject): T {
  const { [rollbackAnnotation]: revision, ...annotations } = object.metadata.annotations ?? {};
  // What is no revision was written by somebody else, and stays an annotation.
  if (revision === undefined || !/^-?[0-9]{1,18}$/.test(revision)) return object as T;
  const { spec } = object as WithRollback;
  return {
    ...object,
    metadata: { ...object.metadata, annotations },
    spec: { ...spec, rollbackTo: { revision: compactInt64(BigInt(revision)) } },
  } as unknown as T;
}
