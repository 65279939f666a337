/**
 * What stays with a request while it begins again: after a question to the outside, a wait for a seat, a delay. Filters that an inner
 * one has to tell something, or that add to the answer, meet here.
 */
import type { AuditTrail } from '../audit/trail.ts';
import type { TokenRemarks } from '../../contracts/tokens.ts';
import type { ApiResult } from '../../contracts/request.ts';
import type { Headers } from '../http-types.ts';
import type { MediaType } from '../negotiation.ts';
import type { LoggedRequest } from '../requests/logged-request.ts';
import type { Seat } from '../flowcontrol/seats.ts';

export class Passage {
  /** Tells this request from every other, in its answer and in the audit log. */
  auditId = '';
  /** Headers of the answer, unless whoever answers says otherwise. */
  cacheControl: string | undefined;
  flowHeaders: Headers | undefined;
  /** Null until somebody has decided whether the request is audited. */
  audit: AuditTrail | undefined | null = null;
  /** Of the event of a request that was refused before anybody knew who asks. */
  refusalDelivery: Promise<void> | undefined;
  /** Somebody waits for the answer as long as it takes. */
  mayWait = false;
  /** Of a request that asked: streams of its own, so that it draws the same each time. */
  draws: string | undefined;
  /** See OngoingRequest. */
  happened: Set<string> | undefined;
  /** In wall time, when it first came; undefined where nobody counts. */
  begunMs: number | undefined;
  /** Of the token that it came with; undefined where there is nothing to say. */
  remarks: TokenRemarks | undefined;
  /** Counted already, however often it begins again. */
  isAuthenticated = false;
  isAuthorized = false;
  /** As it is remembered; undefined where nobody does. */
  logged: LoggedRequest | undefined;
  /** The forms that errors of what was asked for have; undefined until somebody is found who serves it. */
  served: readonly MediaType[] | undefined;
  /** What became of an object that was created and had to wait: the answer, or it is thrown. */
  outcome: (() => ApiResult) | undefined;
  /** How often it has waited for what somebody is about to make. */
  awaited = 0;
  /** Taken, or waited for, by a request that begins again. */
  seat: Seat | undefined;

  /** Who is audited by a webhook that blocks is answered when the events about it were taken. */
  whenDelivered<T>(response: T): T | Promise<T> {
    const delivery = this.audit?.delivery ?? this.refusalDelivery;
    return delivery === undefined ? response : delivery.then(() => response);
  }
}
