/** Families and cluster addresses of services. Mirrors initIPFamilyFields and its neighbours of pkg/registry/core/service/storage/alloc.go. */
import type { Service, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { newInternalError, newInvalid } from '../../../apimachinery/errors.ts';
import { type FieldErrorList, invalid } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { AddressHolder, IpFamily, ServiceAllocator, StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import type { Faults } from './resource-validation.ts';
import { addressFaults, familyOf, isStrict } from './service-addresses.ts';

const none = 'None';
const service = { group: '', kind: 'Service' };
const dual = 'RequireDualStack';
const policyPath = specPath.child('ipFamilyPolicy');

export function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return (a ?? []).length === (b ?? []).length && (a ?? []).every((item, index) => item === b?.[index]);
}

/** Those of the cluster; a Service that says nothing has the first. */
function configuredIn({ services }: StrategyContext): readonly IpFamily[] {
  return services === undefined || services.families.length === 0 ? ['IPv4'] : services.families;
}

function otherOf(family: string | undefined): IpFamily {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}

export function refuse(name: string, faults: FieldErrorList): void {
  if (faults.length > 0) throw newInvalid(service, name, faults);
}

/** Throws what is wrong with addresses and families. */
export function fillFamilies(sent: ServiceSpec, old: ServiceSpec | undefined, name: string, context: StrategyContext): ServiceSpec {
  // Where nobody speaks of families, those of a headless service are no reason to refuse what it becomes.
  const isHeadless = sent.clusterIP === none && Object.keys(sent.selector ?? {}).length === 0;
  const leaves = !context.ratcheted('KeptAddresses') && old?.clusterIP === none && !isHeadless && sent.type !== 'ExternalName';
  const { ipFamilies: _families, ...single } = sent;
  const given: ServiceSpec = leaves ? { ...single, ipFamilyPolicy: 'SingleStack' } : sent;
  if (given.type === 'ExternalName' || isPreferredAsBefore(given, old)) return given;
  const isOpen = given.clusterIP === none && Object.keys(given.selector ?? {}).length === 0;
  let spec: ServiceSpec = { ...given, ipFamilyPolicy: given.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (isOpen ? dual : 'SingleStack') };
  refuse(name, addressFaults(spec, old, isStrict(context)));
  const out: Faults = [];
  if (old !== undefined) spec = released(spec, old, out);
  if (spec.ipFamilyPolicy === 'SingleStack') {
    const two = (what: string): void =>
      void out.push(invalid(policyPath, spec.ipFamilyPolicy, `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`));
    if (spec.clusterIPs?.length === 2) two('cluster IPs');
    if (spec.ipFamilies?.length === 2) two('IP families');
  }
  const configured = configuredIn(context);
  spec = withFamiliesOfIps(spec, configured, context.ratcheted('DryAddresses'), out);
  refuse(name, out);
  if (isOpen) return openFamilies(spec, configured);
  if (spec.ipFamilyPolicy === dual && configured.length < 2)
    out.push(invalid(policyPath, spec.ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  for (const [index, family] of (spec.ipFamilies ?? []).entries())
    if (context.ratcheted('DryAddresses') && !configured.some((one) => one === family))
      out.push(invalid(specPath.child('ipFamilies').index(index), family, 'not configured on this cluster'));
  refuse(name, out);
  const [first = configured[0], second] = spec.ipFamilies ?? [];
  const wantsTwo = spec.ipFamilyPolicy !== 'SingleStack' && configured.length === 2;
  const last = second ?? (wantsTwo ? otherOf(first) : undefined);
  return { ...spec, ipFamilies: [first, last].flatMap((family) => family ?? []) };
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

/** `isStrict`: else an address of a family that there is not is asked for all the same, and is in no range. */
function withFamiliesOfIps(spec: ServiceSpec, configured: readonly IpFamily[], isStrict: boolean, out: Faults): ServiceSpec {
  const families = [...(spec.ipFamilies ?? [])];
  for (const [index, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === none) break;
    if (index < families.length) continue;
    const family = familyOf(ip);
    if (configured.some((one) => one === family)) families.push(family);
    else if (!isStrict) families.push(family);
    else out.push(invalid(specPath.child('clusterIPs').index(index), spec.clusterIPs, `${family} is not configured on this cluster`));
  }
  return families.length === (spec.ipFamilies?.length ?? 0) ? spec : { ...spec, ipFamilies: families };
}

/** A headless service without a selector is of both families, whatever the cluster has. */
function openFamilies(spec: ServiceSpec, configured: readonly IpFamily[]): ServiceSpec {
  const [first = configured[0] ?? 'IPv4', second] = spec.ipFamilies ?? [];
  if (second !== undefined) return spec;
  return { ...spec, ipFamilies: spec.ipFamilyPolicy === 'SingleStack' ? [first] : [first, otherOf(first)] };
}

/** Addresses come with the creation, when a service is an alias no longer, and the second with the second family. */
export function allocateAddresses(spec: ServiceSpec, old: ServiceSpec | undefined, { metadata }: Service, context: StrategyContext): ServiceSpec {
  const { services, dryRun } = context;
  if (services === undefined || spec.type === 'ExternalName' || spec.clusterIPs?.[0] === none) return spec;
  if (dryRun && !context.ratcheted('DryAddresses')) return spec;
  const families = spec.ipFamilies ?? [];
  const allocation = { services, dryRun, holder: { namespace: metadata.namespace ?? '', name: metadata.name ?? '' } };
  if (old === undefined || old.type === 'ExternalName') return withAddresses(spec, families, allocation);
  if (isPreferredAsBefore(spec, old) || old.clusterIPs?.[0] === none) return spec;
  return old.ipFamilies?.length === 1 && families.length === 2 ? withAddresses(spec, [undefined, families[1]], allocation) : spec;
}

/** Who becomes an alias gives its addresses back, who keeps one family the other's. */
export function giveBackAddresses({ spec = {} }: Service, { spec: old = {} }: Service, { services }: StrategyContext): void {
  if (services === undefined || old.type === 'ExternalName' || old.clusterIPs?.[0] === none || isPreferredAsBefore(spec, old)) return;
  if (spec.type === 'ExternalName') services.releaseClusterIps(old.clusterIPs ?? []);
  else if (old.ipFamilies?.length === 2 && spec.ipFamilies?.length === 1) services.releaseClusterIps(old.clusterIPs?.slice(1) ?? []);
}

/** Who is gone has no address any more. */
export function giveBackAll({ spec = {} }: Service, { services }: StrategyContext): void {
  if (spec.type !== 'ExternalName') services?.releaseClusterIps(spec.clusterIPs ?? []);
}

interface Allocation {
  readonly services: ServiceAllocator;
  readonly dryRun: boolean;
  readonly holder: AddressHolder;
}

/** One of each family; where there is none named nothing changes. */
function withAddresses(spec: ServiceSpec, families: readonly (string | undefined)[], allocation: Allocation): ServiceSpec {
  const given = spec.clusterIPs ?? [];
  // What a refusal shows has a place for each address.
  const shown = families.map((_, index) => given[index] ?? '');
  const clusterIPs = families.map((family, index) => {
    const asked = given[index] ?? '';
    if (family === undefined) return asked;
    const taken = asked === '' ? drawn(family, allocation) : claimed(asked, allocation);
    if ('ip' in taken) return taken.ip;
    const what = asked === '' ? 'failed to allocate IP' : `failed to allocate IP ${asked}`;
    throw newInvalid(service, allocation.holder.name, [invalid(specPath.child('clusterIPs'), shown, `${what}: ${taken.fault}`)]);
  });
  return { ...spec, clusterIP: clusterIPs[0] ?? '', clusterIPs };
}

type Taken = NonNullable<ReturnType<ServiceAllocator['allocateClusterIp']>>;

function claimed(ip: string, { services, holder, dryRun }: Allocation): Taken {
  const fault = services.claimClusterIp(ip, holder, dryRun);
  return fault === undefined ? { ip } : { fault };
}

function drawn(family: string, { services, holder, dryRun }: Allocation): Taken {
  const given = services.allocateClusterIp(family === 'IPv6' ? 'IPv6' : 'IPv4', holder, dryRun);
  if (given === undefined) throw newInternalError(`failed to allocate a serviceIP for Service ${goQuote(holder.name)}: range is full`);
  return given;
}
