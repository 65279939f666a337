/**
 * What stands between a call and the provider: its time, its rate, its quotas, and what faults do at the fault points of cloud calls.
 * A call that succeeds after one of its kind failed by a fault has that fault as cause, also when it is healed by then.
 */
import { type Cause, mergeCauses } from '../base/causes.ts';
import { number } from '../base/codecs.ts';
import {
  cloudCallsPerSecond,
  cloudErrors,
  cloudLatency,
  cloudQuota,
  cloudUnreachable,
  type FaultPoint,
  type FaultPoints,
} from '../base/fault-points.ts';
import type { RandomStream } from '../base/random.ts';
import { causesCodec, type Slots } from '../base/slots.ts';
import { CloudError, type CloudErrorReason, type CloudOperation, type CloudQuotaKind } from '../contracts/cloud.ts';
import { latencyMs } from './physics.ts';

/** A share in whole draws. */
const draws = 1_000_000;

export interface CloudCall {
  readonly operation: CloudOperation;
  /** What it is about: the load balancer, route, disk or instance. */
  readonly subject: string;
  /** The instance that it is about, or ''. */
  readonly instance: string;
  /** What it makes one more of, and how many there are; absent when it makes nothing new. */
  readonly grows?: { readonly kind: CloudQuotaKind; readonly count: number };
}

export interface Passage {
  readonly delayMs: number;
  readonly causes: readonly Cause[];
  readonly error?: CloudError;
}

interface Failure {
  readonly point: FaultPoint<never, unknown> | FaultPoint;
  readonly at: string;
  readonly error: CloudError;
}

export class CloudGate {
  readonly #points: FaultPoints;
  readonly #random: RandomStream;
  readonly #nowMs: () => number;
  /** Why the last call of its kind about its subject failed. */
  readonly #failed: Map<string, readonly Cause[]>;
  /** Calls of the present second, while a fault limits them. */
  readonly #second: Map<string, number>;

  constructor(points: FaultPoints, random: RandomStream, slots: Slots, nowMs: () => number) {
    this.#points = points;
    this.#random = random;
    this.#nowMs = nowMs;
    this.#failed = slots.map('failedCalls', causesCodec);
    this.#second = slots.map('second', number);
  }

  pass(call: CloudCall): Passage {
    const [min, max] = latencyMs[call.operation];
    const usualMs = this.#random.between(min, max);
    if (this.#points.calm && this.#failed.size === 0) return { delayMs: usualMs, causes: [] };
    const rules = this.#points.value(cloudLatency).filter(({ operations }) => isAbout(operations, call));
    const delayMs = rules.reduce((total, rule) => total + rule.delayMs, usualMs);
    const late = rules.length === 0 ? [] : this.#points.causes(cloudLatency);
    const failure = this.#failure(call);
    const causes = mergeCauses(late, this.#rememberFailure(call, failure));
    return failure === undefined ? { delayMs, causes } : { delayMs, causes, error: failure.error };
  }

  #failure(call: CloudCall): Failure | undefined {
    const { operation, instance, grows } = call;
    const rate = this.#points.value(cloudCallsPerSecond);
    if (rate !== undefined && this.#countThisSecond() > rate)
      return failed(cloudCallsPerSecond, '', 'RateLimitExceeded', `rate limit of ${rate} calls a second exceeded`);
    if (instance !== '' && this.#points.value(cloudUnreachable, instance))
      return failed(cloudUnreachable, instance, 'Unavailable', `the zone of instance ${instance} does not answer`);
    for (const { operations, share, reason } of this.#points.value(cloudErrors))
      if (isAbout(operations, call) && this.#hits(share))
        return failed(cloudErrors, '', reason as CloudErrorReason, `${reason}: ${operation} failed by a fault of the simulation`);
    const quota = grows === undefined ? undefined : this.#points.value(cloudQuota, grows.kind);
    if (grows === undefined || quota === undefined || grows.count < quota) return undefined;
    return failed(cloudQuota, grows.kind, 'QuotaExceeded', `quota of ${quota} ${grows.kind} exceeded`);
  }

  #rememberFailure({ operation, subject }: CloudCall, failure: Failure | undefined): readonly Cause[] {
    const key = `${operation} ${subject}`;
    const before = this.#failed.get(key) ?? [];
    if (failure === undefined) {
      this.#failed.delete(key);
      return before;
    }
    const causes = mergeCauses(before, this.#points.causes(failure.point, failure.at));
    this.#failed.set(key, causes);
    return causes;
  }

  #countThisSecond(): number {
    const second = String(Math.floor(this.#nowMs() / 1000));
    const count = (this.#second.get(second) ?? 0) + 1;
    this.#second.clear();
    this.#second.set(second, count);
    return count;
  }

  #hits(share: number): boolean {
    return share > 0 && this.#random.integer(draws) < share * draws;
  }
}

function isAbout(operations: readonly string[] | undefined, { operation }: CloudCall): boolean {
  return operations === undefined || operations.includes(operation);
}

function failed(point: Failure['point'], at: string, reason: CloudErrorReason, message: string): Failure {
  return { point, at, error: new CloudError(reason, message) };
}
