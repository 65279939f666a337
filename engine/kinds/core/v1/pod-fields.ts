/** Fields of pods and templates that are there only with a gate. What an object has used already it may go on to use. Mirrors DropDisabledPodFields and DropDisabledTemplateFields of pkg/api/pod. */
import type { Container, Pod, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import { dropGated, type GatedFields } from '../../../apimachinery/gated-fields.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, editEach } from '../../shared/defaulting.ts';

type Gates = Pick<StrategyContext, 'featureEnabled'>;

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const ofContainers = (field: string): readonly string[] => lists.map((list) => `${list}.*.${field}`);
const rules = ofContainers('restartPolicyRules');
const sources = 'volumes.*.projected.sources.*';

/** Below the spec. */
const gatedOfSpec: readonly GatedFields[] = [
  { gates: ['ContainerStopSignals'], fields: ofContainers('lifecycle.stopSignal'), leavesNothing: true },
  {
    gates: ['ContainerRestartRules'],
    fields: ['containers.*.restartPolicy', 'ephemeralContainers.*.restartPolicy', ...rules],
    usedBy: ['containers.*.restartPolicy', 'initContainers.*.restartPolicyRules'],
  },
  { gates: ['EnvFiles'], fields: ofContainers('env.*.valueFrom.fileKeyRef') },
  { gates: ['HostnameOverride'], fields: ['hostnameOverride'] },
  { gates: ['PodLevelResources'], fields: ['resources'], usedBy: ['resources.requests', 'resources.limits'] },
  { gates: ['GenericWorkload'], fields: ['schedulingGroup'] },
  { gates: ['MatchLabelKeysInPodTopologySpread'], fields: ['topologySpreadConstraints.*.matchLabelKeys'] },
  { gates: ['ClusterTrustBundleProjection'], fields: [`${sources}.clusterTrustBundle`] },
  { gates: ['PodCertificateRequest'], fields: [`${sources}.podCertificate`] },
];

export function dropDisabled(spec: PodSpec, old: PodSpec | undefined, gates: Gates): PodSpec {
  const left = dropGated(spec, old, gatedOfSpec, gates);
  return gates.featureEnabled('ContainerRestartRules') || old?.initContainers?.some(hasOwnPolicy) === true
    ? left
    : editEach(left, 'initContainers', withoutOwnPolicy);
}

/** One that restarts always is a sidecar, which needs no gate. */
function hasOwnPolicy({ restartPolicy }: Container): boolean {
  return restartPolicy !== undefined && restartPolicy !== null && restartPolicy !== 'Always';
}

function withoutOwnPolicy(container: Container): Container {
  if (!hasOwnPolicy(container)) return container;
  const { restartPolicy: _, ...rest } = container;
  return rest;
}

export function dropDisabledInTemplate(template: PodTemplateSpec, old: PodTemplateSpec | undefined | null, gates: Gates): PodTemplateSpec {
  return edit(template, 'spec', (spec) => dropDisabled(spec, old?.spec, gates));
}

const statuses = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
const ofStatuses = (field: string): readonly string[] => statuses.map((list) => `${list}.*.${field}`);

/** Below the status. */
const gatedOfStatus: readonly GatedFields[] = [
  { gates: ['InPlacePodLevelResourcesVerticalScaling'], fields: ['resources', 'allocatedResources'] },
  { gates: ['DRAExtendedResource'], fields: ['extendedResourceClaimStatus'] },
  { gates: ['DRANodeAllocatableResources'], fields: ['nodeAllocatableResourceClaimStatuses'] },
  { gates: ['ImageVolumeWithDigest'], fields: ofStatuses('volumeMounts.*.volumeStatus') },
  { gates: ['ResourceHealthStatus'], fields: ofStatuses('allocatedResourcesStatus') },
  { gates: ['ResourceHealthStatusMessage'], fields: ofStatuses('allocatedResourcesStatus.*.resources.*.message') },
];

type Status = NonNullable<Pod['status']>;

export function dropDisabledStatus(status: Status, old: Status, gates: Gates): Status {
  return dropGated(status, old, gatedOfStatus, gates);
}
