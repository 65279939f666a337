/** The pods of a gang are as many as the gang was made for. Mirrors plugin/pkg/admission/job, which is on where the gate GenericWorkload is. */
import type { Job } from '../../../api/batch/v1/types.gen.ts';
import type { PodGroup } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

/** The plugin; it does nothing while the gate is off. */
export function createJobValidation(isOn: boolean): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'JobValidation',
    verbs: ['UPDATE'],
    resources: ['jobs.batch'],
    validate(attributes) {
      const [job, old] = [attributes.object as Job, attributes.oldObject as Job];
      if (!isOn || job.spec?.parallelism === old.spec?.parallelism) return;
      const named = old.spec?.template.spec?.schedulingGroup?.podGroupName;
      const groups = named === undefined ? (attributes.stored(`podgroups/${attributes.namespace}`) as readonly PodGroup[]) : [];
      const gang =
        named === undefined
          ? groups.find((group) => isOwned(group, old) && isGang(group))
          : (attributes.lookup('scheduling.k8s.io', 'podgroups', attributes.namespace, named) as PodGroup | undefined);
      if (gang !== undefined && isGang(gang))
        refuse(attributes, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${goQuote(gang.metadata.name ?? '')}`);
    },
  });
}

function isGang({ spec }: PodGroup): boolean {
  return Boolean(spec?.schedulingPolicy?.gang);
}

function isOwned({ metadata }: PodGroup, { metadata: job }: Job): boolean {
  return (metadata.ownerReferences ?? []).some(({ controller, uid }) => controller === true && uid === job.uid);
}
