/**
 * Whether rules that somebody holds cover rules that she wants to give away: the wanted ones are broken into their smallest parts,
 * and each must be covered by one rule held. Mirrors component-helpers auth/rbac/validation/policy_comparator.go and
 * pkg/registry/rbac/validation/policy_compact.go.
 */
import type { PolicyRule } from '../../../api/rbac/v1/types.gen.ts';
import type { AccessRule } from '../../../contracts/access.ts';
import { goQuote } from '../../../apimachinery/quote.ts';

const all = '*';

/** Verbs times resources times groups times names of all rules together. */
const partsMax = 20_000;

/**
 * The smallest parts of `wanted` that `held` does not cover, in order. A rule of ordinary size may stand for more parts than memory
 * holds: one that is covered as a whole is not broken up, and what is beyond so many parts counts as not covered.
 */
export function uncovered(held: readonly AccessRule[], wanted: readonly PolicyRule[]): readonly AccessRule[] {
  const missing: AccessRule[] = [];
  let parts = 0;
  for (const rule of wanted) {
    if (held.some((one) => coversWhole(one, rule))) continue;
    for (const part of partsOf(rule)) {
      if (++parts > partsMax) return [...missing, part];
      if (!held.some((one) => covers(one, part))) missing.push(part);
    }
  }
  return missing;
}

/** Whether one rule covers all that another stands for; it says no where that has to be looked at part by part. */
function coversWhole(rule: AccessRule, wanted: PolicyRule): boolean {
  if ((wanted.nonResourceURLs ?? []).length > 0 && (wanted.resources ?? []).length > 0) return false;
  return covers(rule, wanted);
}

/** One line for each rule, sorted: verbs of one resource stand together. */
export function describeRules(parts: readonly AccessRule[]): readonly string[] {
  const lines: AccessRule[] = [];
  const byResource = new Map<string, number>();
  for (const part of parts) {
    const key = part.nonResourceURLs === undefined ? JSON.stringify([part.apiGroups, part.resources, part.resourceNames ?? null]) : undefined;
    const at = key === undefined ? undefined : byResource.get(key);
    const line = at === undefined ? undefined : lines[at];
    if (at !== undefined && line !== undefined) lines[at] = { ...line, verbs: [...(line.verbs ?? []), ...(part.verbs ?? [])] };
    else {
      if (key !== undefined) byResource.set(key, lines.length);
      lines.push(part);
    }
  }
  return [...new Set(lines.map(compactText))].sort();
}

function* partsOf(rule: PolicyRule): Generator<AccessRule> {
  const names: readonly (string | undefined)[] =
    rule.resourceNames === undefined || rule.resourceNames.length === 0 ? [undefined] : rule.resourceNames;
  for (const group of rule.apiGroups ?? [])
    for (const resource of rule.resources ?? [])
      for (const verb of rule.verbs ?? [])
        for (const name of names)
          yield { apiGroups: [group], resources: [resource], verbs: [verb], ...(name === undefined ? {} : { resourceNames: [name] }) };
  for (const url of rule.nonResourceURLs ?? []) for (const verb of rule.verbs ?? []) yield { nonResourceURLs: [url], verbs: [verb] };
}

/** `part` has at most one verb, resource and name. */
function covers(rule: AccessRule, part: AccessRule): boolean {
  return (
    hasAllOrStar(rule.verbs ?? [], part.verbs ?? []) &&
    hasAllOrStar(rule.apiGroups ?? [], part.apiGroups ?? []) &&
    resourcesCover(rule.resources ?? [], part.resources ?? []) &&
    urlsCover(rule.nonResourceURLs ?? [], part.nonResourceURLs ?? []) &&
    namesCover(rule.resourceNames ?? [], part.resourceNames ?? [])
  );
}

function hasAllOrStar(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes(all) || wanted.every((entry) => held.includes(entry));
}

function resourcesCover(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.includes(all)) return true;
  return wanted.every((path) => {
    const slash = path.indexOf('/');
    return held.includes(path) || (slash >= 0 && held.includes(`*${path.slice(slash)}`));
  });
}

function urlsCover(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((path) => held.some((pattern) => pattern === path || (pattern.endsWith(all) && path.startsWith(pattern.replace(/\*+$/, '')))));
}

function namesCover(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

/** As Go prints it: `{APIGroups:["apps"], Resources:["deployments"], Verbs:["get" "list"]}`. */
function compactText({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: AccessRule): string {
  const members: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['NonResourceURLs', nonResourceURLs],
    ['ResourceNames', resourceNames],
    ['Verbs', verbs ?? []],
  ];
  return `{${members.flatMap(([name, values]) => (values === undefined || values.length === 0 ? [] : [`${name}:${goStrings(values)}`])).join(', ')}}`;
}

/** A list of strings as Go's %q prints it. */
export function goStrings(values: readonly string[]): string {
  return `[${values.map(goQuote).join(' ')}]`;
}
