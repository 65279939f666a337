/** Who may write which part of a claim's status, beside the status itself. Mirrors AuthorizedForBinding and AuthorizedForDeviceStatus of pkg/registry/resource. */
import type { AllocatedDeviceStatus, AllocationResult, ResourceClaim, ResourceClaimStatus } from '../../../api/resource/v1/types.gen.ts';
import { type FieldError, type FieldErrorList, forbidden, root } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { adminText, mayHaveAdminAccess } from './admin-access.ts';

const group = 'resource.k8s.io';
const accountPrefix = 'system:serviceaccount:';
const nodeKey = 'authentication.kubernetes.io/node-name';
const status = root('status');
const none: ResourceClaimStatus = {};

export function statusAuthorization(next: ResourceClaim, old: ResourceClaim, context: StrategyContext): FieldErrorList {
  const [now, before] = [next.status ?? none, old.status ?? none];
  const out: FieldError[] = [...adminResultFaults(now, before, next.metadata.namespace, context)];
  if (!context.featureEnabled('DRAResourceClaimGranularStatusAuthorization')) return out;
  const verb = context.verb ?? 'update';
  if (!semanticEqual(now.allocation, before.allocation) || !semanticEqual(now.reservedFor ?? [], before.reservedFor ?? [])) {
    const why = refusal(context, verb, 'binding', '', '');
    const text = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission: `;
    if (why !== undefined) out.push(forbidden(status.child('allocation'), text + why));
  }
  if (!context.featureEnabled('DRAResourceClaimDeviceStatus') || now.allocation === undefined) return out;
  const verbs = isOnNode(context, nodeOf(now.allocation)) ? [`associated-node:${verb}`, `arbitrary-node:${verb}`] : [`arbitrary-node:${verb}`];
  for (const driver of changedDrivers(now.devices ?? [], before.devices ?? [])) {
    const whys = verbs.map((one) => refusal(context, one, 'driver', next.metadata.namespace ?? '', driver));
    const text = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission: `;
    if (!whys.includes(undefined)) out.push(forbidden(status.child('devices'), text + (whys[0] ?? '')));
  }
  return out;
}

/** What others hold is allocated only where the namespace says so (AuthorizedForAdminStatus). */
function adminResultFaults(
  now: ResourceClaimStatus,
  before: ResourceClaimStatus,
  namespace: string | undefined,
  context: StrategyContext,
): FieldErrorList {
  const placeOf = ({ allocation }: ResourceClaimStatus): number =>
    (allocation?.devices?.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  const place = placeOf(now);
  if (place < 0 || placeOf(before) >= 0 || mayHaveAdminAccess(namespace, context)) return [];
  return [forbidden(status.child('allocation').child('devices').child('results').index(place).child('adminAccess'), adminText)];
}

/** Undefined for what is allowed. */
function refusal({ access, identity }: StrategyContext, verb: string, subresource: string, namespace: string, name: string): string | undefined {
  const asked = { verb, isResource: true, path: '', group, version: 'v1', resource: 'resourceclaims', subresource, namespace, name };
  const decision = access?.authorize(identity, asked);
  if (decision === undefined || decision.allowed) return undefined;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  const what = `cannot ${verb} resource "resourceclaims/${subresource}" in API group "${group}" ${where}`;
  const of = `resourceclaims.${group}${name === '' ? '' : ` ${goQuote(name)}`}`;
  return `${of} is forbidden: User ${goQuote(identity.name)} ${what}${decision.reason === '' ? '' : `: ${decision.reason}`}`;
}

/** In order. */
function changedDrivers(now: readonly AllocatedDeviceStatus[], before: readonly AllocatedDeviceStatus[]): readonly string[] {
  const left = new Map(before.map((device) => [keyOf(device), device]));
  const drivers = new Set<string>();
  for (const device of now) {
    if (!semanticEqual(left.get(keyOf(device)), device)) drivers.add(device.driver);
    left.delete(keyOf(device));
  }
  for (const { driver } of left.values()) drivers.add(driver);
  return [...drivers].sort();
}

function keyOf({ driver, pool, device, shareID = '' }: AllocatedDeviceStatus): string {
  return [driver, pool, device, shareID].join('\0');
}

/** The one node that it was given on, if there is one. */
function nodeOf({ nodeSelector }: AllocationResult): string {
  const [term, ...others] = nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...more] = term?.matchFields ?? [];
  if (others.length > 0 || more.length > 0 || (term?.matchExpressions?.length ?? 0) > 0) return '';
  return field?.key === 'metadata.name' && field.operator === 'In' && field.values?.length === 1 ? (field.values[0] ?? '') : '';
}

function isOnNode({ identity }: StrategyContext, node: string): boolean {
  const names = getOwn(identity.extra, nodeKey) ?? [];
  return node !== '' && identity.name.startsWith(accountPrefix) && names.length === 1 && names[0] === node;
}
