/**
 * Nothing is created in a namespace that is missing or terminating, and system namespaces are not deleted. Mirrors apiserver
 * pkg/admission/plugin/namespace/lifecycle.
 */
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { newForbidden, newNotFound, newStatusError } from '../../../apimachinery/errors.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';

const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);
/** Reviews of access may be asked about namespaces that are not there. */
const reviews: ReadonlySet<string> = new Set(['localsubjectaccessreviews']);

export const namespaceLifecycle = defineAdmissionPlugin({
  name: 'NamespaceLifecycle',
  verbs: ['CREATE', 'UPDATE', 'DELETE'],
  // Those that are created: an eviction, a binding, a token or a rollback wants its namespace too.
  subresources: ['', 'binding', 'eviction', 'rollback', 'token'],
  // Before other plugins look for what the namespace should have.
  admit(object, attributes) {
    check(attributes);
    return object;
  },
  validate: check,
});

function check(attributes: AdmissionAttributes): void {
  const { verb, group, resource, namespace } = attributes;
  if (group === '' && resource === 'namespaces') {
    if (verb === 'DELETE' && immortal.has(attributes.name))
      throw newForbidden({ group, resource }, attributes.name, 'this namespace may not be deleted');
    return;
  }
  if (namespace === '' || reviews.has(resource)) return;
  const found = attributes.lookup('', 'namespaces', undefined, namespace) as Namespace | undefined;
  if (verb !== 'CREATE') return;
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  if (found.status?.phase === 'Terminating') throw terminating(attributes);
}

function terminating(attributes: AdmissionAttributes): Error {
  const { namespace } = attributes;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = refusal(attributes, why);
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
  return newStatusError(403, 'Forbidden', status.message ?? why, { ...status.details, causes: [cause] });
}
