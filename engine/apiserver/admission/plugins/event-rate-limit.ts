/**
 * How many Events may be written in a while: by all, in a namespace, by somebody, about something. Only Events that are kept count, and
 * only those of the core group are looked at. Mirrors plugin/pkg/admission/eventratelimit.
 */
import type { Event } from '../../../api/core/v1/types.gen.ts';
import { newTooManyRequestsError } from '../../../apimachinery/errors.ts';
import { aggregateText, type FieldError, invalid, notSupported, root } from '../../../apimachinery/field-errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { number, record } from '../../../base/codecs.ts';
import { Slots } from '../../../base/slots.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { ConfigurationFault, Fields, mustBeKind } from '../../configuration-reader.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';

const limitTypes = ['Namespace', 'Server', 'SourceAndObject', 'User'] as const;
type LimitType = (typeof limitTypes)[number];

export interface EventLimit {
  readonly type: LimitType;
  readonly qps: number;
  readonly burst: number;
  /** How many keys are kept in mind. */
  readonly cacheSize: number;
}

const cacheSizeDefault = 4_096;

/** Throws ConfigurationFault in upstream's words. */
export function readEventLimits(document: JsonObject | undefined): readonly EventLimit[] {
  const empty = { apiVersion, kind: 'Configuration', limits: [] };
  mustBeKind(document ?? empty, [apiVersion], 'Configuration');
  const given = new Fields(document ?? empty, '').each('limits');
  const limits = given.map((fields) => ({
    type: fields.text('type'),
    ...{ qps: fields.integer('qps') ?? 0, burst: fields.integer('burst') ?? 0, cacheSize: fields.integer('cacheSize') ?? 0 },
  }));
  const path = root('limits');
  const faults: FieldError[] = limits.length === 0 ? [invalid(path, document?.['limits'] ?? null, 'must not be empty')] : [];
  limits.forEach(({ type, qps, burst, cacheSize }, index) => {
    const at = path.index(index);
    if (!isLimitType(type)) faults.push(notSupported(at.child('type'), type, limitTypes));
    if (burst <= 0) faults.push(invalid(at.child('burst'), burst, 'must be positive'));
    if (qps <= 0) faults.push(invalid(at.child('qps'), qps, 'must be positive'));
    if (type !== 'Server' && cacheSize < 0) faults.push(invalid(at.child('cacheSize'), cacheSize, 'must not be negative'));
  });
  if (faults.length > 0) throw new ConfigurationFault(aggregateText(faults));
  return limits.flatMap(({ type, cacheSize, ...rest }) => (isLimitType(type) ? [{ type, ...rest, cacheSize: cacheSize || cacheSizeDefault }] : []));
}

const apiVersion = 'eventratelimit.admission.k8s.io/v1alpha1';

function isLimitType(type: string): type is LimitType {
  return (limitTypes as readonly string[]).includes(type);
}

/** What is left of a key's burst, and when that was so. */
interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

const bucket = record<Bucket>({ tokens: number, atMs: number });

export class EventRateLimit {
  /** Buckets by key, of each limit. */
  readonly slots = new Slots();
  readonly plugin: AdmissionPlugin;
  readonly #limits: readonly Limiter[];

  constructor(limits: readonly EventLimit[], nowMs: () => number) {
    this.#limits = limits.map((limit, index) => new Limiter(limit, this.slots.map(`${index}`, bucket)));
    this.plugin = defineAdmissionPlugin({
      name: 'EventRateLimit',
      verbs: ['CREATE', 'UPDATE'],
      resources: ['events'],
      validate: (attributes) => this.#validate(attributes, nowMs()),
    });
  }

  #validate(attributes: AdmissionAttributes, nowMs: number): void {
    if (attributes.dryRun) return;
    const charged = this.#limits.map((limiter) => ({ limiter, key: keyOf(limiter.limit.type, attributes) }));
    const full = charged.filter(({ limiter, key }) => limiter.tokensOf(key, nowMs) < 1);
    if (full.length > 0) {
      const texts = [...new Set(full.map(({ limiter, key }) => `limit reached on type ${limiter.limit.type} for key ${key}`))];
      throw newTooManyRequestsError(texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
    }
    attributes.whenKept(() => {
      for (const { limiter, key } of charged) limiter.take(key, nowMs);
    });
  }
}

class Limiter {
  readonly limit: EventLimit;
  readonly #buckets: Map<string, Bucket>;

  constructor(limit: EventLimit, buckets: Map<string, Bucket>) {
    this.limit = limit;
    this.#buckets = buckets;
  }

  tokensOf(key: string, nowMs: number): number {
    const { qps, burst } = this.limit;
    const known = this.#buckets.get(key);
    return known === undefined ? burst : Math.min(burst, known.tokens + (Math.max(0, nowMs - known.atMs) / 1000) * qps);
  }

  take(key: string, nowMs: number): void {
    this.#buckets.set(key, { tokens: this.tokensOf(key, nowMs) - 1, atMs: nowMs });
    if (this.#buckets.size > this.limit.cacheSize) this.#forget(nowMs);
  }

  /** Those that are full say nothing; where all are in use, the one that was used longest ago has a whole burst again. */
  #forget(nowMs: number): void {
    let oldest: string | undefined;
    let oldestMs = Number.POSITIVE_INFINITY;
    for (const [key, { atMs }] of this.#buckets) {
      if (this.tokensOf(key, nowMs) >= this.limit.burst) this.#buckets.delete(key);
      else if (atMs < oldestMs || (atMs === oldestMs && key < (oldest ?? key))) [oldest, oldestMs] = [key, atMs];
    }
    if (this.#buckets.size > this.limit.cacheSize && oldest !== undefined) this.#buckets.delete(oldest);
  }
}

function keyOf(type: LimitType, { namespace, identity, object }: AdmissionAttributes): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return identity.name;
  const { source, involvedObject } = object as Event;
  const { kind, namespace: of, name, uid, apiVersion: version } = involvedObject ?? {};
  return [source?.component, source?.host, kind, of, name, uid, version].map((part) => part ?? '').join('');
}
