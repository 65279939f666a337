/** In which order several objects are made: what others need stands first. */
import type { Manifest } from '../../editor/check-text.ts';

const first: readonly string[] = [
  'Namespace',
  'CustomResourceDefinition',
  'PriorityClass',
  'StorageClass',
  'ResourceQuota',
  'LimitRange',
  'ServiceAccount',
  'Secret',
  'ConfigMap',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
  'NetworkPolicy',
  'PodDisruptionBudget',
  'Service',
  'ImageProfile',
];
/** They would judge, or send elsewhere, what is made with them. */
const last: readonly string[] = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'APIService', 'Fault', 'ScenarioRun'];

/** Of two of the same kind the one that stands first in the text is made first. */
export function inOrder(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function placeOf({ gvk }: Manifest): number {
  const kind = gvk?.kind ?? '';
  const [early, late] = [first.indexOf(kind), last.indexOf(kind)];
  return early >= 0 ? early : late >= 0 ? first.length + 1 + late : first.length;
}
