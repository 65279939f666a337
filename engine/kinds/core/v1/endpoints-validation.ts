/** Endpoints. Mirrors pkg/apis/core/validation (validateEndpointSubsets). */
import type { EndpointAddress, EndpointPort, Endpoints, EndpointSubset } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, notSupported, required, root } from '../../../apimachinery/field-errors.ts';
import { isValidIPForLegacyField, parseIP } from '../../../apimachinery/ip.ts';
import { isDNS1123Label, isDNS1123Subdomain, isValidPortNum, validateLabelName } from '../../../apimachinery/validation.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specialFaults } from '../../shared/special-addresses.ts';
import type { Faults } from './resource-validation.ts';

type Context = Pick<StrategyContext, 'featureEnabled'>;

const protocols = ['SCTP', 'TCP', 'UDP'];

export function validateEndpoints({ subsets }: Endpoints, context: Context): FieldErrorList {
  const out: Faults = [];
  for (const [index, subset] of (subsets ?? []).entries()) validateSubset(subset, context, root('subsets').index(index), out);
  return out;
}

/** What did not change is not looked at again: older releases took what this one refuses. */
export function validateEndpointsUpdate(next: Endpoints, old: Endpoints, context: Context): FieldErrorList {
  return semanticEqual(next.subsets ?? [], old.subsets ?? []) ? [] : validateEndpoints(next, context);
}

function validateSubset({ addresses, notReadyAddresses, ports }: EndpointSubset, context: Context, path: FieldPath, out: Faults): void {
  const [ready, others, all] = [addresses ?? [], notReadyAddresses ?? [], ports ?? []];
  if (ready.length + others.length === 0) out.push(required(path, 'must specify `addresses` or `notReadyAddresses`'));
  for (const [index, address] of ready.entries()) validateAddress(address, context, path.child('addresses').index(index), out);
  for (const [index, address] of others.entries()) validateAddress(address, context, path.child('notReadyAddresses').index(index), out);
  for (const [index, port] of all.entries()) validatePort(port, all.length > 1, path.child('ports').index(index), out);
}

function validateAddress({ ip = '', hostname = '', nodeName }: EndpointAddress, context: Context, path: FieldPath, out: Faults): void {
  const at = path.child('ip');
  out.push(...isValidIPForLegacyField(at, ip, context.featureEnabled('StrictIPCIDRValidation')));
  if (hostname !== '') for (const fault of isDNS1123Label(hostname)) out.push(invalid(path.child('hostname'), hostname, fault));
  if (nodeName !== undefined && nodeName !== null)
    for (const fault of isDNS1123Subdomain(nodeName)) out.push(invalid(path.child('nodeName'), nodeName, fault));
  const parsed = parseIP(ip);
  if (parsed === undefined) out.push(invalid(at, ip, 'must be a valid IP address'));
  else out.push(...specialFaults(parsed, ip, at));
}

function validatePort({ name = '', port = 0, protocol = '', appProtocol }: EndpointPort, isNamed: boolean, path: FieldPath, out: Faults): void {
  if (isNamed && name === '') out.push(required(path.child('name')));
  else if (name !== '') for (const fault of isDNS1123Label(name)) out.push(invalid(path.child('name'), name, fault));
  for (const fault of isValidPortNum(port)) out.push(invalid(path.child('port'), port, fault));
  if (protocol === '') out.push(required(path.child('protocol')));
  else if (!protocols.includes(protocol)) out.push(notSupported(path.child('protocol'), protocol, protocols));
  if (appProtocol !== undefined && appProtocol !== null) out.push(...validateLabelName(appProtocol, path.child('appProtocol')));
}
