/** What an option of the control plane is. Rooms declare their own; `cluster/flags.ts` has them all. */
export type FlagType = 'duration' | 'integer' | 'number' | 'boolean' | 'string' | 'list' | 'map';

export interface Flag {
  readonly name: string;
  readonly type: FlagType;
  /** As a user would write it on the command line; empty where the release says it. */
  readonly default: string;
  readonly component: 'controller-manager' | 'scheduler' | 'apiserver' | 'kubelet';
  readonly help: string;
  readonly min?: number;
  readonly max?: number;
  /** Accepted, checked and shown; why it changes nothing. */
  readonly idle?: string;
}

export function flag(component: Flag['component'], name: string, type: FlagType, standard: string, help: string, min?: number): Flag {
  return { component, name, type, default: standard, help, ...(min === undefined ? {} : { min }) };
}

/** An option that upstream's daemons know and that changes nothing here: `why`, to follow a colon. */
export function idleFlag(why: string, ...[component, name, type, standard, help, min]: Parameters<typeof flag>): Flag {
  return { ...flag(component, name, type, standard, help, min), idle: why };
}
