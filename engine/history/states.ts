/** The state an object is in, as the timeline draws it. A kind without an entry simply exists. */
import type { CronJob, Job } from '../api/batch/v1/types.gen.ts';
import type { Node, Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { podTrouble } from '../component-helpers/pod.ts';

export interface State {
  readonly state: string;
  readonly ready: boolean | null;
  /** What is not as it should be, in a word; '' when nothing is. */
  readonly reason: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

const exists: State = { state: 'Exists', ready: null, reason: '' };
const states: ReadonlyMap<string, (object: KubeObject) => State> = new Map([
  ['pods', (object) => podState(object as Pod)],
  ['nodes', (object) => nodeState(object as Node)],
  ['jobs.batch', (object) => jobState(object as Job)],
  ['cronjobs.batch', (object) => cronJobState(object as CronJob)],
]);

/** `type` is the resource with its group, e.g. `jobs.batch`. */
export function stateOf(type: string, object: KubeObject): State {
  return states.get(type)?.(object) ?? exists;
}

function podState(pod: Pod): State {
  const { metadata, status } = pod;
  const phase = status?.phase || 'Pending';
  const ended = phase === 'Succeeded' || phase === 'Failed';
  const state = metadata.deletionTimestamp !== undefined && !ended ? 'Terminating' : phase;
  return { state, ready: conditionStatus(status?.conditions, 'Ready') === 'True', reason: state === 'Terminating' ? '' : podTrouble(pod) };
}

function nodeState({ status }: Node): State {
  const ready = conditionStatus(status?.conditions, 'Ready');
  if (ready === 'True') return { state: 'Ready', ready: true, reason: '' };
  // What is no status says nothing of the node; one that has not reported yet is not ready.
  return { state: ready === undefined || ready === 'False' ? 'NotReady' : 'Unknown', ready: false, reason: '' };
}

function jobState(job: Job): State {
  const finished = jobResult(job);
  if (finished !== undefined) return { state: finished, ready: null, reason: '' };
  return { state: job.spec?.suspend === true ? 'Suspended' : 'Running', ready: null, reason: '' };
}

function cronJobState({ spec }: CronJob): State {
  return spec?.suspend === true ? { ...exists, state: 'Suspended' } : exists;
}

/** `Complete` or `Failed` for a job that has ended. */
export function jobResult({ status }: Job): 'Complete' | 'Failed' | undefined {
  if (conditionStatus(status?.conditions, 'Complete') === 'True') return 'Complete';
  return conditionStatus(status?.conditions, 'Failed') === 'True' ? 'Failed' : undefined;
}

function conditionStatus(conditions: readonly Condition[] | undefined, type: string): string | undefined {
  if (conditions !== undefined) for (const condition of conditions) if (condition.type === type) return condition.status;
  return undefined;
}
