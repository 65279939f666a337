/**
 * ResourceClaims take extended resources too: those that the classes of their devices stand for, by the name that a class gives and by the
 * one that every class has. Mirrors the claim evaluator of pkg/quota/v1/evaluator/core (gate DRAExtendedResource).
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { DeviceClass, ResourceClaim } from '../../api/resource/v1/types.gen.ts';
import { formatQuantity, parseQuantity, quantitySign, subQuantity } from '../../apimachinery/quantity.ts';
import { getOwn, setOwn } from '../../base/dictionary.ts';
import { getControllerOf } from '../owners.ts';
import { resourceOfClass } from '../resource-names.ts';

type Amounts = { readonly [name: string]: string };

/** What a claim is judged by. */
export interface DeviceFacts {
  deviceClasses(): readonly DeviceClass[];
  pod(namespace: string, name: string): Pod | undefined;
  claims(namespace: string): readonly ResourceClaim[];
}

export const extendedClaimAnnotation = 'resource.kubernetes.io/extended-resource-claim';
const requests = 'requests.';
const ownPrefix = `${requests}${resourceOfClass('')}`;

/** Whether claims take of what a quota limits under this name. */
export function countsDevices(name: string, facts: DeviceFacts): boolean {
  if (!name.startsWith(requests) || !name.includes('/')) return false;
  const classes = facts.deviceClasses();
  if (name.startsWith(ownPrefix)) {
    const className = name.slice(ownPrefix.length);
    return classes.some(({ metadata }) => metadata.name === className);
  }
  return classes.some(({ spec }) => spec.extendedResourceName === name.slice(requests.length));
}

/** What the claim takes beside its devices by class; without what its pod is charged for already, where it was made for one. */
export function extendedUsage(
  claim: ResourceClaim,
  byClass: ReadonlyMap<string, number>,
  facts: DeviceFacts,
  podUsage: (pod: Pod) => Amounts,
): Amounts {
  if (byClass.size === 0) return {};
  const names = new Map(facts.deviceClasses().map(({ metadata, spec }) => [metadata.name ?? '', spec.extendedResourceName]));
  const taken: { [name: string]: string } = {};
  for (const [className, devices] of byClass) {
    if (className === '') continue;
    setOwn(taken, `${requests}${resourceOfClass(className)}`, String(devices));
    const resource = names.get(className);
    // As upstream: of two classes for one resource the one that is looked at last says how much.
    if (resource !== undefined) setOwn(taken, `${requests}${resource}`, String(devices));
  }
  const pod = podOf(claim, facts);
  const charged = pod === undefined ? {} : podUsage(pod);
  const left: { [name: string]: string } = {};
  for (const [name, devices] of Object.entries(taken)) {
    const rest = subQuantity(parseQuantity(devices), parseQuantity(getOwn(charged, name) ?? '0'));
    if (quantitySign(rest) > 0) setOwn(left, name, formatQuantity(rest));
  }
  return left;
}

/** The pod that the scheduler made the claim for, where both know of each other or the claim is the first of its pod. */
function podOf(claim: ResourceClaim, facts: DeviceFacts): Pod | undefined {
  const { metadata } = claim;
  const owner = getControllerOf(claim);
  if (metadata.annotations?.[extendedClaimAnnotation] !== 'true' || owner?.kind !== 'Pod' || owner.apiVersion !== 'v1') return undefined;
  const namespace = metadata.namespace ?? '';
  const pod = facts.pod(namespace, owner.name);
  if (pod === undefined || pod.metadata.uid !== owner.uid) return undefined;
  const named = pod.status?.extendedResourceClaimStatus?.resourceClaimName;
  if (named !== undefined) return named === metadata.name ? pod : undefined;
  const isBefore = (other: ResourceClaim): boolean => {
    const [born, otherBorn] = [metadata.creationTimestamp ?? '', other.metadata.creationTimestamp ?? ''];
    return otherBorn === born ? (other.metadata.name ?? '') < (metadata.name ?? '') : otherBorn < born;
  };
  const others = facts.claims(namespace).filter((other) => getControllerOf(other)?.uid === owner.uid && isExtendedClaim(other));
  return others.some(isBefore) ? undefined : pod;
}

function isExtendedClaim({ metadata }: ResourceClaim): boolean {
  return metadata.annotations?.[extendedClaimAnnotation] === 'true';
}
