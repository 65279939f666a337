/** What of a device's capacity may be asked for, when several share it (pkg/apis/resource/validation/validation.go). */
import type { CapacityRequestPolicy, CapacityRequestPolicyRange } from '../../../api/resource/v1/types.gen.ts';
import { type FieldPath, forbidden, invalid, required } from '../../../apimachinery/field-errors.ts';
import { addQuantity, compareQuantity, formatQuantity, parseQuantity, type Quantity, quantityValue } from '../../../apimachinery/quantity.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { each, unique } from './validation.ts';

const valuesMax = 10;
const both = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';

export function validateRequestPolicy(capacity: Quantity, policy: CapacityRequestPolicy, path: FieldPath, out: Faults): void {
  const { validValues = [], validRange, default: wanted } = policy;
  if (validValues.length > 0 && Boolean(validRange)) return void out.push(forbidden(path, both));
  if (validValues.length === 0 && !validRange) return;
  const field = validValues.length > 0 ? 'validValues' : 'validRange';
  if (wanted === undefined || wanted === null) return void out.push(required(path.child('default'), `required when ${field} is defined`));
  const standard = quantityOf(wanted);
  if (validRange === undefined)
    validateValues(standard, capacity, validValues.map((value) => quantityOf(value)), path.child(field), out); // biome-ignore format: one line
  else validateRange(standard, capacity, validRange, path.child(field), out);
}

function validateValues(standard: Quantity, capacity: Quantity, values: readonly Quantity[], path: FieldPath, out: Faults): void {
  values.forEach((value, i) => {
    const before = values[i - 1];
    if (before !== undefined && compareQuantity(before, value) > 0)
      out.push(invalid(path.index(i), formatQuantity(value), 'values must be sorted in ascending order'));
  });
  let isThere = false;
  const isShort = each(values, valuesMax, path, out, (value, at) => {
    if (compareQuantity(value, capacity) > 0)
      out.push(invalid(at, formatQuantity(value), `option is larger than capacity value: ${formatQuantity(capacity)}`));
    isThere ||= compareQuantity(value, standard) === 0;
  });
  if (isShort) unique(values, path, out, (value) => String(quantityValue(value)));
  if (!isThere) out.push(invalid(path, formatQuantity(standard), 'default value is not valid according to the requestPolicy'));
}

function validateRange(standard: Quantity, capacity: Quantity, range: CapacityRequestPolicyRange, path: FieldPath, out: Faults): void {
  if (range.min === undefined || range.min === null) return void out.push(required(path.child('min'), 'required when validRange is defined'));
  const [min, max, step] = [quantityOf(range.min), optional(range.max), optional(range.step)];
  const fault = (field: string, value: Quantity, text: string, other: Quantity): void =>
    void out.push(invalid(path.child(field), formatQuantity(value), `${text}: ${formatQuantity(other)}`));
  if (compareQuantity(min, capacity) > 0) fault('min', min, 'min is larger than capacity value', capacity);
  if (compareQuantity(standard, min) < 0) fault('min', standard, 'default is less than min', min);
  if (max !== undefined) {
    if (compareQuantity(min, max) > 0) fault('max', min, 'min is larger than max', max);
    if (compareQuantity(max, capacity) > 0) fault('max', max, 'max is larger than capacity value', capacity);
    if (compareQuantity(standard, max) > 0) fault('max', standard, 'default is more than max', max);
  }
  if (step === undefined) return;
  const first = addQuantity(min, step);
  if (compareQuantity(first, capacity) > 0) fault('step', step, `one step ${formatQuantity(first)} is larger than capacity value`, capacity);
  for (const value of max === undefined ? [standard] : [standard, max])
    if ((quantityValue(value) - quantityValue(min)) % quantityValue(step) !== 0) out.push(invalid(path.child('step'), formatQuantity(value), `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`)); // biome-ignore format: one line
}

function optional(text: string | null | undefined): Quantity | undefined {
  return text === undefined || text === null ? undefined : quantityOf(text);
}

/** What nobody says is zero, as Go has it. */
export function quantityOf(text: string | null | undefined): Quantity {
  return parseQuantity(text === undefined || text === null ? '0' : String(text));
}
