/** Limit ranges. Mirrors ValidateLimitRange of pkg/apis/core/validation. */
import type { LimitRange, LimitRangeItem } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldErrorList, type FieldPath, forbidden, invalid, required } from '../../../apimachinery/field-errors.ts';
import { parseQuantity, quantityToFloat } from '../../../apimachinery/quantity.ts';
import { isQualifiedName } from '../../../apimachinery/validation.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { specPath } from '../../shared/strategy.ts';
import { compareTexts, type Faults, isOvercommitAllowed, validateContainerResourceName, validateResourceName } from './resource-validation.ts';

const limitTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);
const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

export function validateLimitRange({ spec }: LimitRange): FieldErrorList {
  const out: Faults = [];
  const types = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const path = specPath.child('limits').index(index);
    const { type = '' } = item;
    validateType(type, path.child('type'), out);
    if (types.has(type)) out.push(duplicate(path.child('type'), type));
    types.add(type);
    validateNames(item, path, out);
    for (const name of new Set(lists.flatMap((list) => Object.keys(item[list] ?? {})))) validateAmounts(name, item, path, out);
  }
  return out;
}

function validateType(type: string, path: FieldPath, out: Faults): void {
  const faults = isQualifiedName(type);
  for (const fault of faults) out.push(invalid(path, type, fault));
  if (faults.length === 0 && !type.includes('/') && !limitTypes.has(type))
    out.push(invalid(path, type, 'must be a standard limit type or fully qualified'));
}

function validateNames(item: LimitRangeItem, path: FieldPath, out: Faults): void {
  const { type, min, max } = item;
  const isCompute = type === 'Pod' || type === 'Container';
  for (const list of lists) {
    if (type === 'Pod' && (list === 'default' || list === 'defaultRequest')) {
      if (Object.keys(item[list] ?? {}).length > 0) out.push(forbidden(path.child(list), "may not be specified when `type` is 'Pod'"));
      continue;
    }
    for (const name in item[list]) {
      if (isCompute) validateContainerResourceName(name, path.child(list).key(name), out);
      else validateResourceName(name, path.child(list).key(name), out);
    }
  }
  if (type === 'PersistentVolumeClaim' && getOwn(min, 'storage') === undefined && getOwn(max, 'storage') === undefined)
    out.push(required(path.child('limits'), 'either minimum or maximum storage value is required, but neither was provided'));
}

/** What is said of one resource must fit together. Upstream shows the bound, not the value, where a default breaks one. */
function validateAmounts(name: string, item: LimitRangeItem, path: FieldPath, out: Faults): void {
  const [max, min, byDefault, request, ratio] = lists.map((list) => getOwn(item[list], name));
  const isOver = (a: string | undefined, b: string | undefined): boolean => a !== undefined && b !== undefined && compareTexts(a, b) > 0;
  const fault = (list: (typeof lists)[number], value: string | undefined, text: string): void => {
    out.push(invalid(path.child(list).key(name), value, text));
  };
  if (isOver(min, max)) fault('min', min, `min value ${min} is greater than max value ${max}`);
  if (isOver(min, request)) fault('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (isOver(request, max)) fault('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (isOver(request, byDefault))
    fault('defaultRequest', request, `default request value ${request} is greater than default limit value ${byDefault}`);
  if (isOver(min, byDefault)) fault('default', min, `min value ${min} is greater than default value ${byDefault}`);
  if (isOver(byDefault, max)) fault('default', max, `default value ${byDefault} is greater than max value ${max}`);
  if (ratio !== undefined) {
    if (isOver('1', ratio)) fault('maxLimitRequestRatio', ratio, `ratio ${ratio} is less than 1`);
    const most = max === undefined || min === undefined ? Number.POSITIVE_INFINITY : amount(max) / amount(min);
    if (amount(ratio) > most) fault('maxLimitRequestRatio', ratio, `ratio ${ratio} is greater than max/min = ${most.toFixed(6)}`);
  }
  if (
    !isOvercommitAllowed(name) &&
    byDefault !== undefined &&
    request !== undefined &&
    compareTexts(byDefault, request) !== 0 &&
    !isOver(request, byDefault)
  )
    fault('defaultRequest', request, `default value ${byDefault} must equal to defaultRequest value ${request} in ${name}`);
}

function amount(text: string): number {
  return quantityToFloat(parseQuantity(text));
}
