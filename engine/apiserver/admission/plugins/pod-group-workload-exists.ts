/**
 * A PodGroup that names a template of a Workload is only made while both are there. Mirrors plugin/pkg/admission/podgroup, which is on
 * where the gate GenericWorkload is.
 */
import { newForbidden } from '../../../apimachinery/errors.ts';
import type { PodGroup, Workload } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

/** The plugin; it does nothing while the gate is off. */
export function createPodGroupWorkloadExists(isOn: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PodGroupWorkloadExists',
    verbs: ['CREATE'],
    resources: ['podgroups.scheduling.k8s.io'],
    validate({ object, namespace, lookup }) {
      const group = object as PodGroup;
      const reference = group.spec?.podGroupTemplateRef?.workload;
      if (!isOn || !reference) return;
      const { workloadName, podGroupTemplateName } = reference;
      const refuse = (why: string): Error =>
        newForbidden({ group: 'scheduling.k8s.io', resource: 'podgroups' }, group.metadata.name ?? '', `PodGroup rejected: ${why}`);
      const workload = lookup('scheduling.k8s.io', 'workloads', namespace, workloadName) as Workload | undefined;
      const name = JSON.stringify(workloadName);
      if (workload === undefined) throw refuse(`Workload ${name} not found`);
      if (workload.metadata.deletionTimestamp !== undefined) throw refuse(`Workload ${name} is being deleted`);
      if (!(workload.spec.podGroupTemplates ?? []).some((template) => template.name === podGroupTemplateName))
        throw refuse(`PodGroupTemplate ${JSON.stringify(podGroupTemplateName)} not found in Workload ${name}`);
    },
  });
}
