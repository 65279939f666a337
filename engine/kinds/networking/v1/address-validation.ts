/** Addresses and ranges of services. Mirrors ValidateIPAddress and ValidateServiceCIDR of pkg/apis/networking/validation. */
import type { IPAddress, ParentReference, ServiceCIDR } from '../../../api/networking/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, invalid, metaPlace, required } from '../../../apimachinery/field-errors.ts';
import { isValidCIDR, isValidIP, parseCIDR } from '../../../apimachinery/ip.ts';
import { immutableText, isDNS1123Subdomain, isPathSegmentName, validateImmutableField } from '../../../apimachinery/validation.ts';
import type { Faults } from '../../core/v1/resource-validation.ts';
import { specPath } from '../../shared/strategy.ts';

const refPath = specPath.child('parentRef');
const cidrsPath = specPath.child('cidrs');

/** The name is the address. */
export function addressNameFaults(name: string): readonly string[] {
  return isValidIP(refPath, name).map(({ detail }) => detail);
}

export function validateAddress({ spec }: IPAddress): FieldErrorList {
  return parentFaults(spec?.parentRef, refPath);
}

export function validateAddressUpdate(next: IPAddress, old: IPAddress): FieldErrorList {
  const faults = [...validateAddress(next), metaPlace];
  if (validateImmutableField(next.spec?.parentRef, old.spec?.parentRef, refPath).length === 0) return faults;
  const ref = next.spec?.parentRef;
  const { group = '', resource = '', namespace = '', name = '' } = ref ?? {};
  // As Go prints what it holds.
  return [...faults, invalid(refPath, ref ? { Group: group, Resource: resource, Namespace: namespace, Name: name } : null, immutableText)];
}

function parentFaults(ref: ParentReference | undefined | null, path: FieldPath): FieldErrorList {
  if (!ref) return [required(path)];
  const { group, resource, name, namespace } = ref;
  const out: Faults = [];
  if (group) for (const fault of isDNS1123Subdomain(group)) out.push(invalid(path.child('group'), group, fault));
  for (const [member, value] of [
    ['resource', resource],
    ['name', name],
  ] as const) {
    if (!value) out.push(required(path.child(member)));
    else for (const fault of isPathSegmentName(value)) out.push(invalid(path.child(member), value, fault));
  }
  if (namespace) for (const fault of isPathSegmentName(namespace)) out.push(invalid(path.child('namespace'), namespace, fault));
  return out;
}

export function validateRange({ spec }: ServiceCIDR): FieldErrorList {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(cidrsPath, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const out: Faults = cidrs.flatMap((cidr, index) => isValidCIDR(cidrsPath.index(index), cidr));
  const [first, second] = cidrs.map((cidr) => parseCIDR(cidr)?.ip.family);
  if (first !== undefined && first === second)
    out.push(invalid(cidrsPath, cidrs, 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'));
  return out;
}

/** A second range may be added; nothing else changes. */
export function validateRangeUpdate(next: ServiceCIDR, old: ServiceCIDR): FieldErrorList {
  const [after, before] = [next.spec?.cidrs ?? [], old.spec?.cidrs ?? []];
  const isExtended = before.length === 1 && after.length === 2;
  if (after.length !== before.length && !isExtended) return [invalid(cidrsPath, next.spec?.cidrs ?? null, immutableText)];
  const changed = before.flatMap((cidr, index) => (after[index] === cidr ? [] : [invalid(cidrsPath.index(index), after[index], immutableText)]));
  return isExtended ? [...changed, ...validateRange(next)] : changed;
}
