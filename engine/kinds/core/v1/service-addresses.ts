/** What clients say of a service's addresses and families. Mirrors ValidateServiceClusterIPsRelatedFields and its neighbours of pkg/apis/core/validation. */
import type { Service, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldErrorList, invalid, notSupported, required } from '../../../apimachinery/field-errors.ts';
import { isValidIPForLegacyField, parseIP } from '../../../apimachinery/ip.ts';
import { repeatsOf } from '../../../base/repeats.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import type { Faults } from './resource-validation.ts';

const none = 'None';
const families = ['IPv4', 'IPv6'];
const familyPolicies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const ipsPath = specPath.child('clusterIPs');
const familiesPath = specPath.child('ipFamilies');
const policyPath = specPath.child('ipFamilyPolicy');
const once = 'may not change once set';

export function isHeadless({ clusterIPs }: ServiceSpec): boolean {
  return clusterIPs?.length === 1 && clusterIPs[0] === none;
}

export function isStrict(context: StrategyContext): boolean {
  return context.featureEnabled('StrictIPCIDRValidation');
}

/** `strict`: the gate StrictIPCIDRValidation. */
export function addressFaults(spec: ServiceSpec, old: ServiceSpec | undefined, strict: boolean): FieldErrorList {
  if (spec.type === 'ExternalName') return [];
  const out: Faults = [];
  const { clusterIP = '', ipFamilyPolicy: policy } = spec;
  const ips = spec.clusterIPs ?? [];
  if (clusterIP === '') {
    if (ips.length > 0) out.push(invalid(ipsPath, ips, 'must be empty when `clusterIP` is not specified'));
  } else if (ips.length === 0) out.push(required(ipsPath));
  else if (ips[0] !== clusterIP) out.push(invalid(ipsPath, ips, 'first value must match `clusterIP`'));
  validateFamilies(spec.ipFamilies ?? [], out);
  if (policy !== undefined && !familyPolicies.includes(policy)) out.push(notSupported(policyPath, policy, familyPolicies));
  const isSound = validateIps(ips, old?.clusterIPs ?? [], strict, out);
  if (ips.length > 2) out.push(invalid(ipsPath, ips, 'may only hold up to 2 values'));
  if (!isSound) return out;
  const found = ips.map(familyOf);
  if (ips.length > 1 && found[0] === found[1]) out.push(invalid(ipsPath, ips, 'may specify no more than one IP for each IP family'));
  if (!isHeadless(spec)) matchFamilies(ips, spec.ipFamilies ?? [], out);
  return out;
}

function validateFamilies(given: readonly string[], out: Faults): void {
  const repeats = repeatsOf(given);
  for (const [index, family] of given.entries()) {
    if (!families.includes(family)) out.push(notSupported(familiesPath.index(index), family, families));
    if (repeats.has(index)) out.push(duplicate(familiesPath.index(index), family));
  }
}

/** False where one is no address. */
function validateIps(ips: readonly string[], before: readonly string[], strict: boolean, out: Faults): boolean {
  let isSound = true;
  for (const [index, ip] of ips.entries()) {
    if (index === 0 && ip === none) {
      if (ips.length === 1) continue;
      out.push(invalid(ipsPath, ips, "'None' must be the first and only value"));
      isSound = false;
      continue;
    }
    const faults = isValidIPForLegacyField(ipsPath.index(index), ip, strict, before);
    if (faults.length > 0) isSound = false;
    out.push(...faults);
  }
  return isSound;
}

export function familyOf(ip: string): string {
  return parseIP(ip)?.family === 6 ? 'IPv6' : 'IPv4';
}

function matchFamilies(ips: readonly string[], given: readonly string[], out: Faults): void {
  for (const [index, ip] of ips.entries()) {
    const family = given[index];
    if ((family === 'IPv4' || family === 'IPv6') && family !== familyOf(ip))
      out.push(invalid(ipsPath.index(index), ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``));
  }
}

/** The first address and family stay, the second ones may come and go. */
/** `keepsAddresses`: whether one that is not written is the one from before. */
export function addressChangeFaults(next: Service, old: Service, keepsAddresses: boolean): FieldErrorList {
  const [now, before] = [next.spec ?? {}, old.spec ?? {}];
  if (now.type === 'ExternalName' || before.type === 'ExternalName') return [];
  if (!keepsAddresses) {
    const isSame = !before.clusterIP || now.clusterIP === before.clusterIP;
    return isSame ? [] : [invalid(specPath.child('clusterIP'), now.clusterIP ?? '', 'field is immutable')];
  }
  const [isNow, wasBefore] = [isHeadless(now), isHeadless(before)];
  if (isNow && wasBefore) return [];
  const out: Faults = [];
  changedIps(now, before, out);
  if (isNow === wasBefore) changedFamilies(now, before, out);
  return out;
}

function changedIps(now: ServiceSpec, before: ServiceSpec, out: Faults): void {
  const [after, earlier] = [now.clusterIPs ?? [], before.clusterIPs ?? []];
  if (after.length === earlier.length) {
    for (const [index, ip] of earlier.entries()) if (ip !== after[index]) out.push(invalid(ipsPath.index(index), after, once));
    return;
  }
  if (after.length === 0) out.push(invalid(ipsPath.index(0), after, 'primary clusterIP can not be unset'));
  else if (earlier.length > 0 && after[0] !== earlier[0]) out.push(invalid(ipsPath.index(0), after, once));
  if (earlier.length > after.length && after.length === 1 && now.ipFamilyPolicy !== 'SingleStack')
    out.push(invalid(policyPath, now.ipFamilyPolicy ?? null, "must be set to 'SingleStack' when releasing the secondary clusterIP"));
}

function changedFamilies(now: ServiceSpec, before: ServiceSpec, out: Faults): void {
  const [after, earlier] = [now.ipFamilies ?? [], before.ipFamilies ?? []];
  const first = familiesPath.index(0);
  if (after.length === earlier.length) {
    for (const [index, family] of earlier.entries()) if (family !== after[index]) out.push(invalid(first, after, once));
    return;
  }
  if (earlier.length > after.length && (now.clusterIPs ?? []).length === 0) out.push(invalid(first, after, 'primary ipFamily can not be unset'));
  // Upstream shows the addresses.
  if (earlier.length > 0 && after.length > 0 && after[0] !== earlier[0]) out.push(invalid(first, now.clusterIPs ?? null, once));
  if (earlier.length > after.length && after.length === 1 && now.ipFamilyPolicy !== 'SingleStack')
    out.push(invalid(policyPath, now.ipFamilyPolicy ?? null, "must be set to 'SingleStack' when releasing the secondary ipFamily"));
}
