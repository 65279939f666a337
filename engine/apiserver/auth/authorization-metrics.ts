/**
 * What upstream counts of authorizers (apiserver pkg/authorization/metrics, pkg/authorization/cel, plugin/pkg/authorizer/webhook/metrics). Outside
 * of history; a request that begins again is decided again, and counts again, but a webhook's answer counts once.
 */
import type { MetricLabels } from '../../base/prometheus-text.ts';
import { Histogram, histogramFamily, metricFamily } from '../metrics-text.ts';

export type Evaluation = 'success' | 'timeout' | 'error';

const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const conditionBounds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

class Counts {
  readonly #byLabels = new Map<string, readonly [labels: MetricLabels, count: number]>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = `apiserver_authorization_${name}`;
    this.#help = help;
  }

  add(labels: MetricLabels): void {
    const key = JSON.stringify(labels);
    this.#byLabels.set(key, [labels, (this.#byLabels.get(key)?.[1] ?? 0) + 1]);
  }

  text(): string {
    return this.#byLabels.size === 0 ? '' : metricFamily(this.#name, 'counter', this.#help, [...this.#byLabels.values()]);
  }
}

class Durations {
  readonly #byLabels = new Map<string, readonly [labels: MetricLabels, histogram: Histogram]>();
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = `apiserver_authorization_${name}`;
    this.#help = help;
    this.#bounds = bounds;
  }

  observe(labels: MetricLabels, seconds: number): void {
    const key = JSON.stringify(labels);
    const known = this.#byLabels.get(key) ?? ([labels, new Histogram(this.#bounds)] as const);
    this.#byLabels.set(key, known);
    known[1].observe(seconds);
  }

  text(): string {
    return histogramFamily(this.#name, this.#help, [...this.#byLabels.values()]);
  }
}

export class AuthorizationMetrics {
  /** Wall time. */
  readonly nowMs: () => number;
  readonly #decisions = new Counts(
    'decisions_total',
    '[ALPHA] Total number of terminal decisions made by an authorizer split by authorizer type, name, and decision.',
  );
  readonly #conditionErrors = new Counts(
    'match_condition_evaluation_errors_total',
    '[ALPHA] Total number of errors when an authorization webhook encounters a match condition error split by authorizer type and name.',
  );
  readonly #conditionTimes = new Durations(
    'match_condition_evaluation_seconds',
    '[ALPHA] Authorization match condition evaluation time in seconds, split by authorizer type and name.',
    conditionBounds,
  );
  readonly #exclusions = new Counts(
    'match_condition_exclusions_total',
    '[ALPHA] Total number of exclusions when an authorization webhook is skipped because match conditions exclude it.',
  );
  readonly #webhookTimes = new Durations('webhook_duration_seconds', '[ALPHA] Request latency in seconds.', durationBounds);
  readonly #failOpen = new Counts('webhook_evaluations_fail_open_total', '[ALPHA] NoOpinion results due to webhook timeout or error.');
  readonly #evaluations = new Counts('webhook_evaluations_total', '[ALPHA] Round-trips to authorization webhooks.');

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  decided(type: string, name: string, decision: 'allowed' | 'denied'): void {
    this.#decisions.add({ decision, name, type });
  }

  /** Conditions of a webhook were evaluated; `isMet` is undefined where one could not be. */
  conditions(name: string, isMet: boolean | undefined, seconds: number): void {
    const labels = { name, type: 'Webhook' };
    this.#conditionTimes.observe(labels, seconds);
    if (isMet === undefined) this.#conditionErrors.add(labels);
    if (isMet === false) this.#exclusions.add(labels);
  }

  /** A webhook was asked; all tries of a call are one. */
  evaluated(name: string, result: Evaluation, { seconds, hasFailedOpen }: { readonly seconds: number; readonly hasFailedOpen: boolean }): void {
    this.#evaluations.add({ name, result });
    this.#webhookTimes.observe({ name, result }, seconds);
    if (hasFailedOpen) this.#failOpen.add({ name, result });
  }

  text(): string {
    const families = [this.#decisions, this.#conditionErrors, this.#conditionTimes, this.#exclusions];
    return [...families, this.#webhookTimes, this.#failOpen, this.#evaluations].map((family) => family.text()).join('');
  }
}
