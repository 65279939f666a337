/** Which checks a daemon's paths of health ask; read from kube-controller-manager and kube-scheduler 1.36.3. */

export const electionCheck = 'leaderElection';
export const handlersCheck = 'sched-handler-sync';

export interface HealthPlan {
  /** The names of the checks at each path, beside those of what runs. */
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** Whether there is a check for each thing that runs. */
  readonly asksRunning: boolean;
  /** Whether each check has a path of its own below. */
  readonly hasSingleChecks: boolean;
}

export const managerHealth: HealthPlan = { paths: { '/healthz': [electionCheck] }, asksRunning: true, hasSingleChecks: false };

export const schedulerHealth: HealthPlan = {
  paths: { '/healthz': [electionCheck], '/livez': ['ping'], '/readyz': [electionCheck, 'shutdown', handlersCheck] },
  asksRunning: false,
  hasSingleChecks: true,
};

/** The checks that a path asks; undefined when it is none of health. */
export function checksAt(
  { paths, asksRunning, hasSingleChecks }: HealthPlan,
  path: string,
  running: readonly string[],
): readonly string[] | undefined {
  const parent = Object.keys(paths).find((one) => path === one || (hasSingleChecks && path.startsWith(`${one}/`)));
  if (parent === undefined) return undefined;
  const names = [...(paths[parent] ?? []), ...(asksRunning ? running : [])];
  if (path === parent) return names;
  const single = path.slice(parent.length + 1);
  return names.includes(single) ? [single] : undefined;
}
