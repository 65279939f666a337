/** Endpoint slices. Mirrors pkg/apis/discovery/validation; topology of the older version is dropped before anything is looked at. */
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from '../../../api/discovery/v1/types.gen.ts';
import {
  duplicate,
  type FieldErrorList,
  type FieldPath,
  invalid,
  notSupported,
  required,
  root,
  tooMany,
} from '../../../apimachinery/field-errors.ts';
import { isValidIP, isValidIPForLegacyField, parseIP } from '../../../apimachinery/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, isValidLabelValue, validateImmutableField } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specialFaults } from '../../shared/special-addresses.ts';

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];
const addressesMax = 100;
const portsMax = 20_000;
const endpointsMax = 1_000;
const hintsMax = 8;
const typePath = root('addressType');

export function validateSlice(slice: EndpointSlice, context: Pick<StrategyContext, 'featureEnabled'>): FieldErrorList {
  return [...headFaults(slice), ...endpointFaults(slice, context)];
}

/** Endpoints that did not change are not looked at again: older releases took what this one refuses. */
export function validateSliceUpdate(next: EndpointSlice, old: EndpointSlice, context: Pick<StrategyContext, 'featureEnabled'>): FieldErrorList {
  const endpoints = semanticEqual(next.endpoints ?? [], old.endpoints ?? []) ? [] : endpointFaults(next, context);
  return [...headFaults(next), ...endpoints, ...validateImmutableField(next.addressType, old.addressType, typePath)];
}

function headFaults({ addressType, ports }: EndpointSlice): FieldErrorList {
  const out: Faults = [];
  if (!addressType) out.push(required(typePath));
  else if (!addressTypes.includes(addressType)) out.push(notSupported(typePath, addressType, addressTypes));
  validatePorts(ports ?? [], root('ports'), out);
  return out;
}

function validatePorts(ports: readonly EndpointPort[], path: FieldPath, out: Faults): void {
  if (ports.length > portsMax) return void out.push(tooMany(path, ports.length, portsMax));
  const names = new Set<string>();
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    const at = path.index(index);
    if (name !== '') for (const fault of isDNS1123Label(name)) out.push(invalid(at.child('name'), name, fault));
    if (names.has(name)) out.push(duplicate(at.child('name'), name));
    names.add(name);
    if (protocol === undefined) out.push(required(at.child('protocol')));
    else if (!protocols.includes(protocol)) out.push(notSupported(at.child('protocol'), protocol, protocols));
    if (appProtocol !== undefined) for (const fault of isQualifiedName(appProtocol)) out.push(invalid(at.child('appProtocol'), appProtocol, fault));
  }
}

function endpointFaults({ addressType = '', endpoints }: EndpointSlice, context: Pick<StrategyContext, 'featureEnabled'>): FieldErrorList {
  const path = root('endpoints');
  const all = endpoints ?? [];
  if (all.length > endpointsMax) return [tooMany(path, all.length, endpointsMax)];
  const out: Faults = [];
  const strict = context.featureEnabled('StrictIPCIDRValidation');
  for (const [index, endpoint] of all.entries()) validateEndpoint(endpoint, addressType, strict, path.index(index), out);
  return out;
}

function validateEndpoint({ addresses, nodeName, hostname, hints }: Endpoint, type: string, strict: boolean, path: FieldPath, out: Faults): void {
  const at = path.child('addresses');
  const all = addresses ?? [];
  if (all.length === 0) out.push(required(at, 'must contain at least 1 address'));
  else if (all.length > addressesMax) out.push(tooMany(at, all.length, addressesMax));
  for (const [index, address] of all.entries()) validateAddress(address, type, strict, at, index, out);
  if (nodeName !== undefined) for (const fault of isDNS1123Subdomain(nodeName)) out.push(invalid(path.child('nodeName'), nodeName, fault));
  if (hostname !== undefined) for (const fault of isDNS1123Label(hostname)) out.push(invalid(path.child('hostname'), hostname, fault));
  if (hints) validateHints(hints, path.child('hints'), out);
}

/** Of an unknown type nothing is known of its addresses. */
function validateAddress(address: string, type: string, strict: boolean, path: FieldPath, index: number, out: Faults): void {
  const at = path.index(index);
  if (type === 'FQDN') return void out.push(...domainFaults(address, at));
  if (type !== 'IPv4' && type !== 'IPv6') return;
  const faults = type === 'IPv4' ? isValidIPForLegacyField(at, address, strict) : isValidIP(at, address);
  const ip = parseIP(address);
  if (faults.length > 0 || ip === undefined) return void out.push(...faults);
  if (`IPv${ip.family}` !== type) out.push(invalid(path, address, `must be an ${type} address`));
  out.push(...specialFaults(ip, address, at));
}

/** Mirrors IsFullyQualifiedDomainName. */
function domainFaults(text: string, path: FieldPath): FieldErrorList {
  if (text === '') return [required(path)];
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  const faults = isDNS1123Subdomain(name);
  if (faults.length > 0) return faults.map((fault) => invalid(path, name, fault));
  const labels = name.split('.');
  if (labels.length < 2) return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  return labels.flatMap((label) => isDNS1123Label(label).map((fault) => invalid(path, label, fault)));
}

function validateHints({ forZones, forNodes }: EndpointHints, path: FieldPath, out: Faults): void {
  const isWhole = validateNames(forZones ?? [], isValidLabelValue, path.child('forZones'), out);
  if (isWhole) validateNames(forNodes ?? [], isDNS1123Subdomain, path.child('forNodes'), out);
}

/** False where there are too many to look at. */
function validateNames(
  hints: readonly { readonly name: string }[],
  faultsOf: (name: string) => readonly string[],
  path: FieldPath,
  out: Faults,
): boolean {
  if (hints.length > hintsMax) {
    out.push(tooMany(path, hints.length, hintsMax));
    return false;
  }
  const seen = new Set<string>();
  for (const [index, { name }] of hints.entries()) {
    const at = path.index(index).child('name');
    if (seen.has(name)) out.push(duplicate(at, name));
    seen.add(name);
    for (const fault of faultsOf(name)) out.push(invalid(at, name, fault));
  }
  return true;
}
