/** The RBAC objects of a release as its gates have them. */
import type { KubeObject } from '../apimachinery/object.ts';
import { getOwn } from '../base/dictionary.ts';
import { goJson } from '../apimachinery/quote.ts';
import type { JsonValue } from '../base/json.ts';
import type { Release } from '../contracts/release.ts';
import type { GatedPolicy } from '../contracts/release-policy.ts';

interface WithRules extends KubeObject {
  readonly rules?: readonly JsonValue[];
}

interface Gates {
  enabled(name: string): boolean;
}

export function gatedPolicy({ bootstrapPolicy, gatedRules }: Pick<Release, 'bootstrapPolicy' | 'gatedRules'>, gates: Gates): readonly KubeObject[] {
  const isOn = (one: GatedPolicy): boolean => one.gates.every((gate) => gates.enabled(gate));
  const added = gatedRules.flatMap((one) => (isOn(one) && one.adds !== undefined ? [one.adds] : []));
  const gone = gatedRules.flatMap((one) => (!isOn(one) && one.was !== undefined ? [one.was] : []));
  const objects = gatedRules.flatMap((one) => (isOn(one) ? (one.objects ?? []) : []));
  const names = new Set(gatedRules.flatMap((one) => (isOn(one) ? [] : (one.names ?? []))));
  if (added.length === 0 && gone.length === 0 && objects.length === 0 && names.size === 0) return bootstrapPolicy;
  const kept = bootstrapPolicy.filter(({ metadata }) => !names.has(metadata.name ?? ''));
  const changed = kept.map((object) => {
    if (object.kind !== 'ClusterRole') return object;
    const name = object.metadata.name ?? '';
    const more = added.flatMap((byRole) => getOwn(byRole, name) ?? []);
    const less = new Set(gone.flatMap((byRole) => getOwn(byRole, name) ?? []).map(textOf));
    if (more.length === 0 && less.size === 0) return object;
    const rules = (object as WithRules).rules ?? [];
    return { ...object, rules: [...rules.filter((rule) => !less.has(textOf(rule))), ...more] } as KubeObject;
  });
  return [...changed, ...objects];
}

/** A rule, whatever the order of its members. */
function textOf(rule: JsonValue): string {
  return goJson(Object.fromEntries(Object.entries(rule as object).sort(([a], [b]) => (a < b ? -1 : 1))));
}
