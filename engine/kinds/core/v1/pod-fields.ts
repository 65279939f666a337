/** Fields of pods and templates that are there only with a gate. What an object has used already it may go on to use. Mirrors DropDisabledPodFields and DropDisabledTemplateFields of pkg/api/pod. */
import type { ContainerStatus, Lifecycle, Pod, PodSpec, PodTemplateSpec, Volume, VolumeProjection } from '../../../api/core/v1/types.gen.ts';
import { withField } from '../../../base/plain.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { edit, editEach } from '../../shared/defaulting.ts';
import { type AnyContainer, editContainers, someContainer } from './containers.ts';

function without<T extends object>(object: T, name: keyof T & string): T {
  return object[name] === undefined ? object : withField(object, name, undefined);
}

type Gates = Pick<StrategyContext, 'featureEnabled'>;

interface Gated {
  readonly gate: string;
  isUsed(spec: PodSpec): boolean;
  drop(spec: PodSpec): PodSpec;
}

const gated: readonly Gated[] = [
  {
    gate: 'ContainerStopSignals',
    isUsed: (spec) => someContainer(spec, ({ lifecycle }) => lifecycle?.stopSignal !== undefined),
    drop: (spec) => editContainers(spec, withoutSignal),
  },
  {
    gate: 'ContainerRestartRules',
    isUsed: (spec) => (spec.containers ?? []).some(({ restartPolicy }) => restartPolicy !== undefined) || hasRules(spec),
    drop: (spec) => {
      const bare = editContainers(spec, (container) => without(container, 'restartPolicyRules'));
      return editEach(bare, 'containers', (container) => without(container, 'restartPolicy'));
    },
  },
  {
    gate: 'EnvFiles',
    isUsed: (spec) => someContainer(spec, ({ env }) => env?.some(({ valueFrom }) => valueFrom?.fileKeyRef !== undefined) === true),
    drop: (spec) =>
      editContainers(spec, (container) => {
        const strip = (one: AnyContainer): AnyContainer =>
          editEach(one, 'env', (variable) => edit(variable, 'valueFrom', (source) => without(source, 'fileKeyRef')));
        return strip(container) as typeof container;
      }),
  },
  { gate: 'HostnameOverride', isUsed: ({ hostnameOverride }) => hostnameOverride !== undefined, drop: (spec) => without(spec, 'hostnameOverride') },
  {
    gate: 'PodLevelResources',
    isUsed: ({ resources }) => Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0,
    drop: (spec) => without(spec, 'resources'),
  },
  { gate: 'GenericWorkload', isUsed: ({ schedulingGroup }) => schedulingGroup !== undefined, drop: (spec) => without(spec, 'schedulingGroup') },
  projection('ClusterTrustBundleProjection', 'clusterTrustBundle'),
  projection('PodCertificateRequest', 'podCertificate'),
];

function hasRules(spec: PodSpec): boolean {
  return someContainer(spec, ({ restartPolicyRules }) => restartPolicyRules !== undefined && restartPolicyRules.length > 0);
}

function withoutSignal<C extends AnyContainer>(container: C): C {
  const lifecycle: Lifecycle | undefined = container.lifecycle;
  if (lifecycle?.stopSignal === undefined) return container;
  const rest = without(lifecycle, 'stopSignal');
  return Object.keys(rest).length === 0 ? without(container, 'lifecycle') : { ...container, lifecycle: rest };
}

function projection(gate: string, member: keyof VolumeProjection): Gated {
  return {
    gate,
    isUsed: ({ volumes }) => volumes?.some((volume) => volume.projected?.sources?.some((source) => source[member] !== undefined)) === true,
    drop: (spec) =>
      editEach(spec, 'volumes', (volume): Volume =>
        edit(volume, 'projected', (projected) => editEach(projected, 'sources', (source) => (source[member] === undefined ? source : without(source, member)))),
      ), // biome-ignore format: as it is
  };
}

export function dropDisabled(spec: PodSpec, old: PodSpec | undefined, gates: Gates): PodSpec {
  let next = spec;
  for (const { gate, isUsed, drop } of gated)
    if (!gates.featureEnabled(gate) && isUsed(next) && !(old !== undefined && isUsed(old))) next = drop(next);
  return next;
}

export function dropDisabledInTemplate(template: PodTemplateSpec, old: PodTemplateSpec | undefined | null, gates: Gates): PodTemplateSpec {
  return edit(template, 'spec', (spec) => dropDisabled(spec, old?.spec, gates));
}

type Status = NonNullable<Pod['status']>;
const lists = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

export function dropDisabledStatus(status: Status, old: Status, gates: Gates): Status {
  let next = status;
  if (!gates.featureEnabled('InPlacePodLevelResourcesVerticalScaling') && old.resources === undefined && old.allocatedResources === undefined)
    next = without(without(next, 'resources'), 'allocatedResources');
  if (!gates.featureEnabled('DRAExtendedResource') && old.extendedResourceClaimStatus === undefined)
    next = without(next, 'extendedResourceClaimStatus');
  if (!gates.featureEnabled('DRANodeAllocatableResources') && !old.nodeAllocatableResourceClaimStatuses?.length)
    next = without(next, 'nodeAllocatableResourceClaimStatuses');
  if (!gates.featureEnabled('ImageVolumeWithDigest') && !some(old, hasVolumeStatus))
    next = editStatuses(next, (one) => editEach(one, 'volumeMounts', (mount) => without(mount, 'volumeStatus')));
  if (!gates.featureEnabled('ResourceHealthStatus') && !some(old, ({ allocatedResourcesStatus }) => allocatedResourcesStatus !== undefined))
    next = editStatuses(next, (one) => without(one, 'allocatedResourcesStatus'));
  return next;
}

function hasVolumeStatus({ volumeMounts }: ContainerStatus): boolean {
  return volumeMounts?.some(({ volumeStatus }) => volumeStatus !== undefined) === true;
}

function some(status: Status, test: (one: ContainerStatus) => boolean): boolean {
  return lists.some((list) => status[list]?.some(test) === true);
}

function editStatuses(status: Status, change: (one: ContainerStatus) => ContainerStatus): Status {
  let next = status;
  for (const list of lists) if (next[list] !== undefined) next = editEach(next, list, change);
  return next;
}
