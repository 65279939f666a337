/** What upstream counts of webhooks (apiserver pkg/admission/metrics). Health is told of a call again when its request begins anew. */
import type { AdmissionVerb } from '../../admission.ts';
import { Histogram, histogramFamily, metricFamily } from '../../metrics-text.ts';
import { WebhookHealth } from './health.ts';

export type WebhookType = 'admit' | 'validating';
export type RejectionCause = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

const bounds = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25];
const codeMax = 600;

class Counts {
  readonly #byLabels = new Map<string, readonly [labels: Readonly<Record<string, string>>, count: number]>();

  add(labels: Readonly<Record<string, string>>): void {
    const key = JSON.stringify(labels);
    this.#byLabels.set(key, [labels, (this.#byLabels.get(key)?.[1] ?? 0) + 1]);
  }

  family(name: string, help: string): string {
    return this.#byLabels.size === 0 ? '' : metricFamily(`apiserver_admission_${name}`, 'counter', help, [...this.#byLabels.values()]);
  }
}

export interface ObservedCall {
  readonly name: string;
  readonly type: WebhookType;
  readonly operation: AdmissionVerb;
  readonly code: number;
  readonly isRejected: boolean;
  readonly cause?: RejectionCause;
  readonly hasFailedOpen?: boolean;
  /** Why the call failed. */
  readonly failure?: string | undefined;
}

export class WebhookMetrics {
  readonly #requests = new Counts();
  readonly #rejections = new Counts();
  readonly #failedOpen = new Counts();
  readonly #exclusions = new Counts();
  readonly #durations = new Map<string, readonly [labels: Readonly<Record<string, string>>, histogram: Histogram]>();
  /** Calls that failed because of certificates as there should be none any more. */
  readonly #x509 = { missingNames: 0, sha1: 0 };
  readonly health: WebhookHealth;

  /** Virtual milliseconds. */
  constructor(nowMs: () => number) {
    this.health = new WebhookHealth(nowMs);
  }

  /** `isNew`: not told before in the same request. */
  observe({ name, type, operation, code, isRejected, cause, hasFailedOpen, failure = '' }: ObservedCall, tookSeconds: number, isNew: boolean): void {
    this.health.observe(name, failure);
    if (!isNew) return;
    if (failure.includes('certificate relies on legacy Common Name field')) this.#x509.missingNames++;
    if (failure.includes('insecure algorithm SHA1-') || failure.includes('md too weak')) this.#x509.sha1++;
    const rejected = String(isRejected);
    this.#requests.add({ name, type, operation, code: String(Math.min(code, codeMax)), rejected });
    if (cause !== undefined) this.#rejections.add({ name, type, operation, error_type: cause, rejection_code: String(Math.min(code, codeMax)) });
    if (hasFailedOpen === true) this.#failedOpen.add({ name, type });
    const labels = { name, type, operation, rejected };
    const key = JSON.stringify(labels);
    const known = this.#durations.get(key) ?? ([labels, new Histogram(bounds)] as const);
    this.#durations.set(key, known);
    known[1].observe(tookSeconds);
  }

  excluded(name: string, type: WebhookType, operation: AdmissionVerb): void {
    this.#exclusions.add({ name, kind: 'webhook', type, operation });
  }

  text(): string {
    return [
      histogramFamily(
        'apiserver_admission_webhook_admission_duration_seconds',
        '[STABLE] Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
        [...this.#durations.values()],
      ),
      this.#failedOpen.family(
        'webhook_fail_open_count',
        '[ALPHA] Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
      ),
      this.#rejections.family(
        'webhook_rejection_count',
        '[ALPHA] Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
      ),
      this.#requests.family(
        'webhook_request_total',
        '[ALPHA] Admission webhook request total, identified by name and broken out for each admission type (validating or mutating) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
      ),
      this.#exclusions.family(
        'match_condition_exclusions_total',
        '[ALPHA] Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
      ),
      metricFamily('apiserver_webhooks_x509_insecure_sha1_total', 'counter', sha1Help, [[{}, this.#x509.sha1]]),
      metricFamily('apiserver_webhooks_x509_missing_san_total', 'counter', missingNamesHelp, [[{}, this.#x509.missingNames]]),
    ].join('');
  }
}

const either = 'in their serving certificate OR the number of connection failures due to the';
const whichever = '(either/or, based on the runtime environment)';
const sha1Help = `[ALPHA] Counts the number of requests to servers with insecure SHA1 signatures ${either} insecure SHA1 signatures ${whichever}`;
const missingNamesHelp = `[ALPHA] Counts the number of requests to servers missing SAN extension ${either} lack of x509 certificate SAN extension missing ${whichever}`;
