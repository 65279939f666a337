/** How a state or a trouble looks: many reasons, few looks, so that colour and shape stay readable. */
export type Look =
  | 'Pending'
  | 'Starting'
  | 'Running'
  | 'Ready'
  | 'NotReady'
  | 'Broken'
  | 'Succeeded'
  | 'Complete'
  | 'Failed'
  | 'Replaced'
  | 'Unknown'
  | 'Terminating'
  | 'Suspended'
  | 'Exists';

const own: ReadonlySet<string> = new Set<Look>([
  'Pending',
  'Starting',
  'Running',
  'Ready',
  'NotReady',
  'Succeeded',
  'Complete',
  'Failed',
  'Replaced',
  'Unknown',
  'Terminating',
  'Suspended',
  'Exists',
]);
/** Waiting reasons of a container that is on its way. */
const underWay: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing', 'SchedulingGated']);

/** Any other reason of a pod (`CrashLoopBackOff`, `ErrImagePull`, `Unschedulable`, `Evicted` …) is something broken. */
export function lookOf(state: string): Look {
  if (own.has(state)) return state as Look;
  if (underWay.has(state)) return 'Pending';
  return state === 'Deleted' ? 'Replaced' : 'Broken';
}
