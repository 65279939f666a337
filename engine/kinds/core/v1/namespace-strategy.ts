/**
 * Life of a namespace: it is Active until it is deleted, then Terminating until its finalizers are gone, which only the `finalize`
 * subresource takes away. Mirrors pkg/registry/core/namespace/strategy.go and storage.go.
 */
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { invalid, required, type FieldError, type FieldErrorList } from '../../../apimachinery/field-errors.ts';
import type { KindDefinition } from '../../../contracts/kind.ts';
import { isQualifiedName } from '../../../apimachinery/validation.ts';
import { specPath, statusOnly, statusPath } from '../../shared/strategy.ts';

const nameLabel = 'kubernetes.io/metadata.name';
const kubernetesFinalizer = 'kubernetes';
const standardFinalizers: ReadonlySet<string> = new Set([kubernetesFinalizer, 'orphan', 'foregroundDeletion']);

function defaultNamespace(object: Namespace): Namespace {
  const { name, labels } = object.metadata;
  const labelled =
    name && labels?.[nameLabel] !== name ? { ...object, metadata: { ...object.metadata, labels: { ...labels, [nameLabel]: name } } } : object;
  return labelled.status?.phase ? labelled : { ...labelled, status: { ...labelled.status, phase: 'Active' } };
}

/** `areCounted`: faults say which of them they are of. */
function validateFinalizers(object: Namespace, areCounted = false): FieldErrorList {
  return (object.spec?.finalizers ?? []).flatMap((name, index) => {
    const path = areCounted ? specPath.child('finalizers').index(index) : specPath.child('finalizers');
    const faults: FieldError[] = isQualifiedName(name).map((fault) => invalid(path, name, fault));
    if (!name.includes('/') && !standardFinalizers.has(name))
      faults.push(invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified'));
    return faults;
  });
}

function validateStatus(next: Namespace): FieldErrorList {
  const phase = next.status?.phase ?? '';
  const terminating = next.metadata.deletionTimestamp !== undefined;
  if (!terminating && phase !== 'Active') return [invalid(statusPath.child('Phase'), phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  if (terminating && phase !== 'Terminating')
    return [invalid(statusPath.child('Phase'), phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  return [];
}

export const namespaceHooks: Pick<
  KindDefinition<Namespace>,
  | 'defaults'
  | 'prepareForCreate'
  | 'settle'
  | 'prepareForUpdate'
  | 'validate'
  | 'validateUpdate'
  | 'statusSubresource'
  | 'subresources'
  | 'beginDelete'
  | 'hasOtherFinalizers'
> = {
  defaults: defaultNamespace,
  prepareForCreate(object) {
    const finalizers = object.spec?.finalizers ?? [];
    const kept = finalizers.includes(kubernetesFinalizer) ? finalizers : [...finalizers, kubernetesFinalizer];
    return { ...object, spec: { ...object.spec, finalizers: kept }, status: { phase: 'Active' } };
  },
  // The name may have been generated since defaults were filled.
  settle: (object, context) => (context.ratcheted('NamespaceNameLabel') ? defaultNamespace(object) : object),
  prepareForUpdate: (next, old) => ({
    ...next,
    ...(old.spec === undefined ? undefined : { spec: old.spec }),
    ...(old.status === undefined ? undefined : { status: old.status }),
  }),
  validate: (object) => validateFinalizers(object),
  validateUpdate: () => [],
  statusSubresource: { verbs: ['get', 'patch', 'update'], prepareForUpdate: statusOnly, validateUpdate: validateStatus, resetFields: [['spec']] },
  subresources: {
    finalize: {
      verbs: ['update'],
      prepareForUpdate: (next, old) => ({ ...next, ...(old.status === undefined ? undefined : { status: old.status }) }),
      validateUpdate: (next) => (next.metadata.name ? validateFinalizers(next, true) : [required(specPath)]),
      resetFields: [['status']],
    },
  },
  beginDelete: (object) => ({ ...object, status: { ...object.status, phase: 'Terminating' } }),
  hasOtherFinalizers: holds,
};

function holds(object: Namespace): boolean {
  return (object.spec?.finalizers?.length ?? 0) > 0;
}
