/** A pod's priority comes from its class, or from the class that is the global default. Mirrors plugin/pkg/admission/priority. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { PriorityClass } from '../../../api/scheduling/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

/** `globalDefault` gives the class that is one, if any. */
export function createPriorityPlugin(globalDefault: (attributes: AdmissionAttributes) => PriorityClass | undefined): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'Priority',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['pods'],
    admit(object, attributes) {
      const pod = object as Pod;
      if (pod.spec === undefined) return object;
      if (attributes.verb === 'UPDATE') return asBefore(pod, attributes.oldObject as Pod | undefined);
      const named = pod.spec.priorityClassName;
      const chosen = named
        ? (attributes.lookup('scheduling.k8s.io', 'priorityclasses', undefined, named) as PriorityClass | undefined)
        : globalDefault(attributes);
      if (named && chosen === undefined)
        throw newForbidden({ group: '', resource: 'pods' }, attributes.name, `no PriorityClass with name ${named} was found`);
      const priority = chosen?.value ?? 0;
      if (pod.spec.priority !== undefined && pod.spec.priority !== priority) {
        const why = `the integer value of priority (${pod.spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
        throw newForbidden({ group: '', resource: 'pods' }, attributes.name, why);
      }
      const preemptionPolicy = pod.spec.preemptionPolicy ?? chosen?.preemptionPolicy ?? 'PreemptLowerPriority';
      const className = chosen === undefined ? {} : { priorityClassName: chosen.metadata.name as string };
      return { ...pod, spec: { ...pod.spec, ...className, priority, preemptionPolicy } };
    },
  });
}

/** What was decided at the creation stays; validation refuses whoever wants something else. */
function asBefore(pod: Pod, old: Pod | undefined): Pod {
  const { priority = old?.spec?.priority, preemptionPolicy = old?.spec?.preemptionPolicy } = pod.spec ?? {};
  if (pod.spec === undefined || (priority === pod.spec.priority && preemptionPolicy === pod.spec.preemptionPolicy)) return pod;
  const kept = { ...(priority === undefined ? {} : { priority }), ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }) };
  return { ...pod, spec: { ...pod.spec, ...kept } };
}
