/** What a filter is: it looks at a request, may refuse it or add to what is known of it, and may finish what comes back. */
import type { Cause } from '../../base/causes.ts';
import type { RequestInfo } from '../request-info.ts';
import type { Ask } from '../../contracts/questions.ts';
import type { Identity } from '../../contracts/request.ts';
import type { TokenRemarks } from '../../contracts/tokens.ts';
import type { Authentication } from '../auth/authenticator.ts';
import type { LastModes } from '../auth/constrained-impersonation.ts';
import type { ImpersonationRules } from '../auth/impersonation.ts';
import type { Authorizer } from '../authorizer.ts';
import type { Enter } from '../http.ts';
import type { HttpRequest, HttpResponse } from '../http-types.ts';
import type { NegotiationInput } from '../negotiation.ts';
import type { StatusError } from '../../apimachinery/status.ts';
import type { HttpPlainResponse } from '../http-types.ts';
import type { RequestLimiter } from '../flowcontrol/seats.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { RequestMeter } from '../metering/request-meter.ts';
import type { Passage } from './passage.ts';

/** A request with what is known of it so far. */
export interface Exchange {
  readonly request: HttpRequest;
  /** Makes the attempts at what it asks for, once it has been let in. */
  readonly enter: Enter;
  /** Asks the outside, before anything is attempted. */
  readonly ask: Ask;
  /** For faults that delay it: as long as they wanted, or in vain, for the time did not come. */
  readonly waited: Waited;
  readonly passage: Passage;
  readonly query: URLSearchParams;
  readonly negotiation: NegotiationInput;
  /** Decoded once request info has been read. */
  readonly path: string;
  /** Of no resource until request info has been read. */
  readonly info: RequestInfo;
  /** Nobody in particular until the caller is authenticated. */
  readonly identity: Identity;
}

export type Waited = 'not yet' | 'enough' | 'in vain';

export type Handler = (exchange: Exchange) => HttpResponse;

export interface FilterTools {
  readonly authorizer: Authorizer;
  /** Whether answers carry warnings. */
  readonly warns: boolean;
  /** Whether every answer carries an id and says that it is nobody's to keep. */
  readonly marksAnswers: boolean;
  /** Whether a `timeout` that is no duration is refused. */
  readonly judgesTimeouts: boolean;
  /** Who connects to a pod by GET must be allowed to `create` the connection as well. */
  readonly connectsCreate: boolean;
  /** Absent where nobody is let be another for single verbs. */
  readonly impersonationModes: LastModes | undefined;
  readonly impersonationRules: ImpersonationRules;
  readonly authentication: Authentication;
  /** Is told of the use of a token of which there is something to say; absent where nobody follows it. */
  readonly tokenUsed: ((remarks: TokenRemarks) => void) | undefined;
  /** Absent where nothing is audited. */
  readonly auditor: Auditor | undefined;
  /** Absent where everybody comes in. */
  readonly limiter: RequestLimiter | undefined;
  /** Absent where nothing is counted. */
  readonly meter: RequestMeter | undefined;
  /** Of a request that brings none. */
  newId(): string;
  /** Origins whose pages may read answers. */
  readonly corsOrigins: readonly RegExp[];
  /** What browsers are told of TLS. */
  readonly hstsDirectives: readonly string[];
  /** By how much faults in force delay this request, in virtual time, and which. */
  delayOf(exchange: Exchange): { readonly delayMs: number; readonly causes: readonly Cause[] } | undefined;
  /** Why a fault in force fails this request. */
  faultOn(exchange: Exchange): StatusError | undefined;
  /** Says a failure in the form that the client accepts. */
  failure(error: StatusError, exchange: Exchange): HttpPlainResponse;
  /** A handler threw what is no Status: a defect. */
  onPanic(error: unknown, exchange: Exchange): void;
}

export interface Filter {
  readonly name: string;
  /** Asks who may come in; a replay makes only requests again that came in. */
  readonly isGuard?: boolean;
  handle(exchange: Exchange, next: Handler, tools: FilterTools): HttpResponse;
}

/** The first filter of the list is the outermost. */
export function chain(filters: readonly Filter[], tools: FilterTools, last: Handler): Handler {
  const times = tools.meter?.filters;
  return filters.reduceRight<Handler>((next, filter) => {
    if (times === undefined || !times.follows(filter.name)) return (exchange) => filter.handle(exchange, next, tools);
    return (exchange) => {
      const beganMs = times.nowMs();
      const timed: Handler = (passed) => {
        times.passed(filter.name, beganMs);
        return next(passed);
      };
      return filter.handle(exchange, timed, tools);
    };
  }, last);
}
