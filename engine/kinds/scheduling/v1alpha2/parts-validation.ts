/** What groups of pods and their templates say alike. Mirrors what pkg/apis/scheduling/v1alpha2 declares of both. */
import type { PodGroupResourceClaim, PodGroupTemplate } from '../../../api/scheduling/v1alpha2/types.gen.ts';
import { duplicate, type FieldError, type FieldPath, invalid, notSupported, required, tooMany } from '../../../apimachinery/field-errors.ts';
import { isShortName, isLongName, isQualifiedName } from '../../../apimachinery/validation.ts';

type Faults = FieldError[];
type Parts = Partial<Omit<PodGroupTemplate, 'name' | 'schedulingPolicy'>>;

export const claimsMax = 4;
const topologiesMax = 1;
const priorityMax = 1_000_000_000;
const modes = ['Pod', 'PodGroup'];
const sources = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

export function validateParts(
  { schedulingConstraints, resourceClaims, disruptionMode, priorityClassName, priority }: Parts,
  path: FieldPath,
  out: Faults,
): void {
  validateTopology(schedulingConstraints?.topology ?? [], path.child('schedulingConstraints', 'topology'), out);
  validateClaims(resourceClaims ?? [], path.child('resourceClaims'), out);
  if (disruptionMode !== undefined && !modes.includes(disruptionMode)) out.push(notSupported(path.child('disruptionMode'), disruptionMode, modes));
  if (priorityClassName) named(priorityClassName, path.child('priorityClassName'), isLongName, out);
  if ((priority ?? 0) > priorityMax) out.push(invalid(path.child('priority'), priority, `must be less than or equal to ${priorityMax}`));
}

function validateTopology(topology: readonly { readonly key: string }[], path: FieldPath, out: Faults): void {
  if (topology.length > topologiesMax) return void out.push(tooMany(path, topology.length, topologiesMax));
  for (const [index, { key }] of topology.entries()) named(key, path.index(index).child('key'), isQualifiedName, out);
}

/** Each by one way, under a name of its own. */
function validateClaims(claims: readonly PodGroupResourceClaim[], path: FieldPath, out: Faults): void {
  if (claims.length > claimsMax) return void out.push(tooMany(path, claims.length, claimsMax));
  const names = claims.map(({ name }) => name);
  for (const [index, claim] of claims.entries()) if (names.indexOf(claim.name) < index) out.push(duplicate(path.index(index), claim));
  for (const [index, claim] of claims.entries()) {
    const at = path.index(index);
    const set = sources.filter((source) => claim[source] !== undefined);
    const list = sources.map((source) => `\`${source}\``).join(', ');
    if (set.length === 0) out.push(invalid(at, '', `must specify one of: ${list}`));
    if (set.length > 1) out.push(invalid(at, `{${set.join(', ')}}`, `must specify exactly one of: ${list}`));
    named(claim.name, at.child('name'), isShortName, out);
    for (const source of sources)
      for (const fault of claim[source] === undefined ? [] : isLongName(claim[source])) out.push(invalid(at.child(source), claim[source], fault));
  }
}

/** A name that has to be there. */
export function named(name: string | undefined, path: FieldPath, faultsOf: (name: string) => readonly string[], out: Faults): void {
  if (!name) out.push(required(path));
  else for (const fault of faultsOf(name)) out.push(invalid(path, name, fault));
}
