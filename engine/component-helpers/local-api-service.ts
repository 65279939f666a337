/** What is said of an APIService whose API is served here. Mirrors kube-aggregator's NewLocalAvailableAPIServiceCondition. */
import type { APIService } from '../api/apiregistration/v1/types.gen.ts';

export const localVerdict = { status: 'True', reason: 'Local', message: 'Local APIServices are always available' } as const;

type Condition = NonNullable<NonNullable<APIService['status']>['conditions']>[number];

export function localCondition(lastTransitionTime: string): Condition {
  const { status, reason, message } = localVerdict;
  return { type: 'Available', status, lastTransitionTime, reason, message };
}

/** Of an APIService that the server keeps itself: `onstart` for what is built in, which it makes once, `true` for what a definition brings. */
export const automanagedLabel = 'kube-aggregator.kubernetes.io/automanaged';
