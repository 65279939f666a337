/** What a share of a device takes of its capacities. Mirrors structured/internal/incubating/consumable_capacity.go. */
import type { CapacityRequestPolicy, Device, DeviceCapacity } from '../../../api/resource/v1/types.gen.ts';
import { addQuantity, compareQuantity, newQuantity, parseQuantity, type Quantity, quantityValue } from '../../../apimachinery/quantity.ts';
import { getOwn } from '../../../base/dictionary.ts';

type Requested = { readonly [name: string]: string };

/** Whether the device has what is asked for, beside what is taken already. A capacity that it does not know is none. */
export function hasCapacity(
  { capacity = {} }: Device,
  requested: Requested,
  taken: ReadonlyMap<string, Quantity> | undefined,
  taking: ReadonlyMap<string, Quantity> | undefined,
): boolean {
  for (const name of Object.keys(requested)) if (getOwn(capacity, name) === undefined) return false;
  for (const [name, one] of Object.entries(capacity)) {
    let sum = consumedOf(one, getOwn(requested, name));
    if (violates(sum, one.requestPolicy)) return false;
    for (const other of [taken?.get(name), taking?.get(name)]) if (other !== undefined) sum = addQuantity(sum, other);
    if (compareQuantity(sum, parseQuantity(one.value)) > 0) return false;
  }
  return true;
}

/** By name of the capacity. */
export function consumedCapacity({ capacity = {} }: Device, requested: Requested): ReadonlyMap<string, Quantity> {
  return new Map(Object.entries(capacity).map(([name, one]) => [name, consumedOf(one, getOwn(requested, name))] as const));
}

/** What is asked for, rounded up to what the device gives; its default, or all of it, where nothing is asked for. */
function consumedOf({ value, requestPolicy }: DeviceCapacity, requested: string | undefined): Quantity {
  if (requested === undefined) return parseQuantity(requestPolicy?.default ?? value);
  const wanted = parseQuantity(requested);
  const { validRange, validValues } = requestPolicy ?? {};
  if (validRange?.min !== undefined) {
    const min = parseQuantity(validRange.min);
    if (compareQuantity(wanted, min) < 0) return min;
    if (validRange.step === undefined) return wanted;
    const step = quantityValue(parseQuantity(validRange.step));
    const steps = Math.ceil((quantityValue(wanted) - quantityValue(min)) / step);
    return newQuantity(quantityValue(min) + steps * step, 'BinarySI');
  }
  return validValues?.map(parseQuantity).find((valid) => compareQuantity(wanted, valid) <= 0) ?? wanted;
}

function violates(wanted: Quantity, policy: CapacityRequestPolicy | undefined): boolean {
  if (policy === undefined) return false;
  if (policy.default !== null && compareQuantity(wanted, parseQuantity(policy.default)) === 0) return false;
  const { validRange, validValues = [] } = policy;
  if (validRange === undefined) return validValues.length > 0 && validValues.every((valid) => compareQuantity(wanted, parseQuantity(valid)) !== 0);
  if (validRange.max !== undefined && compareQuantity(wanted, parseQuantity(validRange.max)) > 0) return true;
  if (validRange.step === undefined) return false;
  const added = quantityValue(wanted) - quantityValue(parseQuantity(validRange.min ?? '0'));
  return added % quantityValue(parseQuantity(validRange.step)) !== 0;
}
