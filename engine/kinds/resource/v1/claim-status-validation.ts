/** What is wrong with the status of a claim (pkg/apis/resource/validation/validation.go). */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimStatus,
} from '../../../api/resource/v1/types.gen.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import {
  type FieldErrorList,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  root,
  tooLong,
  tooMany,
} from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isValidInterfaceAddress } from '../../../apimachinery/ip.ts';
import { validateConditions, validateImmutableField } from '../../../apimachinery/validation.ts';
import { validateNodeSelector } from '../../core/v1/placement-validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { validateDriverName } from '../../storage/v1/validation.ts';
import { validateBindingConditions } from './device-validation.ts';
import {
  each,
  labelName,
  listMax,
  rawMax,
  type RequestNames,
  requestNames,
  unique,
  validateConfiguration,
  validatePoolName,
  validateRaw,
  validateReference,
  validateReferences,
} from './validation.ts';

const reservedMax = 256;
const conditionsMax = 8;
const addressesMax = 16;
const interfaceNameMax = 256;
const hardwareAddressMax = 128;

/** What the status of a claim may become. */
export function validateClaimStatus(next: ResourceClaim, old: ResourceClaim): FieldErrorList {
  const out: Faults = [];
  const path = root('status');
  const { allocation, reservedFor = [], devices = [] } = next.status ?? {};
  const at = path.child('reservedFor');
  each(reservedFor, reservedMax, at, out, ({ resource, name, uid }, where) => {
    for (const [field, value] of Object.entries({ resource, name, uid })) if (value === '') out.push(required(where.child(field)));
  });
  unique(reservedFor, at, out, ({ uid }) => uid);
  validateDeviceStatus(devices, allocation, path.child('devices'), out);
  if (reservedFor.length > 0) {
    const known = new Set((old.status?.reservedFor ?? []).map((one) => JSON.stringify(one)));
    if (allocation === undefined) out.push(forbidden(at, 'may not be specified when `allocated` is not set'));
    else if (next.metadata.deletionTimestamp !== undefined && reservedFor.some((one) => !known.has(JSON.stringify(one))))
      out.push(forbidden(at, 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'));
  }
  const before = old.status?.allocation;
  if (allocation !== undefined && before !== undefined) {
    if (!semanticEqual(allocation, before)) out.push(...validateImmutableField(allocation, before, path.child('allocation')));
  } else if (allocation !== undefined) validateAllocation(allocation, requestNames(next.spec.devices.requests ?? []), path.child('allocation'), out);
  return out;
}

type SharedDevice = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

/** As upstream names a device, and who of several shares it. */
function deviceKey({ driver, pool, device, shareID }: SharedDevice): string {
  return `${driver}/${pool}/${device}${shareID === undefined ? '' : `/${shareID}`}`;
}

/** As Go prints what it compares. */
function shownDevice({ driver, pool, device, shareID = '' }: SharedDevice): object {
  return { Driver: driver, Pool: pool, Device: device, ShareID: shareID };
}

function validateDeviceStatus(
  devices: NonNullable<ResourceClaimStatus['devices']>,
  allocation: AllocationResult | undefined,
  path: FieldPath,
  out: Faults,
): void {
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey));
  devices.forEach((one, i) => {
    const at = path.index(i);
    validateDriverName(one.driver, at.child('driver'), out);
    validatePoolName(one.pool, at.child('pool'), out);
    labelName(one.device, at.child('device'), out);
    validateShareId(one.shareID, at.child('shareID'), out);
    if (!allocated.has(deviceKey(one))) out.push(invalid(at, shownDevice(one), 'must be an allocated device in the claim'));
    const { data, networkData } = one;
    const conditions = one.conditions ?? [];
    if (conditions.length > conditionsMax) out.push(tooMany(at.child('conditions'), conditions.length, conditionsMax));
    out.push(...validateConditions(conditions, at.child('conditions')));
    if (data !== undefined) validateRaw(data, rawMax, at.child('data'), out);
    if (networkData !== undefined) validateNetwork(networkData, at.child('networkData'), out);
  });
  unique(devices, path, out, deviceKey, shownDevice);
}

function validateNetwork({ interfaceName = '', hardwareAddress = '', ips }: NetworkDeviceData, path: FieldPath, out: Faults): void {
  if (Buffer.byteLength(interfaceName) > interfaceNameMax) out.push(tooLong(path.child('interfaceName'), interfaceNameMax));
  if (Buffer.byteLength(hardwareAddress) > hardwareAddressMax) out.push(tooLong(path.child('hardwareAddress'), hardwareAddressMax));
  const at = path.child('ips');
  if (each(ips, addressesMax, at, out, (ip, where) => out.push(...isValidInterfaceAddress(where, ip)))) unique(ips, at, out, (ip) => ip);
}

/** Words of Go's uuid package. */
function validateShareId(id: string | undefined, path: FieldPath, out: Faults): void {
  if (id === undefined) return;
  const fault = uuidFault(id);
  if (fault !== undefined) out.push(invalid(path, id, `error validating uid: ${fault}`));
  else if (id.length !== 36 || id !== id.toLowerCase())
    out.push(
      invalid(path, id, 'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'),
    );
}

function uuidFault(id: string): string | undefined {
  const dashed = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  const isForm = (text: string): string | undefined => (dashed.test(text) ? undefined : 'invalid UUID format');
  switch (Buffer.byteLength(id)) {
    case 32:
      return /^[0-9a-f]{32}$/i.test(id) ? undefined : 'invalid UUID format';
    case 36:
      return isForm(id);
    case 38:
      return id.startsWith('{') && id.endsWith('}') ? isForm(id.slice(1, -1)) : 'invalid bracketed UUID format';
    case 45:
      return id.slice(0, 9).toLowerCase() === 'urn:uuid:' ? isForm(id.slice(9)) : `invalid urn prefix: ${goQuote(id.slice(0, 9))}`;
    default:
      return `invalid UUID length: ${Buffer.byteLength(id)}`;
  }
}

function validateAllocation({ devices, nodeSelector }: AllocationResult, names: RequestNames, path: FieldPath, out: Faults): void {
  const at = path.child('devices');
  each(devices?.results, listMax, at.child('results'), out, ({ request, driver, pool, device, shareID, ...conditions }, where) => {
    validateReference(request, names, where.child('request'), out);
    validateDriverName(driver, where.child('driver'), out);
    validatePoolName(pool, where.child('pool'), out);
    labelName(device, where.child('device'), out);
    validateBindingConditions(conditions, where, out);
    validateShareId(shareID, where.child('shareID'), out);
  });
  each(devices?.config, 2 * listMax, at.child('config'), out, ({ source, requests, ...config }, where) => {
    if (source === '') out.push(required(where.child('source')));
    else if (source !== 'FromClass' && source !== 'FromClaim') out.push(notSupported(where.child('source'), source, ['FromClaim', 'FromClass']));
    validateReferences(requests, names, where.child('requests'), out);
    validateConfiguration(config, where, out);
  });
  if (nodeSelector !== undefined) validateNodeSelector(nodeSelector, path.child('nodeSelector'), out);
}
