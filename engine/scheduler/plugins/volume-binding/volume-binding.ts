/** A pod waits until its claims exist (framework/plugins/volumebinding PreFilter). Binding of volumes is not done here. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { Action } from '../../framework/cluster-events.ts';
import { definePlugin } from '../../framework/plugin.ts';
import { unresolvable } from '../../framework/status.ts';

const name = 'VolumeBinding';

export const volumeBinding = definePlugin({
  name,
  order: 100,
  defaultWeight: 0,
  points: ['PreFilter'],
  args: {},
  reasons: ['persistentvolumeclaim "<name>" not found', 'persistentvolumeclaim "<name>" is being deleted'],
  create: (handle) => ({
    events: [
      {
        resource: 'PersistentVolumeClaim',
        action: Action.add | Action.updateOther,
        worth: (pod, change) => change.new?.metadata.namespace === pod.metadata.namespace,
      },
    ],
    preFilter: (_state, { pod, namespace }) => {
      for (const claim of claimsOf(pod)) {
        const found = handle.claim(namespace, claim);
        if (found === undefined) return { status: unresolvable(name, `persistentvolumeclaim "${claim}" not found`) };
        if (found.metadata.deletionTimestamp !== undefined)
          return { status: unresolvable(name, `persistentvolumeclaim "${claim}" is being deleted`) };
      }
      return { skip: true };
    },
  }),
});

function claimsOf(pod: Pod): readonly string[] {
  const names: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    if (volume.persistentVolumeClaim !== undefined) names.push(volume.persistentVolumeClaim.claimName);
    else if (volume.ephemeral !== undefined) names.push(`${pod.metadata.name ?? ''}-${volume.name}`);
  }
  return names;
}
