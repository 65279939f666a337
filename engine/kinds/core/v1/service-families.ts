/** Families and cluster addresses of services, where the cluster has IPv4 only. Mirrors initIPFamilyFields and its neighbours of pkg/registry/core/service/storage/alloc.go. */
import type { ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { newInvalid } from '../../../apimachinery/errors.ts';
import { type FieldErrorList, invalid } from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import type { Faults } from './resource-validation.ts';
import { addressFaults, familyOf, isStrict } from './service-addresses.ts';

const none = 'None';
const configured = 'IPv4';
const policyPath = specPath.child('ipFamilyPolicy');

export function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (a ?? []).length === (b ?? []).length && (a ?? []).every((item, index) => item === b?.[index]);
}

export function refuse(name: string, faults: FieldErrorList): void {
  if (faults.length > 0) throw newInvalid({ group: '', kind: 'Service' }, name, faults);
}

/** Throws what is wrong with addresses and families. */
export function fillFamilies(given: ServiceSpec, old: ServiceSpec | undefined, name: string, context: StrategyContext): ServiceSpec {
  if (given.type === 'ExternalName' || isPreferredAsBefore(given, old)) return given;
  const isOpen = given.clusterIP === none && Object.keys(given.selector ?? {}).length === 0;
  let spec: ServiceSpec = { ...given, ipFamilyPolicy: given.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (isOpen ? 'RequireDualStack' : 'SingleStack') };
  refuse(name, addressFaults(spec, old, isStrict(context)));
  const out: Faults = [];
  if (old !== undefined) spec = released(spec, old, out);
  if (spec.ipFamilyPolicy === 'SingleStack') {
    const two = (what: string): void =>
      void out.push(invalid(policyPath, spec.ipFamilyPolicy, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`));
    if (spec.clusterIPs?.length === 2) two('cluster IPs');
    if (spec.ipFamilies?.length === 2) two('IP families');
  }
  spec = withFamiliesOfIps(spec, out);
  refuse(name, out);
  if (isOpen) return openFamilies(spec);
  if (spec.ipFamilyPolicy === 'RequireDualStack')
    out.push(invalid(policyPath, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  for (const [index, family] of (spec.ipFamilies ?? []).entries())
    if (family !== configured) out.push(invalid(specPath.child('ipFamilies').index(index), family, 'not configured on this cluster'));
  refuse(name, out);
  return spec.ipFamilies?.length ? spec : { ...spec, ipFamilies: [configured] };
}

function isPreferredAsBefore(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || old.type !== spec.type || spec.ipFamilyPolicy !== 'PreferDualStack') return false;
  if (old.ipFamilyPolicy !== undefined && old.ipFamilyPolicy !== 'PreferDualStack') return false;
  return sameList(old.clusterIPs, spec.clusterIPs) && sameList(old.ipFamilies, spec.ipFamilies);
}

/** A single stack leaves the second address and family behind. */
function released(spec: ServiceSpec, old: ServiceSpec, out: Faults): ServiceSpec {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.ipFamilyPolicy === 'SingleStack') {
    return {
      ...spec,
      ...(sameList(old.clusterIPs, clusterIPs) && clusterIPs.length > 1 ? { clusterIPs: clusterIPs.slice(0, 1) } : {}),
      ...(sameList(old.ipFamilies, ipFamilies) && ipFamilies.length > 1 ? { ipFamilies: ipFamilies.slice(0, 1) } : {}),
    };
  }
  const must = (what: string): void =>
    void out.push(invalid(policyPath, spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`));
  if (clusterIPs.length > 0 && clusterIPs.length < (old.clusterIPs?.length ?? 0)) must('cluster IP');
  if (ipFamilies.length > 0 && ipFamilies.length < (old.ipFamilies?.length ?? 0)) must('IP family');
  return spec;
}

function withFamiliesOfIps(spec: ServiceSpec, out: Faults): ServiceSpec {
  const families = [...(spec.ipFamilies ?? [])];
  for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === none) break;
    if (index < families.length) continue;
    const family = familyOf(ip);
    if (family === configured) families.push(family);
    else out.push(invalid(specPath.child('clusterIPs').index(index), spec.clusterIPs, `${family} is not configured on this cluster`));
  }
  return families.length === (spec.ipFamilies?.length ?? 0) ? spec : { ...spec, ipFamilies: families };
}

/** A headless service without a selector is of both families, whatever the cluster has. */
function openFamilies(spec: ServiceSpec): ServiceSpec {
  const [first = configured, second] = spec.ipFamilies ?? [];
  if (second !== undefined) return spec;
  const other = first === 'IPv4' ? 'IPv6' : 'IPv4';
  return { ...spec, ipFamilies: spec.ipFamilyPolicy === 'SingleStack' ? [first] : [first, other] };
}

/** An address comes with the creation, or when a service is an alias no longer. */
export function allocateAddresses(spec: ServiceSpec, old: ServiceSpec | undefined, name: string, context: StrategyContext): ServiceSpec {
  const { services } = context;
  if (services === undefined || spec.type === 'ExternalName' || spec.clusterIPs?.[0] === none) return spec;
  if (old !== undefined && old.type !== 'ExternalName') return spec;
  const [asked = ''] = spec.clusterIPs ?? [];
  if (asked === '') {
    const clusterIP = services.allocateClusterIp();
    return { ...spec, clusterIP, clusterIPs: [clusterIP] };
  }
  const fault = services.claimClusterIp(asked);
  if (fault !== undefined) refuse(name, [invalid(specPath.child('clusterIPs'), spec.clusterIPs, fault)]);
  return spec;
}
