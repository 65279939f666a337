/** What priority and fairness counts, under upstream's names. Mirrors apiserver pkg/util/flowcontrol/metrics. */
import { metricFamily, type Sample } from '../metrics-text.ts';
import type { FlowCounts, PriorityLevel } from './priority-level.ts';

export function metricsOf(levels: readonly PriorityLevel[], flows: readonly FlowCounts[]): string {
  const ofLevels = (value: (level: PriorityLevel) => number): Sample[] => levels.map((level) => [{ priority_level: level.name }, value(level)]);
  const ofFlows = (value: (counts: FlowCounts) => number): Sample[] =>
    flows.map((counts) => [{ flow_schema: counts.schema, priority_level: counts.level }, value(counts)]);
  const rejected: Sample[] = flows.flatMap(({ schema, level, rejected: reasons }) =>
    [...reasons].map(([reason, count]): Sample => [{ flow_schema: schema, priority_level: level, reason }, count]),
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
    family(
      'upper_limit_seats',
      'gauge',
      '[ALPHA] Configured upper bound on number of execution seats available to each priority level',
      ofLevels((level) => level.bounds.upper),
    ),
  ].join('');
}

/** Nothing where nothing was counted. */
function family(name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]): string {
  return samples.length === 0 ? '' : metricFamily(`apiserver_flowcontrol_${name}`, type, help, samples);
}
