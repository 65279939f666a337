/** Pods may keep others off their node, and off nothing larger. Mirrors plugin/pkg/admission/antiaffinity. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const allowed = 'kubernetes.io/hostname';

export const limitPodHardAntiAffinityTopology = defineAdmissionPlugin({
  name: 'LimitPodHardAntiAffinityTopology',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  validate({ object, group, resource }) {
    const { metadata, spec } = object as Pod;
    for (const { topologyKey } of spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      if (topologyKey !== allowed)
        throw newForbidden(
          { group, resource },
          metadata.name ?? '',
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${topologyKey} but only key ${allowed} is allowed`,
        );
  },
});
