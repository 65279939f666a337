/** Pods say nothing about whom they run as. Of old releases; mirrors plugin/pkg/admission/securitycontext/scdeny. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import { defineAdmissionPlugin } from '../plugin.ts';

const ofPod = { supplementalGroups: 'SupplementalGroups', seLinuxOptions: 'SELinuxOptions', runAsUser: 'RunAsUser', fsGroup: 'FSGroup' } as const;

export const securityContextDeny = defineAdmissionPlugin({
  name: 'SecurityContextDeny',
  verbs: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  validate({ object, group, resource }) {
    const { metadata, spec } = object as Pod;
    const refuse = (what: string): never => {
      throw newForbidden({ group, resource }, metadata.name ?? '', `${what} is forbidden`);
    };
    for (const [field, name] of Object.entries(ofPod))
      if (spec?.securityContext?.[field as keyof typeof ofPod] !== undefined) refuse(`pod.Spec.SecurityContext.${name}`);
    for (const { securityContext } of [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])])
      for (const field of ['seLinuxOptions', 'runAsUser'] as const)
        if (securityContext?.[field] !== undefined) refuse(`SecurityContext.${ofPod[field]}`);
  },
});
