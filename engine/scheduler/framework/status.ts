/** Why a plugin turned a pod away (kube-scheduler/framework Status). Success is `undefined`, so that the common case costs nothing. */
export type StatusCode = 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';

export interface Status {
  readonly code: StatusCode;
  readonly reasons: readonly string[];
  readonly plugin: string;
}

/** Preemption may help. */
export function unschedulable(plugin: string, ...reasons: readonly string[]): Status {
  return { code: 'Unschedulable', reasons, plugin };
}

/** Removing pods would not help. */
export function unresolvable(plugin: string, ...reasons: readonly string[]): Status {
  return { code: 'UnschedulableAndUnresolvable', reasons, plugin };
}
