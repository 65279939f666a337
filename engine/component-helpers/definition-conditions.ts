/** What a definition says of itself. Mirrors apiextensions-apiserver pkg/apihelpers. */
import type { CustomResourceDefinition, CustomResourceDefinitionCondition } from '../api/apiextensions/v1/types.gen.ts';

export type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export function conditionOf({ status }: CustomResourceDefinition, type: string): CustomResourceDefinitionCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isTrue(definition: CustomResourceDefinition, type: string): boolean {
  return conditionOf(definition, type)?.status === 'True';
}

/** Whether the two say the same, whenever they began to. */
export function saysTheSame(condition: Condition, other: CustomResourceDefinitionCondition | undefined): boolean {
  return other !== undefined && condition.status === other.status && condition.reason === other.reason && condition.message === other.message;
}

/** The definition with the condition: a new one's time is the present, that of one whose status turns `turnedText` (empty: none). */
export function withCondition<T extends CustomResourceDefinition>(
  definition: T,
  { type, status, reason, message }: Condition,
  nowText: string,
  turnedText = nowText,
): T {
  const conditions = definition.status?.conditions ?? [];
  const before = conditionOf(definition, type);
  const keeps = before?.status === status && (before.lastTransitionTime !== undefined || turnedText === '');
  const time = before === undefined ? nowText : keeps ? before.lastTransitionTime : turnedText;
  const next = {
    type,
    status,
    ...(time ? { lastTransitionTime: time } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  const placed = before === undefined ? [...conditions, next] : conditions.map((condition) => (condition === before ? next : condition));
  return { ...definition, status: { ...definition.status, conditions: placed } };
}
