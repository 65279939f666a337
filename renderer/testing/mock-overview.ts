/** What the pretend cluster's engine would compute: counts, what is wrong, and what became of planned runs. */
import { mockClients, mockRequests } from './mock-requests.ts';
import { iso, nodeReady, podPhase, sim, startMs, type MockObject, type MockSize } from './mock-cluster.ts';

const minute = 60_000;

export function mockComputed(
  collection: string,
  query: URLSearchParams,
  size: MockSize,
  down: ReadonlySet<string>,
  now: number,
): MockObject[] | undefined {
  if (collection === 'overviews') return [overview(query, size, down)];
  if (collection === 'problems') return problems(down, now);
  if (collection === 'cronjobruns') return runs(now);
  if (collection === 'apirequests') return mockRequests(query, now);
  if (collection === 'apiclients') return mockClients(now);
  return undefined;
}

function overview(query: URLSearchParams, size: MockSize, down: ReadonlySet<string>): MockObject {
  const pods: Record<string, number> = {};
  for (let index = 0; index < size.pods; index++) {
    const phase = podPhase(index, size, down);
    pods[phase] = (pods[phase] ?? 0) + 1;
  }
  let ready = 0;
  for (let index = 0; index < size.nodes; index++) if (nodeReady(index, down.has(`pool-${index}`)) === 'True') ready++;
  const parts = Number(query.get('parts') ?? 0);
  const steps = (value: number) => Array.from({ length: parts }, (_, part) => (part < parts / 3 ? 0 : value));
  return {
    apiVersion: sim,
    kind: 'Overview',
    metadata: { name: 'cluster' },
    status: {
      nodes: { total: size.nodes, ready },
      pods,
      workloads: 3,
      workloadsShort: 1,
      cronJobsLate: 1,
      faultsActive: down.size,
      warningsPerMinute: 2,
      ...(parts > 0
        ? {
            curves: {
              'nodes/Ready': steps(ready),
              'pods/Running': steps(pods['Running'] ?? 0),
              'pods/Failed': steps(pods['Failed'] ?? 0),
              warnings: steps(2),
            },
          }
        : {}),
    },
  };
}

function problems(down: ReadonlySet<string>, now: number): MockObject[] {
  const problem = (kind: string, name: string, namespace: string | undefined, status: object): MockObject => ({
    apiVersion: sim,
    kind: 'Problem',
    metadata: { name: `${kind.toLowerCase()}-${name}`, namespace: namespace ?? 'default' },
    status: { since: iso(startMs + 2 * minute), ...status },
  });
  const dead = [...down].map((name) =>
    problem('Node', name, undefined, {
      subject: { apiVersion: 'v1', kind: 'Node', name, row: `nodes/${name}` },
      reason: 'NodeNotReady',
      summary: `node ${name} is not heard of`,
      cause: { text: `a fault struck node ${name}`, revision: 5000, row: `nodes/${name}` },
      next: { text: 'its pods are evicted', at: iso(now + 252_000) },
      affected: { count: 10, kinds: { Pod: 10 }, rows: Array.from({ length: 10 }, (_, index) => `pods/shop/gone-${index}`) },
    }),
  );
  return [
    ...dead,
    problem('Deployment', 'checkout-0', 'shop', {
      subject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'checkout-0', row: 'deployments.apps/shop/checkout-0' },
      reason: 'CrashLoopBackOff',
      summary: '96 of 100 pods available: container app crashes again and again',
      cause: { text: 'kubernetes-admin created deployment checkout-0', revision: 2000, row: 'deployments.apps/shop/checkout-0' },
      next: { text: 'container app is started again', at: iso(now + 40_000) },
      affected: { count: 4, kinds: { Pod: 4 }, rows: ['pods/shop/checkout-0-7d4b9c-0000'] },
    }),
    problem('CronJob', 'sweep', 'shop', {
      subject: { apiVersion: 'batch/v1', kind: 'CronJob', namespace: 'shop', name: 'sweep', row: 'cronjobs.batch/shop/sweep' },
      reason: 'Missed',
      summary: 'its run of 08:04 was missed: the controller was down',
    }),
  ];
}

function runs(now: number): MockObject[] {
  const made: MockObject[] = [];
  const first = Math.ceil(startMs / (2 * minute)) * 2 * minute;
  for (let planned = first; planned <= now + 20 * minute; planned += 2 * minute) {
    const index = (planned - first) / (2 * minute);
    const name = `sweep-${planned / minute}`;
    const status =
      planned > now
        ? { fate: 'Waiting', reason: 'not due yet' }
        : index % 4 === 2
          ? { fate: 'Missed', reason: 'the controller was down' }
          : {
              fate: 'Ran',
              job: name,
              startTime: iso(planned + 1000),
              finishTime: iso(planned + 31_000),
              result: index % 5 === 4 ? 'Failed' : 'Complete',
            };
    made.push({
      apiVersion: sim,
      kind: 'CronJobRun',
      metadata: { name: `sweep-${planned / 1000}`, namespace: 'shop', labels: { 'sim.wavetank.dev/cronjob': 'sweep' } },
      status: { cronJob: 'sweep', plannedTime: iso(planned), ...status },
    });
  }
  return made;
}
