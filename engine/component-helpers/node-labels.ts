/** Which labels a kubelet may give its own Node. Mirrors k8s.io/kubelet pkg/apis/well_known_labels.go and the plugin NodeRestriction. */
const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);
const kubeletNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'] as const;
const projectNamespaces = ['kubernetes.io', 'k8s.io'] as const;
const restricted = 'node-restriction.kubernetes.io';

/** The project's own labels only where kubelets are known to set them; whatever others invent, but no node-restriction. */
export function maySetNodeLabel(key: string): boolean {
  const namespace = namespaceOf(key);
  if (isWithin(namespace, restricted)) return false;
  if (!projectNamespaces.some((one) => isWithin(namespace, one))) return true;
  return kubeletLabels.has(key) || kubeletNamespaces.some((one) => isWithin(namespace, one));
}

/** Labels of nodes that no node may have from itself. */
export function isRestrictedLabel(key: string): boolean {
  return isWithin(namespaceOf(key), restricted);
}

function namespaceOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('/')));
}

function isWithin(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}
