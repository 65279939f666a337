/** A pod's priority comes from its class, or from the class that is the global default. Mirrors plugin/pkg/admission/priority. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import type { PodGroup } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import type { PriorityClass } from '../../../api/scheduling/v1/types.gen.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refusal, refuse } from '../refusal.ts';

const systemClasses: ReadonlySet<string> = new Set(['system-cluster-critical', 'system-node-critical']);
const groups = 'podgroups.scheduling.k8s.io';
const classes = 'priorityclasses.scheduling.k8s.io';

export interface PriorityGates {
  /** Groups of pods have a priority. */
  readonly judgesGroups: boolean;
  /** A pod of the system that an annotation calls critical has the class for that. */
  readonly heedsAnnotation: boolean;
  /** Pods of the two classes of the system may be in any namespace. */
  readonly criticalAnywhere: boolean;
}

/** `globalDefault` gives the class that is one, if any. */
export function createPriorityPlugin(
  globalDefault: (attributes: AdmissionAttributes) => PriorityClass | undefined,
  { judgesGroups, heedsAnnotation, criticalAnywhere }: PriorityGates,
): AdmissionPlugin {
  const chosenBy = (named: string | undefined, attributes: AdmissionAttributes): PriorityClass | undefined => {
    if (!named) return globalDefault(attributes);
    const chosen = attributes.lookup('scheduling.k8s.io', 'priorityclasses', undefined, named) as PriorityClass | undefined;
    if (chosen === undefined) throw refusal(attributes, `no PriorityClass with name ${named} was found`);
    return chosen;
  };
  const withPriority = (object: PodGroup, attributes: AdmissionAttributes): PodGroup => {
    const { priorityClassName, priority: said } = object.spec ?? {};
    const chosen = chosenBy(priorityClassName, attributes);
    const computed = chosen?.value ?? 0;
    if (said !== undefined && said !== computed) {
      const why = `priority set in the pod group (${said}) must match the priority computed (${computed}) based on the priority class set in the spec`;
      refuse(attributes, why);
    }
    const className = chosen === undefined ? {} : { priorityClassName: chosen.metadata.name as string };
    return { ...object, spec: { ...object.spec, ...className, priority: computed } } as PodGroup;
  };
  return defineAdmissionPlugin({
    name: 'Priority',
    verbs: ['CREATE', 'UPDATE'],
    resources: judgesGroups ? ['pods', classes, groups] : ['pods', classes],
    admit(object, attributes) {
      if (attributes.resource === 'podgroups') return attributes.verb === 'CREATE' ? withPriority(object as PodGroup, attributes) : object;
      if (attributes.resource === 'priorityclasses') return object;
      const pod = object as Pod;
      if (pod.spec === undefined) return object;
      if (attributes.verb === 'UPDATE') return asBefore(pod, attributes.oldObject as Pod | undefined);
      const named = pod.spec.priorityClassName || (heedsAnnotation && isCalledCritical(pod) ? 'system-cluster-critical' : '');
      if (!criticalAnywhere && systemClasses.has(named) && attributes.namespace !== 'kube-system')
        refuse(attributes, `pods with ${named} priorityClass is not permitted in ${attributes.namespace} namespace`);
      const chosen = chosenBy(named, attributes);
      const priority = chosen?.value ?? 0;
      if (pod.spec.priority !== undefined && pod.spec.priority !== priority) {
        const why = `the integer value of priority (${pod.spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`;
        refuse(attributes, why);
      }
      const preemptionPolicy = (chosen === undefined ? 'PreemptLowerPriority' : chosen.preemptionPolicy) ?? pod.spec.preemptionPolicy;
      if (pod.spec.preemptionPolicy !== undefined && pod.spec.preemptionPolicy !== preemptionPolicy) {
        const why = `the string value of PreemptionPolicy (${pod.spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`;
        refuse(attributes, why);
      }
      const className = chosen === undefined ? {} : { priorityClassName: chosen.metadata.name as string };
      return { ...pod, spec: { ...pod.spec, ...className, priority, ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }) } };
    },
    validate(attributes) {
      if (attributes.resource !== 'priorityclasses' || (attributes.object as PriorityClass | undefined)?.globalDefault !== true) return;
      const known = globalDefault(attributes)?.metadata.name;
      if (known === undefined || (attributes.verb === 'UPDATE' && known === attributes.object?.metadata.name)) return;
      refuse(attributes, `PriorityClass ${known} is already marked as default. Only one default can exist`);
    },
  });
}

function isCalledCritical({ metadata: { namespace, annotations } }: Pod): boolean {
  return namespace === 'kube-system' && getOwn(annotations, 'scheduler.alpha.kubernetes.io/critical-pod') === '';
}

/** What was decided at the creation stays; validation refuses whoever wants something else. */
function asBefore(pod: Pod, old: Pod | undefined): Pod {
  const { priority = old?.spec?.priority, preemptionPolicy = old?.spec?.preemptionPolicy } = pod.spec ?? {};
  if (pod.spec === undefined || (priority === pod.spec.priority && preemptionPolicy === pod.spec.preemptionPolicy)) return pod;
  const kept = { ...(priority === undefined ? {} : { priority }), ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }) };
  return { ...pod, spec: { ...pod.spec, ...kept } };
}
