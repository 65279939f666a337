/** What priority and fairness counts, under upstream's names. Mirrors apiserver pkg/util/flowcontrol/metrics. */
import { type Histogram, histogramFamily, metricFamily, type Sample } from '../metrics-text.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { Bounds, Dispatched } from './queue-set.ts';

export interface FlowMetrics {
  readonly levels: readonly PriorityLevel[];
  readonly flows: readonly FlowCounts[];
  readonly fairFraction: number;
  readonly nowMs: number;
}

export function metricsOf({ levels, flows, fairFraction, nowMs }: FlowMetrics): string {
  const ofLevels = (value: (level: PriorityLevel) => number): Sample[] => levels.map((level) => [{ priority_level: level.name }, value(level)]);
  const ofFlows = (value: (counts: FlowCounts) => number): Sample[] =>
    flows.map((counts) => [{ flow_schema: counts.schema, priority_level: counts.level }, value(counts)]);
  const rejected: Sample[] = flows.flatMap(({ schema, level, rejected: reasons }) =>
    [...reasons].map(([reason, count]): Sample => [{ flow_schema: schema, priority_level: level, reason }, count]),
  );
  const ofHistograms = (label: string, values: (counts: FlowCounts) => Readonly<Record<string, Histogram>>) =>
    flows.flatMap((counts) =>
      Object.entries(values(counts)).map(([value, histogram]) => {
        // Labels in the order of their names.
        const { schema: flow_schema, level: priority_level } = counts;
        const labels = label === 'execute' ? { execute: value, flow_schema, priority_level } : { flow_schema, priority_level, type: value };
        return [label === '' ? { flow_schema, priority_level } : labels, histogram] as const;
      }),
    );
  const queued = levels.flatMap(({ name, queues }) => (queues === undefined ? [] : [{ name, dispatched: queues.dispatched }]));
  const ofDispatched = (value: (dispatched: Dispatched) => number): Sample[] =>
    queued.map(({ name, dispatched }) => [{ priority_level: name }, value(dispatched)]);
  const ofBounds = (value: (dispatched: Dispatched) => Bounds): Sample[] =>
    queued.flatMap(({ name, dispatched }) =>
      (['max', 'min'] as const).map((bound): Sample => [{ bound, priority_level: name }, value(dispatched)[bound]]),
    );
  return [
    ...fullness(levels, nowMs),
    family(
      'current_executing_requests',
      'gauge',
      '[BETA] Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution stage in the API Priority and Fairness subsystem',
      ofFlows((flow) => flow.executing),
    ),
    family(
      'current_executing_seats',
      'gauge',
      '[BETA] Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
      ofFlows((flow) => flow.executingSeats),
    ),
    family(
      'current_inqueue_requests',
      'gauge',
      '[BETA] Number of requests currently pending in queues of the API Priority and Fairness subsystem',
      ofFlows((flow) => flow.waiting),
    ),
    family(
      'current_inqueue_seats',
      'gauge',
      '[ALPHA] Number of seats currently pending in queues of the API Priority and Fairness subsystem',
      ofFlows((flow) => flow.waitingSeats),
    ),
    family(
      'current_limit_seats',
      'gauge',
      '[ALPHA] current derived number of execution seats available to each priority level',
      ofLevels((level) => level.limit),
    ),
    family(
      'current_r',
      'gauge',
      '[ALPHA] R(time of last change)',
      ofLevels(({ queues }) => queues?.currentR ?? 0),
    ),
    family(
      'demand_seats_average',
      'gauge',
      '[ALPHA] Time-weighted average, over last adjustment period, of demand_seats',
      ofLevels(({ demand }) => demand.average),
    ),
    family(
      'demand_seats_high_watermark',
      'gauge',
      '[ALPHA] High watermark, over last adjustment period, of demand_seats',
      ofLevels(({ demand }) => demand.highestBefore),
    ),
    family(
      'demand_seats_smoothed',
      'gauge',
      '[ALPHA] Smoothed seat demands',
      ofLevels(({ demand }) => demand.smoothed),
    ),
    family(
      'demand_seats_stdev',
      'gauge',
      '[ALPHA] Time-weighted standard deviation, over last adjustment period, of demand_seats',
      ofLevels(({ demand }) => demand.deviation),
    ),
    family(
      'dispatch_r',
      'gauge',
      '[ALPHA] R(time of last dispatch)',
      ofDispatched(({ currentR }) => currentR),
    ),
    family(
      'dispatched_requests_total',
      'counter',
      '[BETA] Number of requests executed by API Priority and Fairness subsystem',
      ofFlows((flow) => flow.dispatched),
    ),
    family(
      'latest_s',
      'gauge',
      '[ALPHA] S(most recently dispatched request)',
      ofDispatched(({ startR }) => startR),
    ),
    family(
      'lower_limit_seats',
      'gauge',
      '[ALPHA] Configured lower bound on number of execution seats available to each priority level',
      ofLevels((level) => level.bounds.lower),
    ),
    family(
      'next_discounted_s_bounds',
      'gauge',
      '[ALPHA] min and max, over queues, of S(oldest waiting request in queue) - estimated work in progress',
      ofBounds(({ discounted }) => discounted),
    ),
    family(
      'next_s_bounds',
      'gauge',
      '[ALPHA] min and max, over queues, of S(oldest waiting request in queue)',
      ofBounds(({ next }) => next),
    ),
    family(
      'nominal_limit_seats',
      'gauge',
      '[BETA] Nominal number of execution seats configured for each priority level',
      ofLevels((level) => level.bounds.nominal),
    ),
    family('rejected_requests_total', 'counter', '[BETA] Number of requests rejected by API Priority and Fairness subsystem', rejected),
    family(
      'request_concurrency_in_use',
      'gauge',
      '[ALPHA] Concurrency (number of seats) occupied by the currently executing (initial stage for a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem',
      ofFlows((flow) => flow.executingSeats),
    ),
    family(
      'request_concurrency_limit',
      'gauge',
      '[ALPHA] Nominal number of execution seats configured for each priority level',
      ofLevels((level) => level.bounds.nominal),
    ),
    family(
      'request_dispatch_no_accommodation_total',
      'counter',
      '[ALPHA] Number of times a dispatch attempt resulted in a non accommodation due to lack of available seats',
      ofFlows((flow) => flow.unaccommodated).filter(([, count]) => count > 0),
    ),
    histogramFamily(
      'apiserver_flowcontrol_request_execution_seconds',
      '[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
      ofHistograms('type', ({ executed }) => executed),
    ),
    histogramFamily(
      'apiserver_flowcontrol_request_queue_length_after_enqueue',
      '[ALPHA] Length of queue in the API Priority and Fairness subsystem, as seen by each request after it is enqueued',
      ofHistograms('', ({ queueLengths }) => ({ '': queueLengths })),
    ),
    histogramFamily(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      '[BETA] Length of time a request spent waiting in its queue',
      ofHistograms('execute', ({ waited }) => waited),
    ),
    family('seat_fair_frac', 'gauge', "[ALPHA] Fair fraction of server's concurrency to allocate to each priority level that can use it", [
      [{}, fairFraction],
    ]),
    family(
      'target_seats',
      'gauge',
      '[ALPHA] Seat allocation targets',
      ofLevels((level) => level.target),
    ),
    family(
      'upper_limit_seats',
      'gauge',
      '[ALPHA] Configured upper bound on number of execution seats available to each priority level',
      ofLevels((level) => level.bounds.upper),
    ),
    histogramFamily(
      'apiserver_flowcontrol_watch_count_samples',
      '[ALPHA] count of watchers for mutating requests in API Priority and Fairness',
      ofHistograms('', ({ watchers }) => ({ '': watchers })),
    ),
    histogramFamily(
      'apiserver_flowcontrol_work_estimated_seats',
      '[ALPHA] Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
      ofHistograms('', ({ widths }) => ({ '': widths })),
    ),
  ].join('');
}

/** What is looked at at every nanosecond. */
function fullness(levels: readonly PriorityLevel[], nowMs: number): readonly string[] {
  const now = levels.map(({ name, meter }) => ({ name, ...meter.at(nowMs) }));
  const executing = { phase: 'executing' };
  return [
    timed(
      'demand_seats',
      '(the number of seats each priority level could use) / (nominal number of seats for that level)',
      now.map(({ name, demand }) => [{ priority_level: name }, demand]),
    ),
    timed(
      'priority_level_request_utilization',
      'number of requests (as a fraction of the relevant limit) waiting or in any stage of execution (but only initial stage for WATCHes)',
      now.flatMap(({ name, executing: served, waiting }) => [
        [{ ...executing, priority_level: name }, served],
        [{ phase: 'waiting', priority_level: name }, waiting],
      ]),
    ),
    timed(
      'priority_level_seat_utilization',
      'utilization of seats for any stage of execution (but only initial stage for WATCHes)',
      now.map(({ name, seats }) => [{ ...executing, priority_level: name }, seats]),
    ),
  ];
}

function timed(name: string, help: string, samples: readonly (readonly [Readonly<Record<string, string>>, Histogram])[]): string {
  return histogramFamily(`apiserver_flowcontrol_${name}`, `EXPERIMENTAL: [ALPHA] Observations, at the end of every nanosecond, of ${help}`, samples);
}

/** Nothing where nothing was counted. */
function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  return samples.length === 0 ? '' : metricFamily(`apiserver_flowcontrol_${name}`, type, help, samples);
}
