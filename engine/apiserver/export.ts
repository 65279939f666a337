/** `export=true` on a read: the object without what a user cannot specify. Mirrors Export of generic/registry/store.go, gone since release 1.21. */
import type { ApiResult } from '../contracts/request.ts';
import type { KubeObject, ObjectMeta } from '../apimachinery/object.ts';

const warning = 'the export parameter is deprecated since v1.14 and no longer supported since v1.21';
const system: readonly (keyof ObjectMeta)[] = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

/** `exact` keeps what belongs to this cluster: the namespace, and a name that was generated. */
export function exported(result: ApiResult, exact: boolean, hasStatus: boolean): ApiResult {
  const object = result.object as KubeObject & { readonly status?: unknown };
  const metadata: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = { ...object.metadata };
  for (const name of system) delete metadata[name];
  if (!exact) delete metadata.namespace;
  if (!exact && metadata.generateName) delete metadata.name;
  const { status, ...rest } = object;
  const kept = status === undefined || hasStatus ? rest : object;
  return { ...result, object: { ...kept, metadata } as KubeObject, warnings: [...result.warnings, warning] };
}
