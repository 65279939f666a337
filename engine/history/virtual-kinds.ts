/** History over the API: `timelines`, `changes`, `differences`, `cronjobruns`, `causechains`, `schedulingdecisions` and `crashrecords`, computed when read. */
import type { CrashRecord } from '../api/sim/v1alpha1/crash-record.ts';
import type { PackedTimeline } from '../api/sim/v1alpha1/packed-timeline.ts';
import type { CauseChain, Timeline } from '../api/sim/v1alpha1/timeline.ts';
import { newBadRequest, newNotFound } from '../apimachinery/errors.ts';
import type { ComputedQuery, ComputedResource } from '../contracts/computed-resource.ts';
import { scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';
import { causeChain } from './causes.ts';
import type { ChangeSources } from './changes/change.ts';
import { changesResource } from './changes/resource.ts';
import { attemptSchemas, attemptsField } from './attempt-schemas.ts';
import type { Crashes } from './crashes.ts';
import type { SchedulingDecisions } from './decisions.ts';
import { type MatrixSources, schedulingMatricesResource } from './matrix/resource.ts';
import type { NodeVerdicts } from './node-verdicts.ts';
import type { HistoryRecorder } from './recorder.ts';
import { RowIndex } from './row-index/row-index.ts';
import type { CronLedger } from './cron-runs/ledger.ts';
import { cronJobRunsResource } from './cron-runs/resource.ts';
import { differencesResource } from './differences/resource.ts';
import { parseTimelineQuery, TimelineQueries } from './timeline.ts';
import { simGroup, virtualKind } from './virtual-kind.ts';

export interface HistoryResourcesOptions extends ChangeSources {
  readonly decisions: SchedulingDecisions;
  readonly crashes: Crashes;
  readonly cronRuns: CronLedger;
  readonly verdicts: NodeVerdicts;
  readonly nodeCreatedMs: MatrixSources['nodeCreatedMs'];
}

const timelineName = 'main';

export function createHistoryResources(options: HistoryResourcesOptions): readonly ComputedResource[] {
  const { recorder, decisions, crashes } = options;
  const index = new RowIndex(recorder);
  const timelines = new TimelineQueries(recorder, crashes, options.nowMs, index);
  return [
    {
      kind: timelineKind,
      get: (name, query) => (name === timelineName ? timelineOf(timelines, query) : undefined),
      list: (query) => [timelineOf(timelines, query)],
      prepare: (most, { label }) => index.prepare(most) && (!label || timelines.prepareLabels(most)),
    },
    cronJobRunsResource(() => caughtUp(recorder, options.cronRuns), options.nowMs),
    changesResource(options),
    differencesResource({ recorder, index, nowMs: options.nowMs }),
    { kind: causeChainKind, get: (name, query) => chainOf(options, name, query), list: () => [] },
    {
      kind: schedulingDecisionKind,
      get: (name, _query, namespace) => decisions.get(namespace ?? '', name),
      list: (_query, namespace) => decisions.list(namespace),
      subscribe: (onChange) => decisions.subscribers.add(onChange),
    },
    schedulingMatricesResource(options),
    {
      kind: crashRecordKind,
      get: (name) => crashes.get(name),
      list: () => crashes.list(),
      subscribe: (onChange) => crashes.subscribers.add(onChange),
    },
  ];
}

function timelineOf(timelines: TimelineQueries, query: ComputedQuery): Timeline | PackedTimeline {
  const parsed = parseTimelineQuery(query);
  return query['packed'] === 'true' ? timelines.packed(parsed) : timelines.query(parsed);
}

/** What an observer of history remembers, of all that history has heard. */
function caughtUp<T>(recorder: HistoryRecorder, observer: T): T {
  recorder.catchUp();
  return observer;
}

function chainOf(options: HistoryResourcesOptions, name: string, query: ComputedQuery): CauseChain {
  const links = causeChain(options.recorder, revisionOf(options, name, query));
  if (links === undefined) throw newNotFound({ group: simGroup, resource: 'causechains' }, name);
  return { kind: 'CauseChain', apiVersion: `${simGroup}/v1alpha1`, metadata: { name }, links };
}

function revisionOf({ recorder }: HistoryResourcesOptions, name: string, query: ComputedQuery): number {
  if (name !== 'of') {
    if (!/^\d{1,15}$/.test(name)) throw newBadRequest(`a cause chain is named by a revision, or is "of" with ?object=<row id>; got "${name}"`);
    return Number(name);
  }
  const object = query['object'] ?? '';
  const row = recorder.find(object);
  if (row === undefined) throw newNotFound({ group: simGroup, resource: 'causechains' }, object);
  return row.lastRevision;
}

const timelineKind = virtualKind('Timeline', 'timelines', false, [
  scalarField('range', 2, 'json'),
  scalarField('total', 3, 'int64', { required: true }),
  scalarField('rows', 4, 'json'),
  scalarField('faults', 5, 'json'),
  scalarField('crashes', 6, 'json'),
  scalarField('cluster', 7, 'json'),
  scalarField('groups', 8, 'json'),
  scalarField('words', 9, 'json'),
]);

const causeChainKind = virtualKind('CauseChain', 'causechains', false, [scalarField('links', 2, 'json')]);

const schedulingDecisionKind = virtualKind('SchedulingDecision', 'schedulingdecisions', true, [attemptsField], { schemas: attemptSchemas });

/** Typed as any object: the pipeline asks no more of it. */
const crashRecordKind = virtualKind(
  'CrashRecord',
  'crashrecords',
  false,
  [
    scalarField('component', 2, 'string', { required: true }),
    scalarField('key', 3, 'string', { required: true }),
    scalarField('error', 4, 'string', { required: true }),
    scalarField('count', 5, 'int64', { required: true }),
    scalarField('firstAt', 6, 'time', { required: true }),
    scalarField('lastAt', 7, 'time', { required: true }),
  ],
  {
    columns: ['Name', 'Component', 'Key', 'Count', 'Error', 'Last'].map((name) => ({ name, type: name === 'Count' ? 'integer' : 'string' })),
    row: (object) => {
      const { metadata, component, key, count, error, lastAt } = object as CrashRecord;
      return [metadata.name ?? '', component, key, count, error, lastAt];
    },
  },
);
