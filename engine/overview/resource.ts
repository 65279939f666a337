/** `overviews/cluster` over the API. */
import type { Overview, OverviewStatus } from '../api/sim/v1alpha1/overview.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import { checkRange, numberIn, spanIn } from '../history/query-numbers.ts';
import type { HistoryRecorder } from '../history/recorder.ts';
import { simGroup, virtualKind } from '../history/virtual-kind.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';
import { podsPrefix, type Tallies } from './tallies.ts';

export interface OverviewSources {
  readonly recorder: HistoryRecorder;
  readonly tallies: Tallies;
  /** Of clients outside; `perSecond` of wall time. */
  readonly requests: {
    readonly perSecond: number;
    readonly arrivals: { within(fromMs: number, toMs: number, parts: number): readonly number[] };
  };
  nowMs(): number;
  workloads(): number;
  cronJobsLate(): number;
}

const name = 'cluster';
const partsDefault = 60;
const partsMax = 2_000;
const rangeParameters = ['from', 'to', 'span', 'parts'] as const;
const statusMessage = 'dev.wavetank.sim.v1alpha1.OverviewStatus';

export function overviewResource(sources: OverviewSources): ComputedResource {
  const read = (query: ComputedQuery): Overview => ({
    kind: 'Overview',
    apiVersion: `${simGroup}/v1alpha1`,
    metadata: { name },
    status: statusOf(sources, query),
  });
  return { kind: overviewKind, get: (asked, query) => (asked === name ? read(query) : undefined), list: (query) => [read(query)] };
}

function statusOf(sources: OverviewSources, query: ComputedQuery): OverviewStatus {
  const { recorder, tallies } = sources;
  recorder.catchUp();
  const of = (series: string): number => tallies.series(series).value;
  const podSeries = [...tallies.names()].filter((one) => one.startsWith(podsPrefix)).sort();
  const nowMs = sources.nowMs();
  return {
    nodes: { total: of('nodes'), ready: of('nodes/Ready') },
    pods: Object.fromEntries(podSeries.map((one) => [one.slice(podsPrefix.length), of(one)])),
    workloads: sources.workloads(),
    workloadsShort: of('workloads/Short'),
    cronJobsLate: sources.cronJobsLate(),
    faultsActive: of('faults/Active'),
    warningsPerMinute: tallies.warningsPerMinute(nowMs),
    requestsPerSecond: sources.requests.perSecond,
    ...curvesOf(sources, query, nowMs),
  };
}

function curvesOf({ tallies, recorder, requests }: OverviewSources, query: ComputedQuery, nowMs: number): Pick<OverviewStatus, 'curves'> {
  if (rangeParameters.every((one) => query[one] === undefined)) return {};
  const parts = Math.min(partsMax, Math.max(1, Math.floor(numberIn(query, 'parts') ?? partsDefault)));
  const { fromMs, toMs } = rangeWithNow(query, nowMs, parts) ?? {
    fromMs: numberIn(query, 'from') ?? recorder.startMs,
    toMs: numberIn(query, 'to') ?? nowMs,
  };
  checkRange(fromMs, toMs);
  const counted = [...tallies.names()]
    .sort()
    .map((one) => [one, (one === 'warnings' ? tallies.warnings() : tallies.series(one)).within(fromMs, toMs, parts)] as const);
  return { curves: Object.fromEntries([...counted, ['requests', requests.arrivals.within(fromMs, toMs, parts)]]) };
}

/** One that goes along with now moves by whole parts: a curve that trembles says nothing. */
function rangeWithNow(query: ComputedQuery, nowMs: number, parts: number): { readonly fromMs: number; readonly toMs: number } | undefined {
  const span = spanIn(query);
  if (span === undefined) return undefined;
  const part = Math.max(1, span / parts);
  const toMs = Math.ceil((nowMs + (numberIn(query, 'ahead') ?? 0)) / part) * part;
  return { fromMs: Math.max(0, toMs - part * parts), toMs };
}

const overviewKind = virtualKind('Overview', 'overviews', false, [messageField('status', 2, statusMessage)], {
  schemas: [
    {
      name: statusMessage,
      fields: [
        scalarField('nodes', 1, 'json', { description: 'How many nodes there are, and how many are ready.' }),
        scalarField('pods', 2, 'json', { description: 'Pods by phase, and those that start, go, or are in trouble.' }),
        scalarField('workloadsShort', 3, 'int64', { required: true, description: 'Workloads with fewer pods available than they ask for.' }),
        scalarField('cronJobsLate', 4, 'int64', { required: true, description: 'CronJobs whose newest run was missed or is late.' }),
        scalarField('faultsActive', 5, 'int64', { required: true, description: 'Faults in force.' }),
        scalarField('warningsPerMinute', 6, 'int64', {
          required: true,
          description: 'Warnings of the last minute: of what was counted by the minute, the share that it reaches into.',
        }),
        scalarField('curves', 7, 'json', {
          description: 'The figures over a range of virtual time, where one was asked for; of requests, how many came in each part of it.',
        }),
        scalarField('requestsPerSecond', 8, 'int64', {
          required: true,
          description: 'Requests of clients outside in the last full second of wall time.',
        }),
        scalarField('workloads', 9, 'int64', { required: true, description: 'Objects that make pods, CronJobs and Jobs among them.' }),
      ],
    },
  ],
  columns: ['Name', 'Nodes', 'Pods', 'Short', 'Late', 'Faults', 'Warnings', 'Requests'].map((column) => ({ name: column, type: 'string' })),
  row: (object) => {
    const { nodes, pods, workloadsShort, cronJobsLate, faultsActive, warningsPerMinute, requestsPerSecond } = (object as Overview).status;
    const states = Object.entries(pods).filter(([, count]) => count > 0);
    const podsText = states.map(([state, count]) => `${count} ${state}`).join(', ') || '<none>';
    return [
      name,
      `${nodes.ready}/${nodes.total}`,
      podsText,
      String(workloadsShort),
      String(cronJobsLate),
      String(faultsActive),
      `${warningsPerMinute}/min`,
      `${requestsPerSecond}/s`,
    ];
  },
});
