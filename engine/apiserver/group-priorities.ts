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

const versions: { readonly [groupVersion: string]: number } = { 'autoscaling/v2': 30, 'autoscaling/v1': 15 };

export function groupPriority(group: string): number {
  return Object.hasOwn(groups, group) ? (getOwn(groups, group) as number) : otherGroup;
}

/** The most preferred first: listed priorities (`others` before the present ones), then v2, v1, v1beta2, v1beta1, v1alpha1 … */
export function compareVersions(group: string, a: string, b: string, others: { readonly [groupVersion: string]: number } = {}): number {
  const priority = (version: string): number => getOwn(others, `${group}/${version}`) ?? versions[`${group}/${version}`] ?? 0;
  const known = priority(b) - priority(a);
  if (known !== 0) return known;
  return byKubeVersion(a, b);
}
