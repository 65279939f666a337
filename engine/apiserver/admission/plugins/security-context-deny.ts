/** Pods say nothing about whom they run as. Of old releases; mirrors plugin/pkg/admission/securitycontext/scdeny. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import { isList } from '../../../base/json.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const ofPod = { supplementalGroups: 'SupplementalGroups', seLinuxOptions: 'SELinuxOptions', runAsUser: 'RunAsUser', fsGroup: 'FSGroup' } as const;

export const securityContextDeny = defineAdmissionPlugin({
  name: 'SecurityContextDeny',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  validate({ object, group, resource, sent }) {
    const { metadata, spec } = object as Pod;
    const refuse = (what: string): never => {
      throw newForbidden({ group, resource }, metadata.name ?? '', `${what} is forbidden`);
    };
    const groups = (sent?.() as Pod | undefined)?.spec?.securityContext?.supplementalGroups;
    // A list of none is a list.
    const isEmptyList = isList(groups) && groups.length === 0;
    if (isEmptyList) refuse(`pod.Spec.SecurityContext.${ofPod.supplementalGroups}`);
    for (const [field, name] of Object.entries(ofPod))
      if (spec?.securityContext?.[field as keyof typeof ofPod] !== undefined) refuse(`pod.Spec.SecurityContext.${name}`);
    for (const { securityContext } of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])])
      for (const field of ['seLinuxOptions', 'runAsUser'] as const)
        if (securityContext?.[field] !== undefined) refuse(`SecurityContext.${ofPod[field]}`);
  },
});
