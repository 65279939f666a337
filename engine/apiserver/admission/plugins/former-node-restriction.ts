/** What a kubelet of release 1.13 may write. Mirrors plugin/pkg/admission/noderestriction of that release. */
import type { Node, Pod } from '../../../api/core/v1/types.gen.ts';
import { newNotFound } from '../../../apimachinery/errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { JsonValue } from '../../../base/json.ts';
import { deepEqual } from '../../../base/equal.ts';
import { isRestrictedLabel, maySetNodeLabel } from '../../../component-helpers/node-labels.ts';
import { isMirrorPod, mirrorAnnotation } from '../../../component-helpers/pod.ts';
import { podConfigMapNames, podSecretNames } from '../../../component-helpers/pod-references.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { refuse } from '../refusal.ts';

/** That no kubelet set of old. */
const laterLabels: ReadonlySet<string> = new Set(['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']);

export function checkFormerPod(node: string, attributes: AdmissionAttributes): void {
  const { verb, subresource } = attributes;
  switch (subresource) {
    case '':
      if (verb === 'CREATE') return checkMirrorPod(node, attributes);
      if (verb === 'UPDATE') return refuse(attributes, 'unexpected operation "UPDATE"');
      if (nodeOf(attributes) === node) return;
      return refuse(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
    case 'status':
      if ((attributes.oldObject as Pod | undefined)?.spec?.nodeName === node) return;
      return refuse(attributes, `node ${goQuote(node)} can only update pod status for pods with spec.nodeName set to itself`);
    case 'eviction':
      if (nodeOf(attributes) === node) return;
      return refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
    default:
      return refuse(attributes, `unexpected pod subresource ${goQuote(subresource)}`);
  }
}

/** Of the stored pod, which is looked for in a cache that has its own name for the kind. */
function nodeOf({ namespace, name, lookup }: AdmissionAttributes): string | undefined {
  const pod = name === '' ? undefined : (lookup('', 'pods', namespace, name) as Pod | undefined);
  if (pod === undefined) throw newNotFound({ group: '', resource: 'pod' }, name);
  return pod.spec?.nodeName;
}

/** Nobody asks whose it is. */
function checkMirrorPod(node: string, attributes: AdmissionAttributes): void {
  const pod = attributes.object as Pod;
  const quoted = goQuote(node);
  if (!isMirrorPod(pod)) refuse(attributes, `pod does not have "${mirrorAnnotation}" annotation, node ${quoted} can only create mirror pods`);
  if (pod.spec?.nodeName !== node) refuse(attributes, `node ${quoted} can only create pods with spec.nodeName set to itself`);
  const reference = referenceOf(pod);
  if (reference !== undefined) refuse(attributes, `node ${quoted} can not create pods that reference ${reference}`);
}

function referenceOf(pod: Pod): string | undefined {
  if (pod.spec?.serviceAccountName) return 'a service account';
  if (podSecretNames(pod).length > 0) return 'secrets';
  if (podConfigMapNames(pod).length > 0) return 'configmaps';
  return (pod.spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim !== undefined) ? 'persistentvolumeclaims' : undefined;
}

/** A new Node may say more of itself than one that is there, and may be another's for as long as it says nothing wrong. */
export function checkFormerNode(node: string, attributes: AdmissionAttributes): void {
  const { verb, name, object, oldObject } = attributes;
  const quoted = goQuote(node);
  const [next, old] = [object as Node, oldObject as Node | undefined];
  const source = next?.spec?.configSource;
  if (verb === 'CREATE') {
    if (source !== undefined) refuse(attributes, 'cannot create with non-nil configSource');
    const labels = changedLabels(next, undefined).filter(isRestrictedLabel);
    if (labels.length > 0) refuse(attributes, `cannot set labels: ${labels.join(', ')}`);
  }
  if (name !== node) refuse(attributes, `node ${quoted} cannot modify node ${goQuote(name)}`);
  if (verb !== 'UPDATE') return;
  if (source !== undefined && !isSame(source, old?.spec?.configSource))
    refuse(attributes, `node ${quoted} cannot update configSource to a new non-nil configSource`);
  if (!isSame(next.spec?.taints ?? [], old?.spec?.taints ?? [])) refuse(attributes, `node ${quoted} cannot modify taints`);
  const labels = changedLabels(next, old).filter((key) => !maySetNodeLabel(key) || laterLabels.has(key));
  if (labels.length > 0) refuse(attributes, `cannot modify labels: ${labels.join(', ')}`);
}

/** Sorted. */
export function changedLabels(next: Pick<Node, 'metadata'>, old: Pick<Node, 'metadata'> | undefined): readonly string[] {
  const [now, before] = [next.metadata.labels ?? {}, old?.metadata.labels ?? {}];
  const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...keys].filter((key) => now[key] !== before[key]).sort();
}

function isSame(a: unknown, b: unknown): boolean {
  return deepEqual(a as JsonValue | undefined, b as JsonValue | undefined);
}
