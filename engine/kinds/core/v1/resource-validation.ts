/** Resource lists and requirements. Mirrors validateResourceRequirements of pkg/apis/core/validation. */
import { getOwn } from '../../../base/dictionary.ts';
import type { PodResourceClaim, ResourceRequirements } from '../../../api/core/v1/types.gen.ts';
import { duplicate, type FieldError, type FieldPath, forbidden, invalid, notFound, required } from '../../../apimachinery/field-errors.ts';
import { isWholeQuantity } from '../../../apimachinery/quantity-text.ts';
import { compareQuantity, parseQuantity, quantityMilliValue, quantitySign } from '../../../apimachinery/quantity.ts';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName, negativeText } from '../../../apimachinery/validation.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../../../component-helpers/resource-names.ts';
import { isPodLevelResource } from '../../../component-helpers/resources.ts';
import { fieldAt } from '../../../base/plain.ts';

type ResourceList = { readonly [name: string]: string };
export type Faults = FieldError[];
type NameCheck = (name: string, path: FieldPath, out: Faults) => void;

const computeResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const standardResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);
/** Counted in whole numbers. */
const integerResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Huge pages as quotas name them too. */
export function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-');
}

export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** A standard name or a qualified one. */
export function validateResourceName(name: string, path: FieldPath, out: Faults): boolean {
  if (computeResources.has(name)) return true;
  const faults = isQualifiedName(name);
  for (const fault of faults) out.push(invalid(path, name, fault));
  if (faults.length > 0) return false;
  if (!name.includes('/') && !standardResources.has(name) && !isQuotaHugePages(name)) {
    out.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
    return false;
  }
  return true;
}

export function validateContainerResourceName(name: string, path: FieldPath, out: Faults): void {
  if (computeResources.has(name)) return;
  validateResourceName(name, path, out);
  if (!name.includes('/')) {
    if (!isHugePages(name)) out.push(invalid(path, name, 'must be a standard resource for containers'));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) out.push(invalid(path, name, "doesn't follow extended resource name standard"));
}

export function validatePodResourceName(name: string, path: FieldPath, out: Faults): void {
  if (validateResourceName(name, path, out) && !isPodLevelResource(name)) {
    out.push({ type: 'FieldValueNotSupported', field: path.toString(), badValue: name, detail: 'supported values: "cpu", "hugepages-", "memory"' });
  }
}

export function validateQuantityValue(name: string, text: string, path: FieldPath, out: Faults): void {
  if (isPlainPositive(text) && (computeResources.has(name) || isDigits(text))) return;
  const quantity = parseQuantity(text);
  if (quantitySign(quantity) < 0) out.push(invalid(path, text, negativeText));
  if ((integerResources.has(name) || isExtendedResource(name)) && !isWholeQuantity(text)) out.push(invalid(path, text, 'must be an integer'));
}

function isPlainPositive(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 48 && code <= 57;
}

function isDigits(text: string): boolean {
  return /^[0-9]{1,15}$/.test(text);
}

export function compareTexts(a: string, b: string): number {
  return a === b ? 0 : compareQuantity(parseQuantity(a), parseQuantity(b));
}

export function validateRequirements(
  requirements: ResourceRequirements,
  names: NameCheck,
  claims: ReadonlySet<string>,
  path: FieldPath,
  out: Faults,
): void {
  const { limits, requests } = requirements;
  const seen = { compute: false, huge: false };
  for (const name in limits) {
    const text = fieldAt(limits, name) ?? '0';
    checkEntry(name, text, names, path.child('limits'), seen, out);
    checkPages(name, text, path.child('limits'), out);
  }
  for (const name in requests) {
    const text = requests[name] ?? '0';
    checkEntry(name, text, names, path.child('requests'), seen, out);
    checkRequest(name, text, limits, path, out);
    checkPages(name, text, path.child('requests'), out);
  }
  if (!seen.compute && seen.huge) out.push(forbidden(path, 'HugePages require cpu or memory'));
  if (requirements.claims?.length) validateClaimNames(requirements.claims, claims, path.child('claims'), out);
}

function checkEntry(name: string, text: string, names: NameCheck, list: FieldPath, seen: { compute: boolean; huge: boolean }, out: Faults): void {
  const at = list.key(name);
  names(name, at, out);
  validateQuantityValue(name, text, at, out);
  if (name === 'cpu' || name === 'memory') seen.compute = true;
  if (isHugePages(name)) seen.huge = true;
}

function checkPages(name: string, text: string, list: FieldPath, out: Faults): void {
  if (!isHugePages(name)) return;
  const page = parseQuantity(name.slice('hugepages-'.length));
  if (quantityMilliValue(parseQuantity(text)) % quantityMilliValue(page) !== 0) {
    out.push(invalid(list.key(name), text, `${text} is not positive integer multiple of ${name}`));
  }
}

function checkRequest(name: string, text: string, limits: ResourceList | undefined, path: FieldPath, out: Faults): void {
  const limit = getOwn(limits, name);
  if (limit === undefined) {
    if (!isOvercommitAllowed(name)) out.push(required(path.child('limits'), 'Limit must be set for non overcommitable resources'));
    return;
  }
  const order = compareTexts(text, limit);
  if (order !== 0 && !isOvercommitAllowed(name)) out.push(invalid(path.child('requests'), text, `must be equal to ${name} limit of ${limit}`));
  else if (order > 0) out.push(invalid(path.child('requests'), text, `must be less than or equal to ${name} limit of ${limit}`));
}

function validateClaimNames(claims: NonNullable<ResourceRequirements['claims']>, known: ReadonlySet<string>, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  const claimed = new Set<string>();
  for (const [index, { name = '', request }] of claims.entries()) {
    const at = path.index(index);
    if (name === '') {
      out.push(required(at));
      continue;
    }
    if (names.has(name)) out.push(duplicate(at, name));
    else if (request) {
      for (const fault of isDNS1123Label(request)) out.push(invalid(at.child('request'), request, fault));
      if (names.has(`${name}/${request}`)) out.push(duplicate(at, `${name}/${request}`));
      names.add(`${name}/${request}`);
    } else {
      if (claimed.has(name)) out.push(duplicate(at, name));
      names.add(name);
    }
    claimed.add(name);
    if (known.has(name)) continue;
    const detail = known.size === 0 ? ' which is empty' : `: ${[...known].sort().join(', ')}`;
    out.push({ ...notFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${detail}` });
  }
}

export function validateResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (const [index, claim] of (claims ?? []).entries()) {
    const at = path.index(index);
    if (!claim.name) out.push(required(at.child('name')));
    else if (names.has(claim.name)) out.push(duplicate(at.child('name'), claim.name));
    else for (const fault of isDNS1123Label(claim.name)) out.push(invalid(at.child('name'), claim.name, fault));
    names.add(claim.name);
    const { resourceClaimName: own, resourceClaimTemplateName: template } = claim;
    if (own !== undefined && template !== undefined)
      out.push(invalid(at, claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    if (own === undefined && template === undefined)
      out.push(invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    for (const name of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const value = claim[name];
      if (value !== undefined) for (const fault of isDNS1123Subdomain(value)) out.push(invalid(at.child(name), value, fault));
    }
  }
}
