/**
 * SELinux labels that pods want volumes to have, and which of them conflict; pure. Mirrors pkg/controller/volume/selinuxwarning/cache
 * and its translator: what nodes would put in the place of missing parts is not known here.
 */
import type { Container, Pod, SELinuxOptions } from '../../api/core/v1/types.gen.ts';

export interface Use {
  /** Key of the pod. */
  readonly pod: string;
  readonly label: string;
  readonly policy: string;
}

/** A volume that pods use. */
export interface UsedVolume {
  readonly driver: string;
  readonly uses: readonly Use[];
}

/** What one pod has to be told about another. */
export interface Conflict {
  readonly property: 'SELinuxChangePolicy' | 'SELinuxLabel';
  readonly pod: string;
  readonly value: string;
  readonly otherPod: string;
  readonly otherValue: string;
}

/** Volumes that a pod mounts, in its order, with the labels of the containers that do. */
export function mountLabels({ spec }: Pod): ReadonlyMap<string, ReadonlySet<string>> {
  const labels = new Map<string, Set<string>>();
  const containers: readonly Pick<Container, 'securityContext' | 'volumeMounts'>[] = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  for (const { securityContext, volumeMounts = [] } of containers) {
    const options = securityContext?.seLinuxOptions ?? spec?.securityContext?.seLinuxOptions;
    for (const { name } of volumeMounts) {
      const ofVolume = labels.get(name) ?? new Set();
      labels.set(name, ofVolume);
      if (options !== undefined) ofVolume.add(labelOf(options));
    }
  }
  return labels;
}

/** Both directions of each conflict of this use with others of the volume. */
export function conflictsOf(use: Use, others: readonly Use[]): readonly Conflict[] {
  return others.flatMap((other) => [
    ...(other.policy === use.policy ? [] : bothWays('SELinuxChangePolicy', use, use.policy, other, other.policy)),
    ...(labelsConflict(other.label, use.label) ? bothWays('SELinuxLabel', use, use.label, other, other.label) : []),
  ]);
}

export function conflictMessage({ property, pod, value, otherPod, otherValue }: Conflict): string {
  const end = 'If both pods land on the same node, only one of them may access the volume.';
  const [namespace] = pod.split('/');
  const [otherNamespace, otherName] = otherPod.split('/');
  if (namespace === otherNamespace)
    return `${property} "${value}" conflicts with pod ${otherName} that uses the same volume as this pod with ${property} "${otherValue}". ${end}`;
  // Upstream has no space before the value here, and names nobody of another namespace.
  return `${property}"${value}" conflicts with another pod that uses the same volume as this pod with a different ${property}. ${end}`;
}

function bothWays(property: Conflict['property'], one: Use, value: string, other: Use, otherValue: string): readonly Conflict[] {
  return [
    { property, pod: one.pod, value, otherPod: other.pod, otherValue },
    { property, pod: other.pod, value: otherValue, otherPod: one.pod, otherValue: value },
  ];
}

/** The level has no default; of the others a missing part may become anything. */
function labelsConflict(a: string, b: string): boolean {
  const [userA, roleA, typeA, levelA] = partsOf(a);
  const [userB, roleB, typeB, levelB] = partsOf(b);
  const differ = (one: string, other: string): boolean => one !== '' && other !== '' && one !== other;
  return levelA !== levelB || differ(userA, userB) || differ(roleA, roleB) || differ(typeA, typeB);
}

function partsOf(label: string): [user: string, role: string, type: string, level: string] {
  const [user = '', role = '', type = '', ...level] = label.split(':');
  return [user, role, type, level.join(':')];
}

function labelOf({ user = '', role = '', type = '', level = '' }: SELinuxOptions): string {
  const label = [user, role, type, level].join(':');
  return label === ':::' ? '' : label;
}
