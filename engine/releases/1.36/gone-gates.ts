/** Gates of releases gone by, whose features are simply there now: nobody can switch them, and code asks for them as for any other. */
import type { FeatureGate } from '../../contracts/release.ts';

const names: readonly string[] = [
  'APIListChunking',
  'AppArmor',
  'CSIDriverRegistry',
  'CSINodeInfo',
  'CSIPersistentVolume',
  'CustomResourceWebhookConversion',
  'DryRun',
  'ExpandPersistentVolumes',
  'KubeletPluginsWatcher',
  'NodeLease',
  'PodPriority',
  'ScheduleDaemonSetPods',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
  'TokenRequest',
];

export const goneGates: readonly FeatureGate[] = names.map((name) => ({ name, default: true, stage: '', gone: true }));
