/** The faults there are, with one sentence for all of them. */
import type { FaultTypeTable } from '../../engine/api/sim/v1alpha1/fault-type.ts';
import { faultTypes } from '../../engine/api/sim/v1alpha1/fault-types.gen.ts';

export function listMockFaultTypes(): readonly object[] {
  return faultTypes.map((type) => faultTypeOf(type, ''));
}

export function mockFaultType(path: string, node: string): object {
  const type = faultTypes.find(({ name }) => path.endsWith(`/${name}`));
  return type === undefined ? {} : faultTypeOf(type, node);
}

function faultTypeOf({ name, title, target, parameters }: FaultTypeTable, node: string): object {
  return {
    kind: 'FaultType',
    metadata: { name },
    title,
    target,
    parameters: Object.entries(parameters).map(([parameter, table]) => ({ name: parameter, ...table })),
    sentence: `The network is cut from node ${node}.`,
  };
}
