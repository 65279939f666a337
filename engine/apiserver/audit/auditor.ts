/** Decides which requests are audited, and writes their events down. Mirrors apiserver pkg/audit. */
import { metricFamily, type Sample } from '../metrics-text.ts';
import { atLevel, type AuditEvent, type AuditFormat, formats } from './event.ts';
import { type AuditDecision, decide, unlogged } from './policy-rules.ts';
import type { AuditPolicy } from './policy.ts';
import type { AuditSinks, OpenSink } from './sinks.ts';
import { type AuditedRequest, AuditTrail } from './trail.ts';
import { withinBytes } from './truncation.ts';

/**
 * Takes lines. False: the line is lost, and what it tells of must not happen (`blocking-strict`). A promise where the line is on its way and
 * the request waits until it is taken.
 */
export interface AuditSink {
  write(line: string): boolean | Promise<boolean>;
}

/** Where events go, and how they are written there. */
export interface AuditBackend {
  readonly format: AuditFormat;
  readonly sink: AuditSink;
  /** Events that it has lost so far, by upstream's names of who lost them. */
  losses?(): readonly (readonly [plugin: string, events: number])[];
  /** Of one event as JSON: what is larger loses its objects, and is lost where that does not help. Absent: all are taken as they are. */
  readonly eventBytesMax?: number;
  /** An event was lost because it was too large. */
  onTooLarge?(): void;
}

export interface AuditOptions {
  /** Of what goes to the backends; without one nothing does. */
  readonly policy?: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  /** Lets what users ask for with AuditSinks leave; absent: such objects ask in vain. */
  readonly openSink?: OpenSink;
}

export class Auditor {
  readonly outlinesStatuses: boolean;
  readonly #options: AuditOptions;
  readonly #nowMs: () => number;
  readonly #sinks: AuditSinks | undefined;
  #events = 0;
  #refused = 0;
  readonly #byLevel = new Map<string, number>();

  constructor(options: AuditOptions, nowMs: () => number, sinks?: AuditSinks, outlinesStatuses = false) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#sinks = sinks;
    this.outlinesStatuses = outlinesStatuses;
  }

  nowMs(): number {
    return this.#nowMs();
  }

  /** Undefined where the policy logs nothing of the request. */
  begin(request: AuditedRequest): AuditTrail | undefined {
    const { policy } = this.#options;
    const decision = policy === undefined ? unlogged : decide(policy, request);
    const hasSinks = (this.#sinks?.list().length ?? 0) > 0;
    const { level } = hasSinks ? everything : decision;
    this.#byLevel.set(level, (this.#byLevel.get(level) ?? 0) + 1);
    if (!hasSinks) return level === 'None' ? undefined : new AuditTrail(request, decision, this);
    return new AuditTrail(request, everything, {
      nowMs: this.#nowMs,
      keep: (event) => this.#keepWhole(event, decision),
      refused: () => this.refused(),
      outlinesStatuses: this.outlinesStatuses,
    });
  }

  /** Sinks take what they ask for and stop no request; the backends get what their policy leaves of it. */
  #keepWhole(event: AuditEvent, { level, omitStages }: AuditDecision): boolean | Promise<boolean> {
    for (const sink of this.#sinks?.list() ?? []) sink.take(event);
    const cut = omitStages.has(event.stage) ? undefined : atLevel(event, level);
    return cut === undefined || this.keep(cut);
  }

  keep(event: AuditEvent): boolean | Promise<boolean> {
    this.#events++;
    // Each is told, whatever became of it elsewhere.
    const kept = this.#options.backends.map((backend) => written(backend, event));
    const isKept = !kept.includes(false);
    const later = kept.filter((answer) => answer instanceof Promise);
    return later.length === 0 ? isKept : Promise.all(later).then((answers) => isKept && !answers.includes(false));
  }

  /** A request must not go on because its first event was lost. */
  refused(): void {
    this.#refused++;
  }

  metrics(): string {
    const losses = this.#options.backends.flatMap((backend) => backend.losses?.() ?? []).filter(([, events]) => events > 0);
    const errors = losses.map(([plugin, events]): Sample => [{ plugin }, events]);
    const levels = [...this.#byLevel].map(([level, count]): Sample => [{ level }, count]);
    return [
      metricFamily('apiserver_audit_event_total', 'counter', '[ALPHA] Counter of audit events generated and sent to the audit backend.', [
        [{}, this.#events],
      ]),
      ...(errors.length > 0 ? [metricFamily('apiserver_audit_error_total', 'counter', errorHelp, errors)] : []),
      metricFamily('apiserver_audit_level_total', 'counter', '[ALPHA] Counter of policy levels for audit events (1 per request).', levels),
      metricFamily(
        'apiserver_audit_requests_rejected_total',
        'counter',
        '[ALPHA] Counter of apiserver requests rejected due to an error in audit logging backend.',
        [[{}, this.#refused]],
      ),
    ].join('');
  }
}

const errorHelp = '[ALPHA] Counter of audit events that failed to be audited properly. Plugin identifies the plugin affected by the error.';

const everything: AuditDecision = { level: 'RequestResponse', omitStages: new Set(), omitManagedFields: false };

/** What is too large stops no request. */
function written(backend: AuditBackend, event: AuditEvent): boolean | Promise<boolean> {
  const { format, sink, eventBytesMax } = backend;
  const cut = eventBytesMax === undefined ? event : withinBytes(event, eventBytesMax);
  if (cut !== undefined) return sink.write(formats[format](cut));
  backend.onTooLarge?.();
  return true;
}
