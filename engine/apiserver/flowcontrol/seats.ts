/** What requests hold while they are served, and what they meet when there is none to be had. */
import type { Identity } from '../../contracts/request.ts';
import type { Exchange } from '../filters/filter.ts';

/** Room for one request, wider for those that are much work. */
export interface Seat {
  /** The request goes on beyond this turn of the event loop: from now on the time that it takes counts. `isSending`: its answer is on its way. */
  keep(isSending?: boolean): void;
  /** Why it is none: its request has waited in vain. */
  readonly refusal?: TooManyRequests | undefined;
  /** Once; a second call does nothing. */
  release(): void;
}

/** Decides who may come in now, who waits, and who is sent away. */
export interface RequestLimiter {
  /** Undefined for what takes no seat. Throws Queued or TooManyRequests. */
  admit(exchange: Exchange): Seat | undefined;
  /** A watch begins; what is returned says that it is over. */
  watched(exchange: Exchange): () => void;
  metrics(): string;
  /** What `/debug/api_priority_and_fairness/…` shows; undefined for other paths. */
  dump(path: string, withDetails: boolean): string | undefined;
  /** Nobody waits any more. */
  close(): void;
}

/** Ends a request that has to wait for its seat; it begins again from the start when it has one, or when it is sent away. */
export class Queued extends Error {
  readonly ready: Promise<void>;
  /** Its client has gone: it is taken out of the queue, and `ready` resolves. Does nothing when it waits no more. */
  readonly leave: () => void;

  constructor(ready: Promise<void>, leave: () => void) {
    super('waits for a seat');
    this.name = 'Queued';
    this.ready = ready;
    this.leave = leave;
  }
}

/** The request is sent away: 429. */
export class TooManyRequests extends Error {
  /** When it may come again. */
  readonly retryAfterSeconds: number;

  constructor(why: string, retryAfterSeconds = 1) {
    super(why);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Of a request, what a person looks for in a dump. */
export interface RequestDetails {
  readonly identity: Identity;
  readonly exchange: Pick<Exchange, 'info' | 'request'>;
}
