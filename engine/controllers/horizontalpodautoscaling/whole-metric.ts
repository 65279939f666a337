/**
 * How many replicas a metric asks for that is not of each pod: of another object, or of something outside. Amounts are thousandths.
 * Mirrors pkg/controller/podautoscaler/replica_calculator.go (getUsageRatioReplicaCount, GetObjectPerPodMetricReplicas and their like).
 */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import { isPodReady } from '../../component-helpers/pod.ts';
import { MetricError } from './metric-error.ts';
import { cappedReplicas, ceilReplicas, isWithin, type Proposal, type Tolerances } from './replica-calculator.ts';

/** Amounts are 64 bits wide; one thousandth less than this is the most. */
export const amountEnd = 2 ** 63;

/** The whole shall be `target`: as many more replicas as it is more. */
export function valueReplicas(pods: readonly Pod[], usage: number, target: number, currentReplicas: number, tolerances: Tolerances): Proposal {
  const ratio = usage / target;
  if (currentReplicas === 0) return { usage, replicas: ceilReplicas(ratio) };
  if (isWithin(tolerances, ratio)) return { usage, replicas: currentReplicas };
  if (pods.length === 0) throw new MetricError('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
  return { usage, replicas: cappedReplicas(ratio * ready) };
}

/** There shall be `target` for each replica. `ofOutside`: of amounts outside upstream bounds what comes of them. */
export function perPodReplicas(usage: number, target: number, statusReplicas: number, tolerances: Tolerances, ofOutside: boolean): Proposal {
  const isRight = isWithin(tolerances, usage / (target * statusReplicas));
  const wanted = ofOutside ? cappedReplicas(usage / target) : ceilReplicas(usage / target);
  const replicas = isRight ? statusReplicas : wanted;
  if (ofOutside && usage >= amountEnd) return { replicas, usage };
  return { replicas, usage: asAmount(Math.ceil(usage / statusReplicas)) };
}

/** Of nothing for each of none upstream's machines make the least amount there is. */
function asAmount(value: number): number {
  return Math.abs(value) < amountEnd ? value + 0 : -amountEnd;
}
