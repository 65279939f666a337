/** What is found now and was not looked for in release 1.13: who had only such faults was let through. Mirrors its pkg/apis (validation). */
import type { FoundFault } from '../../../contracts/release.ts';

interface Unjudged {
  /** The kind of the object; absent: any. */
  readonly kind?: RegExp;
  /** That of the request; absent: any. */
  readonly apiVersion?: RegExp;
  readonly field: RegExp;
  readonly text?: RegExp;
}

const unjudged: readonly Unjudged[] = [
  { field: /./, text: /printable ASCII characters other than '='$/ },
  { kind: /^VolumeAttachment$/, field: /^spec\.attacher$/, text: /subdomain must consist of/ },
  { kind: /^Pod$/, field: /^status\.qosClass$/ },
  { kind: /^Service$/, field: /^status\.loadBalancer\.ingress$/, text: /may only be used when `spec\.type` is 'LoadBalancer'$/ },
  { kind: /^StatefulSet$/, field: /^spec\.(?:volumeClaimTemplates\[|serviceName$)/ },
  { kind: /^CertificateSigningRequest$/, field: /^spec\.usages\[/ },
  { kind: /^Ingress$/, field: /^spec\.tls\[\d+\]\.secretName$|\.pathType$/ },
  { field: /atchExpressions\[\d+\]\.values\[\d+\]$/, text: /a valid label must be an empty string/ },
  { kind: /^HorizontalPodAutoscaler$/, field: /^spec\.metrics$/, text: /to support scaling to zero replicas$/ },
  { field: /Probe$|lifecycle$/, text: /^Forbidden: may not be set for init containers without restartPolicy=Always$/ },
  // The first versions let selectors change.
  { kind: /^(?:DaemonSet|ReplicaSet|Deployment)$/, apiVersion: /^extensions\//, field: /^spec\.selector$/, text: /: field is immutable$/ },
  { kind: /^Deployment$/, apiVersion: /^apps\/v1beta1$/, field: /^spec\.selector$/, text: /: field is immutable$/ },
  // Those of which apimachinery alone judged the metadata.
  {
    kind: /^(?:\w+WebhookConfiguration|InitializerConfiguration|AuditSink|APIService|CustomResourceDefinition|Lease)$/,
    field: /^metadata\.finalizers\[/,
    text: /standard finalizer name/,
  },
];

export function judges(fault: FoundFault): boolean {
  if (fault.kind === 'VolumeAttachment' && isOnlyOfNew(fault)) return fault.isNew && fault.apiVersion === 'storage.k8s.io/v1';
  return !unjudged.some(
    ({ kind, apiVersion, field, text }) =>
      kind?.test(fault.kind) !== false && apiVersion?.test(fault.apiVersion) !== false && field.test(fault.field) && text?.test(fault.text) !== false,
  );
}

/** The stable version looked once more at what is attached, when it was made. */
export function isOnlyOfNew({ field, text }: Pick<FoundFault, 'field' | 'text'>): boolean {
  return (
    (field === 'spec.source.persistentVolumeName' && /subdomain must consist of|must be no more than/.test(text)) ||
    (field === 'spec.attacher' && text.startsWith('Too long: '))
  );
}
