/** Fields of claims and their templates that a feature gate allows (pkg/api/resourceclaimspec, dropDisabledStatusFields of pkg/registry/resource/resourceclaim). */
import type { GatedFields } from '../../../apimachinery/gated-fields.ts';

const requests = 'devices.requests.*';

const ofSpec: readonly GatedFields[] = [
  { gates: ['DRAPrioritizedList'], fields: [`${requests}.firstAvailable`] },
  { gates: ['DRADeviceTaints'], fields: [`${requests}.exactly.tolerations`, `${requests}.firstAvailable.*.tolerations`] },
  {
    gates: ['DRAConsumableCapacity'],
    fields: ['devices.constraints.*.distinctAttribute', `${requests}.exactly.capacity`, `${requests}.firstAvailable.*.capacity`],
  },
];

const results = 'status.allocation.devices.results.*';
const shares = [`${results}.shareID`, `${results}.consumedCapacity`, 'status.devices.*.shareID'];

const ofStatus: readonly GatedFields[] = [
  { gates: ['DRAResourceClaimDeviceStatus'], fields: ['status.devices'] },
  { gates: ['DRAConsumableCapacity'], fields: shares, usedBy: [...shares, ...(below('spec')[2]?.fields ?? [])] },
  { gates: ['DRADeviceBindingConditions'], fields: [`${results}.bindingConditions`, `${results}.bindingFailureConditions`] },
];

export const claimGates: readonly GatedFields[] = [...below('spec'), ...ofStatus];
export const templateGates: readonly GatedFields[] = below('spec.spec');

function below(path: string): readonly GatedFields[] {
  return ofSpec.map(({ gates, fields }) => ({ gates, fields: fields.map((field) => `${path}.${field}`) }));
}
