/**
 * Which group and version comes first in discovery: upstream's priorities. Mirrors pkg/controlplane/apiserver/aggregator.go and
 * cmd/kube-apiserver/app/aggregator.go.
 */
import { byKubeVersion } from '../apimachinery/kube-version.ts';
import { getOwn } from '../base/dictionary.ts';

const groups: { readonly [group: string]: number } = {
  '': 18000,
  apps: 17800,
  'events.k8s.io': 17750,
  'authentication.k8s.io': 17700,
  'authorization.k8s.io': 17600,
  autoscaling: 17500,
  batch: 17400,
  'certificates.k8s.io': 17300,
  'networking.k8s.io': 17200,
  policy: 17100,
  'rbac.authorization.k8s.io': 17000,
  'storage.k8s.io': 16800,
  'apiextensions.k8s.io': 16700,
  'admissionregistration.k8s.io': 16700,
  'scheduling.k8s.io': 16600,
  'coordination.k8s.io': 16500,
  'node.k8s.io': 16300,
  'discovery.k8s.io': 16200,
  'resource.k8s.io': 16200,
  'flowcontrol.apiserver.k8s.io': 16100,
  'internal.apiserver.k8s.io': 16000,
  'storagemigration.k8s.io': 15800,
  'apiregistration.k8s.io': 17900,
};
const otherGroup = 1000;

/** Others have that of how stable they are. */
const versions: { readonly [groupVersion: string]: number } = {
  '/v1': 1,
  'admissionregistration.k8s.io/v1alpha1': 9,
  'admissionregistration.k8s.io/v1beta1': 12,
  'autoscaling/v2': 30,
  'coordination.k8s.io/v1alpha2': 12,
  'coordination.k8s.io/v1beta1': 13,
  'flowcontrol.apiserver.k8s.io/v1': 21,
  'internal.apiserver.k8s.io/v1alpha1': 9,
  'resource.k8s.io/v1': 21,
  'resource.k8s.io/v1beta2': 15,
  'scheduling.k8s.io/v1alpha2': 2,
};

/** What a release has otherwise. */
export interface Priorities {
  readonly groupPriorities: { readonly [group: string]: number };
  readonly versionPriorities: { readonly [groupVersion: string]: number };
}

export function groupPriority(group: string): number {
  return Object.hasOwn(groups, group) ? (getOwn(groups, group) as number) : otherGroup;
}

export function versionPriority(group: string, version: string, others: Priorities['versionPriorities'] = {}): number {
  const known = getOwn(others, `${group}/${version}`) ?? getOwn(versions, `${group}/${version}`);
  if (known !== undefined) return known;
  if (/^v\d+$/.test(version)) return 15;
  return /^v\d+beta\d+$/.test(version) ? 9 : 1;
}

/** The most preferred first: by priority (`others` before the present ones), then v2, v1, v1beta2, v1beta1, v1alpha1 … */
export function compareVersions(group: string, a: string, b: string, others: Priorities['versionPriorities'] = {}): number {
  return versionPriority(group, b, others) - versionPriority(group, a, others) || byKubeVersion(a, b);
}
