/** What a job's policies say of a failed pod and of succeeded indexes. Mirrors pod_failure_policy.go and success_policy.go. */
import type { Job, PodFailurePolicyOnExitCodesRequirement, PodFailurePolicyRule } from '../../api/batch/v1/types.gen.ts';
import type { ContainerStatus, Pod } from '../../api/core/v1/types.gen.ts';
import { type Indexes, overlap, parseIndexes, total } from './indexes.ts';

export interface FailureVerdict {
  /** Why the whole job fails. */
  readonly jobFailure?: string;
  readonly counts: boolean;
  readonly action?: string;
}

export function onlyReplacesFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

export function isPodFailed(pod: Pod, job: Job): boolean {
  const phase = pod.status?.phase;
  if (phase === 'Failed') return true;
  return !onlyReplacesFailed(job) && pod.metadata.deletionTimestamp !== undefined && phase !== 'Succeeded';
}

/** The first rule that matches decides. */
export function judgeFailure(job: Job, pod: Pod): FailureVerdict {
  for (const [i, rule] of (job.spec?.podFailurePolicy?.rules ?? []).entries()) {
    const reason = matchRule(rule, pod);
    if (reason === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { counts: false, action };
    if (action === 'FailJob') return { counts: true, action, jobFailure: `${reason} matching FailJob rule at index ${i}` };
    if (action === 'FailIndex' || action === 'Count') return { counts: true, action };
  }
  return { counts: true };
}

/** What of the pod matches, in words. */
function matchRule(rule: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata;
  if (rule.onExitCodes !== undefined) {
    const status = findExit(pod.status?.containerStatuses, rule.onExitCodes) ?? findExit(pod.status?.initContainerStatuses, rule.onExitCodes);
    return status && `Container ${status.name} for pod ${namespace}/${name} failed with exit code ${status.state?.terminated?.exitCode}`;
  }
  const found = (pod.status?.conditions ?? []).find(({ type, status }) =>
    rule.onPodConditions?.some((p) => p.type === type && (p.status ?? 'True') === status),
  );
  return found && `Pod ${namespace}/${name} has condition ${found.type}`;
}

function findExit(
  statuses: readonly ContainerStatus[] | undefined,
  { containerName, operator, values }: PodFailurePolicyOnExitCodesRequirement,
): ContainerStatus | undefined {
  return statuses?.find(({ name, state }) => {
    const code = state?.terminated?.exitCode;
    if (code === undefined || code === 0 || (containerName !== undefined && containerName !== name)) return false;
    return operator === 'In' ? (values ?? []).includes(code) : operator === 'NotIn' && !(values ?? []).includes(code);
  });
}

/** Why the job counts as succeeded before all indexes have, or undefined. */
export function matchSuccessPolicy({ spec }: Job, succeeded: Indexes): string | undefined {
  for (const [i, { succeededIndexes, succeededCount }] of (spec?.successPolicy?.rules ?? []).entries()) {
    const message = `Matched rules at index ${i}`;
    if (succeededIndexes === undefined) {
      if (succeededCount !== undefined && total(succeeded) >= succeededCount) return message;
      continue;
    }
    const required = parseIndexes(succeededIndexes, spec?.completions ?? 0);
    if (required.length === 0) continue;
    const count = overlap(required, succeeded);
    if (count === total(required) || (succeededCount !== undefined && count >= succeededCount)) return message;
  }
  return undefined;
}
