/** What is said about the pods of a namespace whose policy becomes stricter. Mirrors EvaluatePodsInNamespace of pod-security-admission. */
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { evaluate, reasonOf } from './evaluator.ts';
import { isEquivalent, isPrivileged, labelsOf, type LevelVersion, modes, type Policy, policyText } from './policy.ts';

/** As upstream, which stops after a second of wall time besides. */
const podsMax = 3000;

export function warningsAbout(
  namespace: string,
  enforce: LevelVersion,
  pods: readonly Pod[],
  exemptRuntimeClasses: ReadonlySet<string>,
): readonly string[] {
  const prioritized = prioritize(pods.filter(({ spec }) => !exemptRuntimeClasses.has(spec?.runtimeClassName ?? '')));
  const checked = prioritized.slice(0, podsMax);
  const byReason = new Map<string, { first: string; count: number }>();
  for (const { metadata, spec } of checked) {
    const findings = spec === undefined ? [] : evaluate(enforce, { metadata, spec });
    if (findings.length === 0) continue;
    const reason = reasonOf(findings);
    const name = metadata.name ?? '';
    const known = byReason.get(reason);
    if (known === undefined) byReason.set(reason, { first: name, count: 1 });
    else {
      known.count++;
      if (name < known.first) known.first = name;
    }
  }
  const texts = [...byReason].map(([reason, { first, count }]) => `${first}${others(count)}: ${reason}`).sort();
  return [
    ...(checked.length < prioritized.length
      ? [`new PodSecurity enforce level only checked against the first ${checked.length} of ${prioritized.length} existing pods`]
      : []),
    ...(texts.length === 0
      ? []
      : [`existing pods in namespace ${goQuote(namespace)} violate the new PodSecurity enforce level ${goQuote(policyText(enforce))}`]),
    ...texts,
  ];
}

/** One of each controller first: the others are like it. */
function prioritize(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const [first, later]: [Pod[], Pod[]] = [[], []];
  for (const pod of pods) {
    const controller = pod.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
    if (controller !== undefined && seen.has(controller)) later.push(pod);
    else first.push(pod);
    if (controller !== undefined) seen.add(controller);
  }
  return [...first, ...later];
}

function others(count: number): string {
  return count === 1 ? '' : count === 2 ? ' (and 1 other pod)' : ` (and ${count - 1} other pods)`;
}

/** Labels of a namespace that is exempt say nothing; undefined where they did not try. */
export function exemptWarning(
  namespace: string,
  policy: Policy,
  defaults: Policy,
  labels: { readonly [name: string]: string } | undefined,
): string | undefined {
  if (isPrivileged(policy) || isEquivalent(policy, defaults)) return undefined;
  const said = modes.filter((mode) => {
    const { level, version } = labelsOf(labels, mode);
    return policy[mode].level !== 'privileged' && (level !== undefined || version !== undefined);
  });
  const text = said.map((mode) => `${mode}=${policyText(policy[mode])}`).join(', ');
  return `namespace ${goQuote(namespace)} is exempt from Pod Security, and the policy (${text}) will be ignored`;
}
