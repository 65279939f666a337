/**
 * The first question of its kind costs the engine two to five times what the next one does: its code is not compiled yet, and what is kept of all rows for it is not
 * there. So what a page is about to ask is read a few times for nobody, while a page is open and asks nothing. Reads alone: nothing of the cluster
 * changes, and no client is counted.
 */
import type { ComputedQuery } from '../contracts/computed-resource.ts';

interface RehearsedBranch {
  readonly cluster: {
    rehearseReading(plural: string, name: string, query: ComputedQuery): void;
    readonly history: { rows(): Iterable<{ readonly owner?: string }> };
    readonly loop: { nowMs(): number };
  };
  readonly failure: Error | undefined;
}

type Reading = readonly [plural: string, name: string, query: ComputedQuery];

/** Who has just asked may ask again, and would wait for a reading. */
const quietMs = 400;
const pastMs = 900_000;
/** What the timeline shows unless somebody asks for all. */
const kinds = 'Deployment,StatefulSet,DaemonSet,ReplicaSet,ReplicationController,CronJob,Job,Pod,Service';
const searches = [
  ['w', 'web-1'],
  ['p', 'pod-'],
  ['e', 'api-0'],
] as const;

export class Rehearsal {
  readonly #onDefect: (error: unknown) => void;
  readonly #wallMs: () => number;
  #askedMs: number;
  #left: Reading[] | undefined;

  constructor(onDefect: (error: unknown) => void, wallMs: () => number = () => performance.now()) {
    this.#onDefect = onDefect;
    this.#wallMs = wallMs;
    this.#askedMs = wallMs();
  }

  /** A page asks something. */
  asked(): void {
    this.#askedMs = this.#wallMs();
  }

  /** One reading, where nobody has asked anything for a while; tells whether nothing is left. */
  step({ cluster, failure }: RehearsedBranch): boolean {
    if (this.#left?.length === 0 || failure !== undefined) return true;
    if (this.#wallMs() - this.#askedMs < quietMs) return false;
    this.#left ??= searches.flatMap((_, round) => readingsOf(round, cluster));
    const [next] = this.#left.splice(0, 1);
    try {
      if (next !== undefined) cluster.rehearseReading(...next);
    } catch (error) {
      // It costs nobody more than slow first answers.
      this.#left = [];
      this.#onDefect(error);
    }
    return this.#left.length === 0;
  }
}

/** Each round of other stretches and texts: what is kept of an answer is not read again. */
function readingsOf(round: number, { history, loop }: RehearsedBranch['cluster']): readonly Reading[] {
  const toMs = Math.max(1, loop.nowMs() - round);
  const fromMs = Math.max(0, toMs - pastMs);
  const range = { from: String(fromMs), to: String(toMs) };
  const rows = { ...range, shownFrom: range.from, shownTo: range.to, buckets: '1000', offset: '0', limit: '40', packed: 'true', kind: kinds };
  const timeline = (asked: ComputedQuery): Reading => ['timelines', 'main', { ...rows, ...asked }];
  let owner = '';
  for (const row of history.rows()) if ((owner = row.owner ?? '') !== '') break;
  return [
    ...(owner === '' ? [] : [['timelines', 'main', { owner, limit: '50', buckets: '10', packed: 'true' }] as const]),
    timeline({}),
    timeline({ sort: 'trouble' }),
    timeline({ group: 'node' }),
    ['differences', '', { ...range, limit: '40' }],
    ...(searches[round] ?? []).map((search) => timeline({ search })),
    timeline({ severity: 'warning' }),
    timeline({ changed: 'true' }),
    timeline({ sort: 'time' }),
    timeline({ sort: 'size' }),
    ['clustermaps', 'cluster', { by: 'state', pods: '1500' }],
  ];
}
