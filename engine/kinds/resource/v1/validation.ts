/** What is wrong with claims, templates and classes (pkg/apis/resource/validation/validation.go). */
import { encodeJson } from '../../../apimachinery/serializer/json.ts';
import type { JsonValue } from '../../../base/json.ts';
import type {
  DeviceClaim,
  DeviceClass,
  DeviceConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceToleration,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../../api/resource/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  metaPlace,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../../apimachinery/field-errors.ts';
import {
  isCIdentifier,
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidLabelValue,
  validateImmutableField,
  validateLabelName,
} from '../../../apimachinery/validation.ts';
import { compileSelector, selectorCostMax, selectorLengthMax } from '../../../cel/device.ts';
import { isExtendedResource } from '../../../component-helpers/resource-names.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateTemplateObjectMeta } from '../../shared/template-meta.ts';
import { specPath } from '../../shared/strategy.ts';
import { adminText, mayHaveAdminAccess } from './admin-access.ts';
import { validateDriverName } from '../../storage/v1/validation.ts';

export const listMax = 32;
const alternativesMax = 8;
const idMax = 32;
const poolNameMax = 253;
export const rawMax = 10 * 1024;
const sharing = 'DRAConsumableCapacity';
export const taintEffects = ['NoExecute', 'NoSchedule', 'None'];
const wrongReference = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function validateClaim({ metadata, spec }: ResourceClaim, context: StrategyContext): FieldErrorList {
  return [
    ...adminFaults(spec.devices, metadata.namespace, context),
    metaPlace,
    ...validateDevices(spec.devices, context.featureEnabled(sharing), specPath.child('devices')),
  ];
}

/** Only where the namespace says so may claims see devices that others hold (pkg/registry/resource, AuthorizedForAdmin). */
function adminFaults({ requests }: DeviceClaim, namespace: string | undefined, context: StrategyContext): FieldErrorList {
  const wanted = (requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  if (wanted < 0 || mayHaveAdminAccess(namespace, context)) return [];
  const path = specPath.child('devices').child('requests').index(wanted).child('adminAccess');
  return [forbidden(path, adminText)];
}

export function validateClaimUpdate(next: ResourceClaim, old: ResourceClaim): FieldErrorList {
  return validateImmutableField(next.spec, old.spec, specPath);
}

export function validateTemplate(template: ResourceClaimTemplate, context: StrategyContext): FieldErrorList {
  return [...adminFaults(template.spec.spec.devices, template.metadata.namespace, context), metaPlace, ...templateFaults(template, context)];
}

function templateFaults({ spec }: ResourceClaimTemplate, context: StrategyContext): FieldErrorList {
  return [
    ...validateTemplateObjectMeta(spec.metadata, specPath.child('metadata')),
    ...validateDevices(spec.spec.devices, context.featureEnabled(sharing), specPath.child('spec').child('devices')),
  ];
}

export function validateTemplateUpdate(next: ResourceClaimTemplate, old: ResourceClaimTemplate, context: StrategyContext): FieldErrorList {
  return [...templateFaults(next, context), metaPlace, ...validateImmutableField(next.spec, old.spec, specPath)];
}

export function validateClass({ spec }: DeviceClass): FieldErrorList {
  const out: Faults = [];
  each(spec.selectors, listMax, specPath.child('selectors'), out, (selector, path) => validateSelector(selector, path, out));
  each(spec.config, listMax, specPath.child('config'), out, (config, path) => validateConfiguration(config, path, out));
  const { extendedResourceName: name } = spec;
  if (name !== undefined && !isExtendedResource(name))
    out.push(invalid(specPath.child('extendedResourceName'), name, 'must be a valid extended resource name'));
  return out;
}

/** Too many are not looked at one by one. False then. */
export function each<T>(
  list: readonly T[] | null | undefined,
  max: number,
  path: FieldPath,
  out: Faults,
  validate: (item: T, path: FieldPath) => void,
): boolean {
  const items = list ?? [];
  if (items.length > max) out.push(tooMany(path, items.length, max));
  else items.forEach((item, i) => validate(item, path.index(i)));
  return items.length <= max;
}

export function unique<T>(
  list: readonly T[] | null | undefined,
  path: FieldPath,
  out: Faults,
  key: (item: T) => string,
  shown: (item: T) => unknown = key,
): void {
  const seen = new Set<string>();
  (list ?? []).forEach((item, i) => {
    if (seen.has(key(item))) out.push(duplicate(path.index(i), shown(item)));
    seen.add(key(item));
  });
}

export function labelName(name: string, path: FieldPath, out: Faults): void {
  for (const fault of isDNS1123Label(name)) out.push(invalid(path, name, fault));
}

function validateDevices({ requests, constraints, config }: DeviceClaim, sharesDevices: boolean, path: FieldPath): FieldErrorList {
  const out: Faults = [];
  const names = requestNames(requests ?? []);
  const at = path.child('requests');
  if (each(requests, listMax, at, out, (request, where) => validateRequest(request, where, out))) unique(requests, at, out, ({ name }) => name);
  each(constraints, listMax, path.child('constraints'), out, (constraint, where) => validateConstraint(constraint, names, sharesDevices, where, out));
  each(config, listMax, path.child('config'), out, (one, where) => {
    validateReferences(one.requests, names, where.child('requests'), out);
    validateConfiguration(one, where, out);
  });
  return out;
}

/** The alternatives of each request, by its name. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNames(requests: readonly DeviceRequest[]): RequestNames {
  return new Map(requests.map(({ name, firstAvailable = [] }) => [name, new Set(firstAvailable.map((one) => one.name))]));
}

function validateRequest({ name, exactly, firstAvailable = [] }: DeviceRequest, path: FieldPath, out: Faults): void {
  labelName(name, path.child('name'), out);
  if (exactly === undefined && firstAvailable.length === 0) {
    out.push(required(path, 'exactly one of `exactly` or `firstAvailable` is required'));
  } else if (exactly !== undefined && firstAvailable.length > 0) {
    out.push(invalid(path, undefined, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'));
  } else if (exactly !== undefined) validateWanted(exactly, path.child('exactly'), out);
  else {
    const at = path.child('firstAvailable');
    const isShort = each(firstAvailable, alternativesMax, at, out, (one, where) => {
      labelName(one.name, where.child('name'), out);
      validateWanted(one, where, out);
    });
    if (isShort) unique(firstAvailable, at, out, (one) => one.name);
  }
}

type Wanted = Omit<ExactDeviceRequest, 'adminAccess'>;

function validateWanted({ deviceClassName, selectors, allocationMode = '', count = 0, tolerations }: Wanted, path: FieldPath, out: Faults): void {
  const at = path.child('deviceClassName');
  if (deviceClassName === '') out.push(required(at));
  else for (const fault of isDNS1123Subdomain(deviceClassName)) out.push(invalid(at, deviceClassName, fault));
  each(selectors, listMax, path.child('selectors'), out, (selector, where) => validateSelector(selector, where, out));
  if (allocationMode === 'All') {
    if (count !== 0) out.push(invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  } else if (allocationMode !== 'ExactCount') out.push(notSupported(path.child('allocationMode'), allocationMode, ['All', 'ExactCount']));
  else if (count <= 0) out.push(invalid(path.child('count'), count, 'must be greater than zero'));
  (tolerations ?? []).forEach((toleration, i) => validateToleration(toleration, path.child('tolerations').index(i), out));
}

function validateSelector({ cel }: DeviceSelector, path: FieldPath, out: Faults): void {
  const at = path.child('cel');
  if (cel === undefined) return void out.push(required(at));
  const { expression } = cel;
  const where = at.child('expression');
  if (expression.length > selectorLengthMax) return void out.push(tooLong(where, selectorLengthMax));
  const program = compileSelector(expression);
  if ('fault' in program) out.push(invalid(where, expression, program.fault));
  else if (program.costMax > selectorCostMax) out.push(forbidden(where, 'too complex, exceeds cost limit'));
}

function validateToleration({ key = '', operator = '', value = '', effect = '' }: DeviceToleration, path: FieldPath, out: Faults): void {
  if (key !== '') out.push(...validateLabelName(key, path.child('key')));
  if (operator === '') out.push(required(path.child('operator')));
  else if (operator === 'Exists') {
    if (value !== '') out.push(invalid(path.child('value'), value, 'must be empty for operator `Exists`'));
  } else if (operator === 'Equal') for (const fault of isValidLabelValue(value)) out.push(invalid(path.child('value'), value, fault));
  else out.push(notSupported(path.child('operator'), operator, ['Equal', 'Exists']));
  if (effect !== '' && !taintEffects.includes(effect)) out.push(notSupported(path.child('effect'), effect, taintEffects));
}

function validateConstraint(
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  names: RequestNames,
  sharesDevices: boolean,
  path: FieldPath,
  out: Faults,
): void {
  validateReferences(requests, names, path.child('requests'), out);
  if (matchAttribute !== undefined) validateFullName(matchAttribute, path.child('matchAttribute'), out);
  else if (distinctAttribute !== undefined) validateFullName(distinctAttribute, path.child('distinctAttribute'), out);
  else if (!sharesDevices) out.push(required(path.child('matchAttribute')));
  else out.push(required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'));
}

export function validateReferences(requests: readonly string[] | undefined, names: RequestNames, path: FieldPath, out: Faults): void {
  if (each(requests, listMax, path, out, (name, where) => validateReference(name, names, where, out))) unique(requests, path, out, (name) => name);
}

export function validateReference(name: string, names: RequestNames, path: FieldPath, out: Faults): void {
  const parts = name.split('/');
  if (parts.length <= 2) for (const part of parts) labelName(part, path, out);
  const [request = '', alternative] = parts;
  const isKnown = alternative === undefined ? names.has(request) : names.get(request)?.has(alternative) === true;
  if (parts.length > 2 || !isKnown) out.push(invalid(path, name, wrongReference));
}

export function validateConfiguration({ opaque }: DeviceConfiguration, path: FieldPath, out: Faults): void {
  const at = path.child('opaque');
  if (opaque === undefined) return void out.push(required(at));
  validateDriverName(opaque.driver, at.child('driver'), out);
  validateRaw(opaque.parameters, rawMax, at.child('parameters'), out);
}

/** A JSON object of whatever kind. */
export function validateRaw(value: JsonValue | undefined, max: number, path: FieldPath, out: Faults): void {
  if (value === undefined || value === null) return void out.push(required(path));
  if (Buffer.byteLength(encodeJson(value)) > max) out.push(tooLong(path, max));
  else if (typeof value !== 'object' || Array.isArray(value)) out.push(invalid(path, '<value omitted>', 'must be a valid JSON object'));
}

/** A name, or a domain and a name. */
export function validateQualifiedName(name: string, path: FieldPath, out: Faults): void {
  const [first = '', second, third] = name.split('/');
  // Upstream lets more than one slash pass.
  if (third !== undefined) return;
  if (second === undefined) return validateId(first, path, out);
  if (first === '') out.push(invalid(path, '', 'the domain must not be empty'));
  else validateDriverName(first, path, out);
  if (second === '') out.push(invalid(path, '', 'the name must not be empty'));
  else validateId(second, path, out);
}

function validateId(id: string, path: FieldPath, out: Faults): void {
  if (id.length > idMax) out.push(tooLong(path, idMax));
  for (const fault of isCIdentifier(id)) out.push(invalid(path, id, fault));
}

function validateFullName(name: string, path: FieldPath, out: Faults): void {
  validateQualifiedName(name, path, out);
  if (!name.includes('/')) out.push(invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash'));
}

/** Of one name: no more parts are judged, of those that a request has room for. */
export const partFaultsMax = 10_000;

export function validatePoolName(name: string, path: FieldPath, out: Faults): void {
  if (name === '') return void out.push(required(path));
  if (name.length > poolNameMax) out.push(tooLong(path, poolNameMax));
  const before = out.length;
  for (const part of name.split('/')) {
    if (out.length - before > partFaultsMax) return;
    for (const fault of isDNS1123Subdomain(part)) out.push(invalid(path, part, fault));
  }
}
