/** Which processes of the cluster a fault of watches is about. */
import type { ParameterTable } from '../api/sim/v1alpha1/fault-type.ts';

const everyone = 'all';

export const processParameter: ParameterTable = {
  type: 'choice',
  default: everyone,
  values: [everyone, 'kube-controller-manager', 'kube-scheduler', 'kubelets'],
  description: 'whose watches',
};

export function processSubject(name: string): string {
  return name === everyone ? '' : name;
}

export function processWords(name: string): string {
  return name === everyone ? 'every component' : name;
}
