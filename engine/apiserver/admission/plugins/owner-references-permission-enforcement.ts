/**
 * Whoever names owners of an object may delete it, and whoever holds up the owners' deletion by that may finalize them. Mirrors
 * plugin/pkg/admission/gc.
 */
import { deepEqual } from '../../../base/equal.ts';
import { type KubeObject, type OwnerReference, parseGroupVersion } from '../../../apimachinery/object.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { AccessAttributes } from '../../../contracts/access.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

export const ownerReferencesPermissionEnforcement = defineAdmissionPlugin({
  name: 'OwnerReferencesPermissionEnforcement',
  verbs: ['CREATE', 'UPDATE'],
  seesAll: true,
  validate(attributes) {
    const { verb, group, version, resource, subresource, namespace, name, identity, authorize } = attributes;
    // Kubelets of old spoil them there, and the strategy of pods puts them right.
    if (group === '' && resource === 'pods' && subresource === 'status') return;
    const [next, old] = [ownersOf(attributes.object), ownersOf(attributes.oldObject)];
    if (deepEqual(next, old)) return;
    if (verb !== 'CREATE') {
      const asked = { verb: 'delete', isResource: true, path: '', group, version, resource, subresource, namespace, name };
      const { allowed, reason } = authorize(identity, asked);
      if (!allowed) refuse(attributes, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
    }
    const wasBlocking = new Map(old.map(({ uid, blockOwnerDeletion }) => [uid, blockOwnerDeletion === true]));
    const blocking = next.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && wasBlocking.get(uid) !== true);
    if (blocking.length === 0 || authorize(identity, finalizing('*', '*', '*', '', '*')).allowed) return;
    for (const owner of blocking) checkOwner(owner, attributes);
  },
});

function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata?.ownerReferences ?? [];
}

function finalizing(group: string, version: string, resource: string, namespace: string, name: string): AccessAttributes {
  return { verb: 'update', isResource: true, path: '', group, version, resource, subresource: 'finalizers', namespace, name };
}

function checkOwner({ apiVersion, kind, name }: OwnerReference, attributes: AdmissionAttributes): void {
  const owner = attributes.forms.resourceOf(apiVersion, kind);
  const gv = parseGroupVersion(apiVersion);
  if (owner === undefined || gv === undefined)
    return refuse(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ` +
        `no matches for kind ${goQuote(kind)} in version ${goQuote(apiVersion)}`,
    );
  const namespace = owner.isNamespaced ? attributes.namespace : '';
  const { allowed, reason } = attributes.authorize(attributes.identity, finalizing(gv.group, gv.version, owner.plural, namespace, name));
  if (!allowed)
    refuse(attributes, `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`);
}
