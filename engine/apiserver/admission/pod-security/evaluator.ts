/** Which checks a level has in which version, and what they say together. Mirrors pod-security-admission policy/registry.go. */
import { machineChecks } from './baseline.ts';
import type { Check, CheckedPod, CheckRevision, Finding } from './check.ts';
import type { LevelVersion } from './policy.ts';
import { profileChecks } from './profiles.ts';
import { restrictedChecks } from './restricted.ts';

const byId = (checks: readonly Check[]): readonly Check[] => [...checks].sort((a, b) => (a.id < b.id ? -1 : 1));
const baseline = byId([...machineChecks, ...profileChecks]);
const restricted = byId(restrictedChecks);

type Revised = CheckRevision & Pick<Check, 'id'>;

/** Later versions have what this one has. */
const lastMinor = Math.max(...[...baseline, ...restricted].flatMap(({ revisions }) => revisions.map(({ since }) => since)));
const byMinor = Array.from({ length: lastMinor + 1 }, (_, minor) => {
  const own = inForce(restricted, minor);
  const overridden = own.map(({ overrides }) => overrides);
  const below = inForce(baseline, minor);
  return { privileged: [], baseline: below, restricted: [...below.filter(({ id }) => !overridden.includes(id)), ...own] };
});

/** Nothing: the pod is as the policy wants it. */
export function evaluate({ level, version }: LevelVersion, pod: CheckedPod): readonly Finding[] {
  const checks: readonly Revised[] = byMinor[version === 'latest' ? lastMinor : Math.min(version, lastMinor)]?.[level] ?? [];
  return checks.flatMap(({ check }) => check(pod) ?? []);
}

function inForce(checks: readonly Check[], minor: number): readonly Revised[] {
  return checks.flatMap(({ id, revisions }) => {
    const found = revisions.findLast(({ since }) => since <= minor);
    return found === undefined ? [] : [{ ...found, id }];
  });
}

/** For one object: with the values that were found. */
export function detailOf(findings: readonly Finding[]): string {
  return findings.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

/** For many objects that are told together. */
export function reasonOf(findings: readonly Finding[]): string {
  return findings.map(({ reason }) => reason).join(', ');
}
