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

/** Something is wrong with what the pod asks for or with what is there: the attempt ends with this, whatever the node. */
export class PluginError extends Error {
  /** It says all there is to say: nobody adds where it was found. */
  readonly isWhole: boolean;

  constructor(message: string, isWhole = false) {
    super(message);
    this.name = 'PluginError';
    this.isWhole = isWhole;
  }
}

/** Says of what is wrong where it was found. */
export function named<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw errorAt(where, error);
  }
}

export function errorAt(where: string, error: unknown): unknown {
  return error instanceof PluginError && !error.isWhole ? new PluginError(`${where}: ${error.message}`) : error;
}
