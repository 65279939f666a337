/**
 * A PodGroup gets the finalizer that keeps it while pods belong to it. Mirrors plugin/pkg/admission/scheduling/podgroupprotection, which
 * is on where the gate GenericWorkload is.
 */
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

const finalizer = 'scheduling.k8s.io/podgroup-protection';

/** The plugin; it does nothing while the gate is off. */
export function createPodGroupProtection(isOn: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PodGroupProtection',
    verbs: ['CREATE'],
    resources: ['podgroups.scheduling.k8s.io'],
    admit(object) {
      const given = object.metadata.finalizers ?? [];
      if (!isOn || given.includes(finalizer)) return object;
      return { ...object, metadata: { ...object.metadata, finalizers: [...given, finalizer] } };
    },
  });
}
