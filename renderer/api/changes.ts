/** One change, for all of the page that shows it; read again while effects may come. */
import type { Change, ChangeStatus } from '../../engine/api/sim/v1alpha1/change.ts';
import { useReadAgain } from './read-again.ts';
import { request } from './request.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/changes';

export interface ChangeReading {
  /** Undefined until it is read, or where it cannot be. */
  readonly change: ChangeStatus | undefined;
  readonly error: string;
}

export function useChange(revision: number | undefined): ChangeReading {
  const { value, error } = useReadAgain<Change>(revision === undefined ? '' : `${path}/${revision}`, false);
  const change = value?.status.revision === revision ? value?.status : undefined;
  return { change, error: change === undefined && revision !== undefined ? error : '' };
}

export async function readChange(revision: number): Promise<ChangeStatus> {
  return (await request<Change>(`${path}/${revision}`)).status;
}

/** The write that it came of: the last that it names. */
export function parentOf({ causes = [] }: ChangeStatus): number | undefined {
  return causes.findLast((cause) => cause.type === 'write' && cause.revision !== undefined)?.revision;
}
