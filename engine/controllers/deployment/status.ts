/**
 * Status and conditions of a deployment, and when it counts as stuck. Mirrors calculateStatus of
 * pkg/controller/deployment/sync.go and progress.go.
 */
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '../../api/apps/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { compact, nonEmpty, nonZero } from '../lib/json.ts';
import { parseTime } from '../lib/time.ts';
import { desiredOf, hasProgressDeadline, isComplete, maxUnavailableOf, sum, totalSize } from './arithmetic.ts';

type ConditionStatus = 'True' | 'False' | 'Unknown';
type Conditions = readonly DeploymentCondition[];

export function newCondition(type: string, status: ConditionStatus, reason: string, message: string, nowMs: number): DeploymentCondition {
  const now = formatTime(nowMs);
  return { type, status, lastUpdateTime: now, lastTransitionTime: now, reason, message } as DeploymentCondition;
}

export function conditionOf(conditions: Conditions | undefined, type: string): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Puts the condition last, unless status and reason stand there already. */
export function setCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const current = conditionOf(conditions, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions;
  const kept =
    current?.status === condition.status && current.lastTransitionTime !== undefined
      ? { ...condition, lastTransitionTime: current.lastTransitionTime }
      : condition;
  return [...removeCondition(conditions, condition.type), kept];
}

function removeCondition(conditions: Conditions, type: string): Conditions {
  return conditions.some((condition) => condition.type === type) ? conditions.filter((condition) => condition.type !== type) : conditions;
}

export function withConditions(status: DeploymentStatus | undefined, conditions: Conditions): DeploymentStatus {
  const { collisionCount, ...rest } = status ?? {};
  return compact({ ...rest, conditions: nonEmpty(conditions), collisionCount }) as DeploymentStatus;
}

/** What a status is made with. */
export interface StatusMaking {
  readonly nowMs: number;
  /** Whether it counts the pods that are about to end. */
  readonly countsTerminating: boolean;
}

export function makingOf(environment: Pick<ControllerEnvironment, 'nowMs' | 'options'>): StatusMaking {
  return { nowMs: environment.nowMs(), countsTerminating: environment.options.countsTerminating };
}

export function calculateStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newOne: ReplicaSet | undefined,
  { nowMs, countsTerminating }: StatusMaking,
): DeploymentStatus {
  const available = sum(all, (rs) => rs.status?.availableReplicas);
  const hasMinimum = available >= desiredOf(deployment) - maxUnavailableOf(deployment);
  const condition = hasMinimum
    ? newCondition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', nowMs)
    : newCondition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', nowMs);
  return compact({
    observedGeneration: deployment.metadata.generation,
    replicas: nonZero(sum(all, (rs) => rs.status?.replicas)),
    updatedReplicas: nonZero(newOne?.status?.replicas ?? 0),
    readyReplicas: nonZero(sum(all, (rs) => rs.status?.readyReplicas)),
    availableReplicas: nonZero(available),
    unavailableReplicas: nonZero(Math.max(0, totalSize(all) - available)),
    terminatingReplicas: countsTerminating ? countTerminating(all) : undefined,
    conditions: setCondition(deployment.status?.conditions ?? [], condition),
    collisionCount: deployment.status?.collisionCount,
  }) as DeploymentStatus;
}

/** Unknown as soon as one ReplicaSet does not say. */
function countTerminating(all: readonly ReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of all) {
    if (status?.terminatingReplicas !== undefined) total += status.terminatingReplicas;
    else if ((status?.observedGeneration ?? 0) !== 0) return undefined;
  }
  return total;
}

/** The status of a rollout under way: the above, with progress and failures. */
export function rolloutStatus(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  newOne: ReplicaSet | undefined,
  making: StatusMaking,
): DeploymentStatus {
  const { nowMs } = making;
  const status = calculateStatus(deployment, all, newOne, making);
  let conditions: Conditions = status.conditions ?? [];
  if (hasProgressDeadline(deployment)) conditions = withProgress(deployment, status, conditions, newOne, nowMs);
  else conditions = removeCondition(conditions, 'Progressing');
  const failure = replicaFailure(all, newOne);
  conditions = failure === undefined ? removeCondition(conditions, 'ReplicaFailure') : setCondition(conditions, failure);
  return withConditions(status, conditions);
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  conditions: Conditions,
  newOne: ReplicaSet | undefined,
  nowMs: number,
): Conditions {
  const current = conditionOf(deployment.status?.conditions, 'Progressing');
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable') return conditions;
  const subject = newOne === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newOne.metadata.name}"`;
  if (isComplete(deployment, status)) {
    return setCondition(conditions, newCondition('Progressing', 'True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`, nowMs));
  }
  if (hasProgressed(deployment.status, status)) {
    const condition = newCondition('Progressing', 'True', 'ReplicaSetUpdated', `${subject} is progressing.`, nowMs);
    if (current === undefined) return setCondition(conditions, condition);
    // The update time is the sign of life that the deadline counts from, so the condition is always replaced.
    const { lastTransitionTime } = current.status === 'True' ? current : condition;
    return [...removeCondition(conditions, 'Progressing'), { ...condition, lastTransitionTime } as DeploymentCondition];
  }
  if (hasTimedOut(deployment, conditions, nowMs)) {
    return setCondition(conditions, newCondition('Progressing', 'False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`, nowMs));
  }
  return conditions;
}

function hasProgressed(old: DeploymentStatus = {} as DeploymentStatus, status: DeploymentStatus): boolean {
  const { replicas = 0, updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  return (
    updatedReplicas > (old.updatedReplicas ?? 0) ||
    replicas - updatedReplicas < (old.replicas ?? 0) - (old.updatedReplicas ?? 0) ||
    readyReplicas > (old.readyReplicas ?? 0) ||
    availableReplicas > (old.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, conditions: Conditions, nowMs: number): boolean {
  const condition = conditionOf(conditions, 'Progressing');
  if (condition === undefined || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return (parseTime(condition.lastUpdateTime) ?? 0) + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000 < nowMs;
}

function replicaFailure(all: readonly ReplicaSet[], newOne: ReplicaSet | undefined): DeploymentCondition | undefined {
  for (const replicaSet of newOne === undefined ? all : [newOne, ...all]) {
    const found = replicaSet.status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
    if (found === undefined) continue;
    const { type, status, lastTransitionTime, reason, message } = found;
    return compact({ type, status, lastUpdateTime: lastTransitionTime, lastTransitionTime, reason, message }) as DeploymentCondition;
  }
  return undefined;
}

/** How long to wait before looking whether the deadline has passed: `now` to look at once (with back-off), undefined for never. */
export function progressCheckMs(deployment: Deployment, status: DeploymentStatus, nowMs: number): number | 'now' | undefined {
  const current = conditionOf(deployment.status?.conditions, 'Progressing');
  if (!hasProgressDeadline(deployment) || current === undefined) return undefined;
  if (isComplete(deployment, status) || current.reason === 'ProgressDeadlineExceeded') return undefined;
  const afterMs = (parseTime(current.lastUpdateTime) ?? 0) + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000 - nowMs;
  return afterMs < 1000 ? 'now' : afterMs + 1000;
}
