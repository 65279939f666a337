/** What a pod is worth at least that the system cannot do without (SystemCriticalPriority of pkg/apis/scheduling). */
export const systemCritical = 2_000_000_000;

/** The classes that every cluster has, and what each is worth. */
export const systemClasses = { 'system-node-critical': systemCritical + 1000, 'system-cluster-critical': systemCritical } as const;
