/**
 * What upstream counts of admission: how long plugins and their steps take, what policies and pod security decide. In wall time and outside
 * of history. Mirrors apiserver pkg/admission/metrics, pkg/admission/plugin/policy and pod-security-admission metrics.
 */
import { StatusError } from '../../apimachinery/status.ts';
import type { MetricLabels } from '../../base/prometheus-text.ts';
import { Histogram, histogramFamily, metricFamily } from '../metrics-text.ts';
import type { AdmissionVerb } from '../admission.ts';

export type AdmissionStep = 'admit' | 'validate';
export type PolicyErrorType = 'compile_error' | 'invalid_error' | 'out_of_budget' | 'no_error';

/** In seconds. */
const stepBounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const checkBounds = [0.0000005, 0.001, 0.01, 0.1, 1];

/** One count, or one histogram, for each set of labels. */
class ByLabels<T> {
  readonly #made: () => T;
  readonly #byKey = new Map<string, readonly [labels: MetricLabels, value: T]>();

  constructor(made: () => T) {
    this.#made = made;
  }

  of(labels: MetricLabels): T {
    const key = JSON.stringify(labels);
    let known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, (known = [labels, this.#made()]));
    return known[1];
  }

  list(): (readonly [labels: MetricLabels, value: T])[] {
    return [...this.#byKey.values()];
  }
}

interface Count {
  value: number;
}

const newCount = (): Count => ({ value: 0 });

/** Times of one plugin, or of a whole step, with one operation. */
export class Times {
  readonly passed: Histogram;
  readonly rejected: Histogram;
  /** What a second is in the histograms. */
  readonly unit: number;

  constructor(microseconds: readonly number[] | undefined) {
    this.passed = new Histogram(microseconds ?? stepBounds);
    this.rejected = new Histogram(microseconds ?? stepBounds);
    this.unit = microseconds === undefined ? 1 : 1e6;
  }
}

/** Looks at the clock once for each part: one begins when the one before has ended. */
class StopWatch {
  readonly #nowMs: () => number;
  #beganMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#beganMs = nowMs();
  }

  passed(times: Times | undefined): void {
    times?.passed.observe(this.#lap() * times.unit);
  }

  /** What is no Status is no refusal. */
  failed(times: Times | undefined, error: unknown): void {
    if (error instanceof StatusError) times?.rejected.observe(this.#lap() * times.unit);
  }

  #lap(): number {
    const endedMs = this.#nowMs();
    const seconds = (endedMs - this.#beganMs) / 1000;
    this.#beganMs = endedMs;
    return seconds;
  }
}

export class AdmissionMeter {
  /** In wall time. */
  readonly nowMs: () => number;
  readonly #times = new Map<string, readonly [labels: MetricLabels, times: Times]>();
  readonly #steps = new Map<string, readonly [labels: MetricLabels, times: Times]>();
  readonly #checks = { validating: new ByLabels(newCount), mutating: new ByLabels(newCount) };
  readonly #checkTimes = { validating: new ByLabels(() => new Histogram(checkBounds)), mutating: new ByLabels(() => new Histogram(checkBounds)) };
  readonly #podSecurity = { evaluations: new ByLabels(newCount), exemptions: new ByLabels(newCount), errors: new ByLabels(newCount) };

  readonly #microseconds: readonly number[] | undefined;

  /** `microseconds`: the bounds of the times of steps and plugins, which are in seconds without them. */
  constructor(nowMs: () => number, microseconds?: readonly number[]) {
    this.nowMs = nowMs;
    this.#microseconds = microseconds;
  }

  /** Runs a whole step. One that throws what is no Status begins again, and is counted then. */
  timed<T>(type: AdmissionStep, operation: AdmissionVerb, act: () => T): T {
    const times = this.#timesOf(this.#steps, `${type} ${operation}`, { operation, type });
    const watch = this.watch();
    let result: T;
    try {
      result = act();
    } catch (error) {
      watch.failed(times, error);
      throw error;
    }
    watch.passed(times);
    return result;
  }

  /** Runs from now on. */
  watch(): StopWatch {
    return new StopWatch(this.nowMs);
  }

  /** Where the times of a plugin are kept. */
  plugin(name: string, type: AdmissionStep, operation: AdmissionVerb): Times {
    return this.#timesOf(this.#times, `${name} ${type} ${operation}`, { name, operation, type });
  }

  /** `action` is what a validating policy did; a mutating one has none. */
  checked(
    type: 'validating' | 'mutating',
    {
      policy,
      binding,
      error,
      action,
    }: { readonly policy: string; readonly binding: string; readonly error: PolicyErrorType; readonly action?: string },
    seconds: number,
  ): void {
    const labels = { ...(action === undefined ? {} : { enforcement_action: action }), error_type: error, policy, policy_binding: binding };
    this.#checks[type].of(labels).value++;
    this.#checkTimes[type].of(labels).observe(seconds);
  }

  /** `labels` in upstream's words. */
  podSecurity(what: 'evaluations' | 'exemptions' | 'errors', labels: MetricLabels): void {
    this.#podSecurity[what].of(labels).value++;
  }

  text(): string {
    return [
      histogramFamily('apiserver_admission_controller_admission_duration_seconds', controllerHelp, rejectedOrNot(this.#times)),
      histogramFamily('apiserver_admission_step_admission_duration_seconds', stepHelp, rejectedOrNot(this.#steps)),
      counts('apiserver_mutating_admission_policy_check_total', mutatingHelp, this.#checks.mutating),
      histogramFamily('apiserver_mutating_admission_policy_check_duration_seconds', mutatingTimeHelp, this.#checkTimes.mutating.list()),
      counts('apiserver_validating_admission_policy_check_total', validatingHelp, this.#checks.validating),
      histogramFamily('apiserver_validating_admission_policy_check_duration_seconds', validatingTimeHelp, this.#checkTimes.validating.list()),
      counts('pod_security_errors_total', errorsHelp, this.#podSecurity.errors),
      counts('pod_security_evaluations_total', evaluationsHelp, this.#podSecurity.evaluations),
      counts('pod_security_exemptions_total', exemptionsHelp, this.#podSecurity.exemptions),
    ].join('');
  }

  #timesOf(known: Map<string, readonly [labels: MetricLabels, times: Times]>, key: string, labels: MetricLabels): Times {
    let found = known.get(key);
    if (found === undefined) known.set(key, (found = [labels, new Times(this.#microseconds)]));
    return found[1];
  }
}

function rejectedOrNot(known: ReadonlyMap<string, readonly [labels: MetricLabels, times: Times]>): (readonly [MetricLabels, Histogram])[] {
  return [...known.values()].flatMap(([labels, { passed, rejected }]) =>
    (
      [
        ['false', passed],
        ['true', rejected],
      ] as const
    ).map(([isRejected, histogram]): readonly [MetricLabels, Histogram] => [{ ...labels, rejected: isRejected }, histogram]),
  );
}

function counts(name: string, help: string, known: ByLabels<Count>): string {
  const samples = known.list().map(([labels, { value }]) => [labels, value] as const);
  return samples.length === 0 ? '' : metricFamily(name, 'counter', help, samples);
}

const controllerHelp =
  '[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).';
const stepHelp =
  '[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).';
const validatingHelp =
  '[BETA] Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.';
const validatingTimeHelp =
  '[BETA] Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.';
const mutatingHelp = '[ALPHA] Mutation admission policy check total, labeled by policy and further identified by binding.';
const mutatingTimeHelp = '[ALPHA] Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.';
const errorsHelp =
  '[ALPHA] Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.';
const evaluationsHelp = '[ALPHA] Number of policy evaluations that occurred, not counting ignored or exempt requests.';
const exemptionsHelp = '[ALPHA] Number of exempt requests, not counting ignored or out of scope requests.';
