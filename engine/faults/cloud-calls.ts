/** Which calls of the cloud's API a fault is about: the parameter that says it, and the words for it. */
import type { ParameterTable } from '../api/sim/v1alpha1/fault-type.ts';
import { cloudOperations } from '../contracts/cloud.ts';
import type { FaultParameters } from './fault.ts';

export const operationsParameter: ParameterTable = {
  type: 'list',
  default: [],
  values: cloudOperations,
  description: 'calls such as ensureLoadBalancer; none means all',
};

/** As the member of a rule: absent means all. */
export function operationsOf(parameters: FaultParameters): { readonly operations?: readonly string[] } {
  const operations = parameters.list('operations');
  return operations.length === 0 ? {} : { operations };
}

/** `all cloud calls`, `cloud calls createRoute or deleteRoute`. */
export function operationWords(parameters: FaultParameters): string {
  const operations = parameters.list('operations');
  return operations.length === 0 ? 'all cloud calls' : `cloud calls ${operations.join(' or ')}`;
}
