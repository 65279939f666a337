/** A namespace that is not there is made, or refuses what goes into it. Mirrors plugin/pkg/admission/namespace/{autoprovision,exists}. */
import { newNotFound } from '../../../apimachinery/errors.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

const namespaces = { group: '', resource: 'namespaces' };

export const namespaceAutoProvision = defineAdmissionPlugin({
  name: 'NamespaceAutoProvision',
  verbs: ['CREATE'],
  seesAll: true,
  mutate(attributes) {
    const { object, dryRun, namespace } = attributes;
    if (!dryRun && isMissing(attributes)) provide(namespace, attributes);
    return object;
  },
});

export const namespaceExists = defineAdmissionPlugin({
  name: 'NamespaceExists',
  verbs: ['CREATE', 'UPDATE', 'DELETE'],
  seesAll: true,
  validate(attributes) {
    if (isMissing(attributes)) throw newNotFound(namespaces, attributes.namespace);
  },
});

function provide(name: string, attributes: AdmissionAttributes): void {
  try {
    attributes.create('', 'namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (error instanceof StatusError && error.status.reason !== 'Forbidden') refuse(attributes, error.message);
    throw error;
  }
}

function isMissing({ namespace, group, kind, lookup }: AdmissionAttributes): boolean {
  if (namespace === '' || (group === '' && kind === 'Namespace')) return false;
  return lookup('', 'namespaces', undefined, namespace) === undefined;
}
