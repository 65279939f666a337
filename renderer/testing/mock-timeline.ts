/** Timeline answers of the pretend cluster: rows are computed from their index, marks over the range become density when there are too many. */
import type { Timeline, TimelineFault, TimelineGroup, TimelineMark, TimelineRow, TimelineSegment } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { deploymentName, podCreatedMs, podName, podPhase, podsPerDeployment, sim, startMs, uid, type MockSize } from './mock-cluster.ts';

const minute = 60_000;
type RowMaker = (now: number) => TimelineRow;

function row(base: Pick<TimelineRow, 'id' | 'kind' | 'resource' | 'name' | 'uid' | 'createdMs'> & Partial<TimelineRow>): TimelineRow {
  return { group: '', version: 'v1', namespace: 'shop', segments: [], marks: [], ...base };
}

function podRow(index: number, size: MockSize, failed: ReadonlySet<string>): TimelineRow {
  const created = podCreatedMs(index);
  const phase = podPhase(index, size, failed);
  const name = podName(index);
  const segments: TimelineSegment[] = [
    { fromMs: created, toMs: phase === 'Pending' ? undefined : created + 1800, state: 'Pending', ready: false },
  ].map(({ toMs, ...rest }) => (toMs === undefined ? rest : { ...rest, toMs }));
  const marks: TimelineMark[] = [
    {
      ms: created,
      type: 'create',
      revision: 5000 + index * 4,
      text: `created pod ${name}`,
      by: 'system:serviceaccount:kube-system:replicaset-controller',
    },
    {
      ms: created + 220,
      type: 'event',
      level: phase === 'Pending' ? 'Warning' : 'Normal',
      text: phase === 'Pending' ? 'FailedScheduling: 0 nodes available' : `Scheduled: assigned to pool-${index % size.nodes}`,
      by: 'default-scheduler',
    },
  ];
  if (phase !== 'Pending') {
    const end = created + 40_000 + (index % 13) * 7000;
    segments.push({ fromMs: created + 1800, toMs: created + 3100, state: 'Running', ready: false });
    marks.push({
      ms: created + 1800,
      type: 'status',
      revision: 5001 + index * 4,
      text: 'status.phase: Pending → Running',
      by: `system:node:pool-${index % size.nodes}`,
    });
    marks.push({
      ms: created + 3100,
      type: 'condition',
      revision: 5002 + index * 4,
      text: 'Ready: False → True',
      by: `system:node:pool-${index % size.nodes}`,
    });
    if (phase === 'Running') segments.push({ fromMs: created + 3100, state: 'Running', ready: true });
    else segments.push({ fromMs: created + 3100, toMs: end, state: 'Running', ready: true }, { fromMs: end, state: phase, ready: false });
    if (index % 41 === 0)
      for (let i = 1; i <= 3; i++)
        marks.push({
          ms: created + 3100 + i * 20_000,
          type: 'restart',
          text: `container app restarted (${i})`,
          by: `system:node:pool-${index % size.nodes}`,
        });
    if (index % 7 === 0)
      for (let i = 0; i < 150; i++)
        marks.push({
          ms: created + 5000 + i * 4000 + ((i * 7919) % 3000),
          type: 'status',
          revision: 90_000 + i,
          text: 'status.containerStatuses changed',
          by: `system:node:pool-${index % size.nodes}`,
        });
  }
  return row({
    id: `pods/shop/${name}`,
    kind: 'Pod',
    resource: 'pods',
    name,
    uid: uid(index, 2),
    createdMs: created,
    owner: `replicasets.apps/shop/${deploymentName(Math.floor(index / podsPerDeployment))}-7d4b9c`,
    node: `pool-${index % size.nodes}`,
    segments,
    marks,
  });
}

function cronRows(index: number, now: number): TimelineRow[] {
  const [name = '', every = 1, length = 30_000] =
    (
      [
        ['backup', 10, 180_000],
        ['report', 30, 600_000],
        ['sweep', 2, 40_000],
        ['invoice', 15, 240_000],
      ] as const
    )[index] ?? [];
  const id = `cronjobs.batch/shop/${name}`;
  const marks: TimelineMark[] = [];
  const jobs: TimelineRow[] = [];
  for (let due = startMs + every * minute, run = 1; due <= now; due += every * minute, run++) {
    marks.push({ ms: due, type: 'scheduled', text: `planned run ${run}` });
    if (run % 9 === 5) {
      marks.push({ ms: due + 100, type: 'missed', level: 'Warning', text: 'missed: startingDeadlineSeconds exceeded' });
      continue;
    }
    if (run % 11 === 7) {
      marks.push({ ms: due + 100, type: 'skipped', text: 'skipped: the run before still goes on (Forbid)' });
      continue;
    }
    const start = due + 300 + (run % 5) * 2500;
    const end = start + length * (0.6 + (run % 4) * 0.15);
    const job = `${name}-${Math.floor(due / minute)}`;
    marks.push({ ms: start, type: 'started', text: `started ${job}`, by: 'cronjob-controller' });
    const ended = end <= now;
    const state = run % 6 === 4 ? 'Failed' : 'Complete';
    if (ended) marks.push({ ms: end, type: 'finished', level: state === 'Failed' ? 'Warning' : 'Normal', text: `finished ${job}: ${state}` });
    jobs.push(
      row({
        id: `jobs.batch/shop/${job}`,
        group: 'batch',
        kind: 'Job',
        resource: 'jobs',
        name: job,
        uid: uid(run, 20 + index),
        owner: id,
        createdMs: start,
        segments: ended
          ? [
              { fromMs: start, toMs: end, state: 'Running' },
              { fromMs: end, state },
            ]
          : [{ fromMs: start, state: 'Running' }],
        marks: [{ ms: start, type: 'create', text: `created job ${job}`, by: 'cronjob-controller' }],
      }),
    );
  }
  return [
    row({
      id,
      group: 'batch',
      kind: 'CronJob',
      resource: 'cronjobs',
      name,
      uid: uid(index, 8),
      createdMs: startMs + 500,
      segments: [{ fromMs: startMs + 500, state: 'Exists' }],
      marks,
    }),
    ...jobs,
  ];
}

function workload(index: number, level: 'deployment' | 'replicaset'): TimelineRow {
  const name = deploymentName(index);
  const created = startMs + 3000 + index * 900;
  const mark = (text: string): TimelineMark[] => [
    { ms: created, type: 'create', revision: 2000 + index, text, by: level === 'deployment' ? 'kubernetes-admin' : 'deployment-controller' },
  ];
  return level === 'deployment'
    ? row({
        id: `deployments.apps/shop/${name}`,
        group: 'apps',
        kind: 'Deployment',
        resource: 'deployments',
        name,
        uid: uid(index, 4),
        createdMs: created,
        segments: [{ fromMs: created, state: 'Exists' }],
        area: workloadArea(index, created),
        marks: mark(`created deployment ${name}`),
      })
    : row({
        id: `replicasets.apps/shop/${name}-7d4b9c`,
        group: 'apps',
        kind: 'ReplicaSet',
        resource: 'replicasets',
        name: `${name}-7d4b9c`,
        owner: `deployments.apps/shop/${name}`,
        uid: uid(index, 3),
        createdMs: created + 40,
        segments: [{ fromMs: created + 40, state: 'Exists' }],
        area: workloadArea(index, created + 40),
        marks: mark(`created replicaset ${name}-7d4b9c`),
      });
}

/** Comes up in four steps; every third loses some for a while, every fifth has more than it wishes for once. */
function workloadArea(index: number, created: number): number[] {
  const wished = podsPerDeployment;
  const area = [created, wished, 0, 0];
  for (let quarter = 1; quarter <= 4; quarter++) area.push(created + 1000 + quarter * 700, wished, (wished * quarter) / 4, wished);
  if (index % 3 === 0) area.push(startMs + 2 * minute, wished, Math.round(wished * 0.96), wished);
  if (index % 3 === 1) area.push(startMs + 2 * minute, wished, 0, wished, startMs + 5 * minute, wished, wished, wished);
  if (index % 5 === 2) area.push(startMs + 7 * minute, wished, wished * 1.25, wished * 1.25, startMs + 8 * minute, wished, wished, wished);
  return area;
}

function podsArea(size: MockSize): number[] {
  return [startMs, 0, 0, 0, startMs + 4000, size.pods, size.pods / 2, size.pods, startMs + 9000, size.pods, Math.round(size.pods * 0.97), size.pods];
}

function nodesArea({ nodes }: MockSize, failed: ReadonlyMap<string, number>): number[] {
  const area = [startMs + 2000, nodes, nodes, nodes];
  [...failed.values()].sort((a, b) => a - b).forEach((downMs, index) => area.push(downMs + 50_000, nodes, nodes - index - 1, nodes));
  return area;
}

function nodeRow(index: number, failed: ReadonlyMap<string, number>): TimelineRow {
  const name = `pool-${index}`;
  const { namespace: _none, ...base } = row({
    id: `nodes/${name}`,
    kind: 'Node',
    resource: 'nodes',
    name,
    uid: uid(index, 1),
    createdMs: startMs + 1000,
  });
  const downMs = failed.get(name);
  return {
    ...base,
    segments: [
      { fromMs: startMs + 1000, toMs: startMs + 2000, state: 'NotReady', ready: false },
      { fromMs: startMs + 2000, ...(downMs === undefined ? {} : { toMs: downMs + 50_000 }), state: 'Ready', ready: true },
      ...(downMs === undefined ? [] : [{ fromMs: downMs + 50_000, state: 'Unknown', ready: false }]),
    ],
    marks: [
      { ms: startMs + 1000, type: 'create', text: `node ${name} registered`, by: `system:node:${name}` },
      { ms: startMs + 2000, type: 'condition', text: 'Ready: False → True', by: `system:node:${name}` },
    ],
  };
}

/** Every row as (id words for searching, maker), in tree order. */
function rowIndex(
  size: MockSize,
  failed: ReadonlyMap<string, number>,
  now: number,
): { readonly kind: string; readonly id: string; readonly owner: string; readonly make: RowMaker }[] {
  const down = new Set(failed.keys());
  const rows: { kind: string; id: string; owner: string; make: RowMaker }[] = [];
  for (let index = 0; index < 4; index++)
    for (const made of cronRows(index, now)) rows.push({ kind: made.kind, id: made.id, owner: made.owner ?? '', make: () => made });
  for (let d = 0; d * podsPerDeployment < size.pods; d++) {
    const name = deploymentName(d);
    rows.push({ kind: 'Deployment', id: `deployments.apps/shop/${name}`, owner: '', make: () => workload(d, 'deployment') });
    rows.push({
      kind: 'ReplicaSet',
      id: `replicasets.apps/shop/${name}-7d4b9c`,
      owner: `deployments.apps/shop/${name}`,
      make: () => workload(d, 'replicaset'),
    });
    for (let p = d * podsPerDeployment; p < Math.min(size.pods, (d + 1) * podsPerDeployment); p++)
      rows.push({ kind: 'Pod', id: `pods/shop/${podName(p)}`, owner: `replicasets.apps/shop/${name}-7d4b9c`, make: () => podRow(p, size, down) });
  }
  for (let n = 0; n < size.nodes; n++) rows.push({ kind: 'Node', id: `nodes/pool-${n}`, owner: '', make: () => nodeRow(n, failed) });
  return rows;
}

export function timeline(
  query: URLSearchParams,
  size: MockSize,
  failed: ReadonlyMap<string, number>,
  faults: readonly TimelineFault[],
  now: number,
): Timeline {
  const from = Number(query.get('from') ?? startMs);
  const to = Number(query.get('to') ?? now);
  const buckets = Number(query.get('buckets') ?? 500);
  const kinds = query.get('kind')?.split(',');
  const [search, owner, object, namespace] = ['search', 'owner', 'object', 'namespace'].map((name) => query.get(name) ?? '');
  const matching = rowIndex(size, failed, now).filter(
    (entry) =>
      (!kinds || kinds.includes(entry.kind)) &&
      (!search || entry.id.includes(search)) &&
      (!owner || entry.owner === owner) &&
      (!object || entry.id === object) &&
      (!namespace || entry.id.split('/')[1] === namespace),
  );
  const { rows, groups } = grouped(matching, query.get('group') ?? 'owner', new Set(query.get('collapsed')?.split(',')), now);
  const offset = Number(query.get('offset') ?? 0);
  const page = rows.slice(offset, offset + Number(query.get('limit') ?? 200));
  return {
    apiVersion: sim,
    kind: 'Timeline',
    metadata: { name: 'main' },
    range: { fromMs: from, toMs: to, startMs, nowMs: now },
    total: rows.length,
    groups,
    crashes: [],
    cluster: { pods: podsArea(size), nodes: nodesArea(size, failed) },
    faults,
    rows: page.map(({ make }) => thin(make(now), from, to, buckets, now)),
  };
}

type Entry = ReturnType<typeof rowIndex>[number];

function grouped(
  entries: readonly Entry[],
  by: string,
  collapsed: ReadonlySet<string>,
  now: number,
): { readonly rows: readonly Entry[]; readonly groups: readonly TimelineGroup[] } {
  if (by === 'owner') {
    const counts = new Map<string, number>();
    for (const { owner } of entries) if (owner) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const hidden = new Set<string>();
    const closed = (key: string) => key !== '' && collapsed.has('*') !== collapsed.has(key);
    for (const { id, owner } of entries) if (hidden.has(owner) || closed(owner)) hidden.add(id);
    return { rows: entries.filter(({ id }) => !hidden.has(id)), groups: [...counts].map(([key, count]) => ({ key, count })) };
  }
  const keyOf = ({ kind, id, make }: Entry) =>
    by === 'kind' ? kind : by === 'namespace' ? (id.split('/').length > 2 ? (id.split('/')[1] ?? '') : '') : (make(now).node ?? '');
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(keyOf(entry), [...(groups.get(keyOf(entry)) ?? []), entry]);
  return {
    rows: [...groups].flatMap(([key, list]) => (collapsed.has('*') !== collapsed.has(key) ? [] : list)),
    groups: [...groups].map(([key, { length }]) => ({ key, count: length })),
  };
}

function thin(full: TimelineRow, from: number, to: number, buckets: number, now: number): TimelineRow {
  const marks = full.marks.filter(({ ms }) => ms >= from && ms <= to && ms <= now);
  const segments = full.segments
    .filter((s) => s.fromMs <= now && s.fromMs <= to && (s.toMs ?? Infinity) >= from)
    .map((s) => {
      if (s.toMs === undefined || s.toMs <= now) return s;
      const { toMs: _, ...open } = s;
      return open;
    });
  if (marks.length * 6 <= buckets) return { ...full, segments, marks };
  const density: number[] = Array.from({ length: buckets }, () => 0);
  for (const { ms } of marks) {
    const at = Math.min(buckets - 1, Math.floor(((ms - from) / (to - from)) * buckets));
    density[at] = (density[at] ?? 0) + 1;
  }
  return { ...full, segments, marks: marks.filter(({ type }) => type !== 'status'), density };
}
