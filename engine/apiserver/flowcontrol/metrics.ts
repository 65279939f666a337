/** What priority and fairness counts, under upstream's names. Mirrors apiserver pkg/util/flowcontrol/metrics. */
import { type Histogram, histogramFamily, metricFamily, type Sample } from '../metrics-text.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';

export function metricsOf(levels: readonly PriorityLevel[], flows: readonly FlowCounts[]): string {
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
  return [
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
      'dispatched_requests_total',
      'counter',
      '[BETA] Number of requests executed by API Priority and Fairness subsystem',
      ofFlows((flow) => flow.dispatched),
    ),
    family(
      'lower_limit_seats',
      'gauge',
      '[ALPHA] Configured lower bound on number of execution seats available to each priority level',
      ofLevels((level) => level.bounds.lower),
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
    histogramFamily(
      'apiserver_flowcontrol_request_execution_seconds',
      '[ALPHA] Duration of initial stage (for a WATCH) or any (for a non-WATCH) stage of request execution in the API Priority and Fairness subsystem',
      ofHistograms('type', ({ executed }) => executed),
    ),
    histogramFamily(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      '[BETA] Length of time a request spent waiting in its queue',
      ofHistograms('execute', ({ waited }) => waited),
    ),
    family(
      'upper_limit_seats',
      'gauge',
      '[ALPHA] Configured upper bound on number of execution seats available to each priority level',
      ofLevels((level) => level.bounds.upper),
    ),
    histogramFamily(
      'apiserver_flowcontrol_work_estimated_seats',
      '[ALPHA] Number of estimated seats (maximum of initial and final seats) associated with requests in API Priority and Fairness',
      ofHistograms('', ({ widths }) => ({ '': widths })),
    ),
  ].join('');
}

/** Nothing where nothing was counted. */
function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  return samples.length === 0 ? '' : metricFamily(`apiserver_flowcontrol_${name}`, type, help, samples);
}
