/** Claims without a volume, and volumes that nobody can use any more. */
import type { PersistentVolumeClaim } from '../../api/core/v1/types.gen.ts';
import { defineDetector } from '../finding.ts';

const patienceMs = 15_000;
const waits: ReadonlySet<string> = new Set(['WaitForFirstConsumer', 'WaitForPodScheduled']);

export const claimDetector = defineDetector<PersistentVolumeClaim>({
  resource: 'persistentvolumeclaims',
  isSuspect: ({ status }) => status?.phase !== 'Bound',
  find: ({ metadata, spec, status }, world, sinceMs) => {
    if (status?.phase === 'Lost') return { reason: 'Lost', summary: `its volume ${spec?.volumeName ?? ''} is gone, and what was on it` };
    if (world.nowMs - sinceMs < patienceMs) return undefined;
    const warning = world.warning(metadata.uid ?? '');
    if (warning !== undefined) return { reason: warning.reason, summary: warning.message, next: { text: 'it is tried again, less and less often' } };
    const name = spec?.storageClassName;
    const storageClass = name ? world.get('storageclasses.storage.k8s.io', undefined, name) : undefined;
    const mode = (storageClass as { readonly volumeBindingMode?: string } | undefined)?.volumeBindingMode ?? '';
    // Its pod tells what is wrong; without one, nothing is.
    if (waits.has(mode)) return undefined;
    if (name && storageClass === undefined)
      return {
        reason: 'NoClass',
        summary: `there is no storage class ${name}`,
        next: { text: `it is bound once there is one, or a volume that fits` },
      };
    return {
      reason: 'Unbound',
      summary: name ? `no volume of class ${name} fits it yet` : 'no volume fits it, and it names no class that could make one',
    };
  },
});
