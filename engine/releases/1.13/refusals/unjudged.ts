/** What is found now and was not looked for in release 1.13: who had only such faults was let through. Mirrors its pkg/apis (validation). */
import type { FoundFault } from '../../../contracts/release-faults.ts';

interface Unjudged {
  /** The kind of the object; absent: any. */
  readonly kind?: RegExp;
  /** That of the request; absent: any. */
  readonly apiVersion?: RegExp;
  readonly field: RegExp;
  readonly text?: RegExp;
}

/** Its form of names of drivers. */
const driverName = '[a-zA-Z0-9][-a-zA-Z0-9_.]{0,61}[a-zA-Z-0-9]';
const driver = new RegExp(`^${driverName}$`);

export const driverForm = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'csi-hostpath', regex used for validation is '^${driverName}$')`;

const unjudged: readonly Unjudged[] = [
  { field: /./, text: /printable ASCII characters other than '='$/ },
  { kind: /^VolumeAttachment$/, field: /^spec\.attacher$/, text: /subdomain must consist of|must be no more than/ },
  { kind: /^Pod$/, field: /^status\.qosClass$/ },
  { field: /\[hugepages-[^\]]*\]$/, text: / is not positive integer multiple of / },
  { field: /\.sysctls\[\d+\]\.name$/, text: /^Invalid value: .*: may not be specified when 'host(?:Network|IPC)' is true$|^Duplicate value: ".*\// },
  // How proc is mounted was anything, where its gate let it be said.
  { field: /\.securityContext\.procMount$/ },
  // A Service had one address and no list of them.
  { kind: /^Service$/, field: /^spec\.(?:clusterIPs|healthCheckNodePort)$/, text: /^Required value/ },
  { kind: /^StatefulSet$/, field: /^spec\.(?:volumeClaimTemplates\[|serviceName$|template\.spec\.(?!restartPolicy$|activeDeadlineSeconds$))/ },
  { kind: /^StatefulSet$/, field: /^status\.availableReplicas$/ },
  // The path of a token in a projected volume.
  { field: /\.projected\.path$/, text: /^Invalid value: / },
  // Who may approve could change his mind.
  { kind: /^CertificateSigningRequest$/, field: /^spec\.usages\[|^status\b/ },
  // Where a claim is filled from was looked at with its gate on alone.
  { kind: /^PersistentVolumeClaim$/, field: /^spec\.dataSource\.(?:kind|apiGroup)$|^spec\.dataSourceRef\b/ },
  { kind: /^PersistentVolumeClaim$/, field: /^spec\.dataSource$/, text: /: must be 'PersistentVolumeClaim' when / },
  // Judged by rules of its own.
  { kind: /^PersistentVolume$/, field: /^spec\.csi\.driver$/, text: new RegExp(`^Invalid value: "${driverName}": `) },
  { kind: /^PersistentVolume$/, field: /^spec\.csi\.nodePublishSecretRef\./ },
  { kind: /^PersistentVolume$/, field: /^spec\.csi\.controllerPublishSecretRef\./, text: /^Invalid value: / },
  { kind: /^ControllerRevision$/, field: /^data$/, text: /^Required value: data must be a valid JSON object$/ },
  { kind: /^Ingress$/, field: /^spec\.tls\[\d+\]\.secretName$|\.pathType$/ },
  { field: /atchExpressions\[\d+\]\.values\[\d+\]$/, text: /a valid label must be an empty string|: must be no more than 63 / },
  { kind: /^HorizontalPodAutoscaler$/, field: /^spec\.metrics$/, text: /to support scaling to zero replicas$/ },
  { field: /Probe$|lifecycle$/, text: /^Forbidden: may not be set for init containers without restartPolicy=Always$/ },
  // The first versions let selectors change.
  { kind: /^(?:DaemonSet|ReplicaSet|Deployment)$/, apiVersion: /^extensions\//, field: /^spec\.selector$/, text: /: field is immutable$/ },
  { kind: /^Deployment$/, apiVersion: /^apps\/v1beta1$/, field: /^spec\.selector$/, text: /: field is immutable$/ },
  // Those of which apimachinery alone judged the metadata.
  {
    kind: /^(?:\w+WebhookConfiguration|InitializerConfiguration|AuditSink|APIService|CustomResourceDefinition|Event|Lease|PodDisruptionBudget)$/,
    field: /^metadata\.finalizers\[/,
    text: /standard finalizer name/,
  },
];

export function judges(fault: FoundFault): boolean {
  if (unjudged.some((one) => isAbout(one, fault))) return false;
  return fault.kind !== 'VolumeAttachment' || !isOnlyOfNew(fault) || (fault.isNew && fault.apiVersion !== 'storage.k8s.io/v1beta1');
}

function isAbout({ kind, apiVersion, field, text }: Unjudged, fault: FoundFault): boolean {
  return (
    kind?.test(fault.kind) !== false && apiVersion?.test(fault.apiVersion) !== false && field.test(fault.field) && text?.test(fault.text) !== false
  );
}

/** Of a name that is there. */
export function driverFaults(name: string): readonly string[] {
  return name === '' || driver.test(name) ? [] : [driverForm];
}

/** All versions but the one between them looked once more at what is attached, when it was made. */
export function isOnlyOfNew({ field, text }: Pick<FoundFault, 'field' | 'text'>): boolean {
  return (
    (field === 'spec.source.persistentVolumeName' && /subdomain must consist of|must be no more than/.test(text)) ||
    (field === 'spec.attacher' && /^Too long: | must consist of /.test(text))
  );
}
