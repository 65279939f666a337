/**
 * Pods are made as some pod security policy wants them that their maker or their service account may use: one that asks for no change
 * rather than one that does, then by name. Mirrors plugin/pkg/admission/security/podsecuritypolicy of release 1.13.
 */
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { Identity } from '../../../contracts/request.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refusal, refuse } from '../refusal.ts';
import { containerFaults } from './container-checks.ts';
import { type FillOptions, filledPod, withAnnotations } from './defaults.ts';
import { podFaults } from './pod-checks.ts';
import { annotationOf, isUsable, placedContainers } from './policy.ts';

const chosenBy = 'kubernetes.io/psp';

/** What came of looking for a policy. */
type Choice = { readonly pod: Pod; readonly policy: string } | { readonly faults: readonly string[] };

export function createPodSecurityPolicy(options: FillOptions): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PodSecurityPolicy',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    admit(object, attributes) {
      if (attributes.verb !== 'CREATE') return object;
      const choice = choose(attributes, object as Pod, options);
      if ('faults' in choice) throw rejection(attributes, choice.faults);
      attributes.annotate('podsecuritypolicy.policy.k8s.io/admit-policy', choice.policy);
      return withAnnotations(choice.pod, { [chosenBy]: choice.policy });
    },
    validate(attributes) {
      const pod = attributes.object as Pod;
      if (attributes.verb === 'UPDATE' && changesOwnersOnly(pod, attributes.oldObject as Pod)) return;
      const choice = choose(attributes, pod, options, annotationOf(pod, chosenBy));
      if ('faults' in choice) throw rejection(attributes, choice.faults);
      attributes.annotate('podsecuritypolicy.policy.k8s.io/validate-policy', choice.policy);
    },
  });
}

function rejection(attributes: AdmissionAttributes, faults: readonly string[]): Error {
  return refusal(attributes, `unable to validate against any pod security policy: [${faults.join(' ')}]`);
}

/** What the garbage collector may do to every pod. */
function changesOwnersOnly(next: Pod, old: Pod): boolean {
  const bare = ({ metadata, ...rest }: Pod): object => {
    const { ownerReferences: _owners, finalizers: _finalizers, resourceVersion: _version, managedFields: _fields, ...meta } = metadata;
    return { ...rest, metadata: meta };
  };
  return deepEqual(bare(next), bare(old));
}

/** With a `hint` nothing may be changed, and the policy of that name comes first. */
function choose(attributes: AdmissionAttributes, pod: Pod, options: FillOptions, hint?: string): Choice {
  const rank = ({ metadata }: PodSecurityPolicy): string => (metadata.name === hint ? '' : (metadata.name ?? ''));
  const policies = (attributes.stored('podsecuritypolicy') as readonly PodSecurityPolicy[])
    .filter(({ spec }) => spec !== undefined && isUsable(spec))
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  if (policies.length === 0) refuse(attributes, 'no providers available to validate pod request');
  const rejected = new Map<string, readonly string[]>();
  let changed: Choice | undefined;
  for (const policy of policies) {
    const name = policy.metadata.name ?? '';
    const filled = filledPod(policy, pod, options);
    const faults = [
      ...podFaults(policy, filled),
      ...placedContainers(filled).flatMap(({ container, path }) => containerFaults(policy, filled, container, path, options)),
    ];
    if (faults.length > 0) rejected.set(name, faults);
    if (faults.length > 0 || (filled !== pod && (hint !== undefined || changed !== undefined)) || !mayUse(attributes, pod, name)) continue;
    if (filled === pod) return { pod, policy: name };
    changed = { pod: filled, policy: name };
  }
  if (changed !== undefined) return changed;
  return { faults: [...rejected].flatMap(([name, faults]) => (mayUse(attributes, pod, name) ? faults : [])) };
}

/** Asked for the service account first, and in both groups that have the resource. */
function mayUse({ authorize, identity, namespace }: AdmissionAttributes, pod: Pod, policy: string): boolean {
  const account = pod.spec?.serviceAccountName ?? '';
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const accounts: readonly Identity[] = account === '' ? [] : [{ name: `system:serviceaccount:${namespace}:${account}`, groups }];
  const asked = { verb: 'use', isResource: true, path: '', version: '', resource: 'podsecuritypolicies', subresource: '', namespace, name: policy };
  return [...accounts, identity].some((who) => ['policy', 'extensions'].some((group) => authorize(who, { ...asked, group }).allowed));
}
