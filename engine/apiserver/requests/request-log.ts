/**
 * The newest requests of clients outside, and how many each client has made: in the wall time of this process, outside of history and not
 * saved. Bounded whatever clients send: texts that are long are cut, and said to be.
 */
import type { Status } from '../../apimachinery/status.ts';
import { ownText } from '../../base/text.ts';
import type { ApiRequest } from '../../contracts/request.ts';
import { headerOf, type HttpRequest, type HttpResponse } from '../http-types.ts';
import type { Answer } from '../../contracts/questions.ts';
import { Arrivals, Rate } from './arrivals.ts';
import { type AskedQuestion, describeQuestion, verdictOf } from './asked-question.ts';
import { ClientCounts } from './client-counts.ts';
import { LoggedRequest } from './logged-request.ts';

const requestsMax = 5_000;
const uriMax = 512;
const textMax = 256;

export interface RequestLogOptions {
  wallMs(): number;
  /** Virtual. */
  nowMs(): number;
  /** How many requests are kept. */
  readonly max?: number;
}

export class RequestLog {
  readonly clients: ClientCounts;
  /** How many came, over virtual time. */
  readonly arrivals = new Arrivals();
  readonly #options: RequestLogOptions;
  readonly #max: number;
  /** In a ring: the one of number n is at n % max. */
  readonly #ring: LoggedRequest[] = [];
  readonly #rate = new Rate();
  #count = 0;
  /** Rises with whatever changes here. */
  #version = 0;

  constructor(options: RequestLogOptions) {
    this.#options = options;
    this.#max = options.max ?? requestsMax;
    this.clients = new ClientCounts(options);
  }

  get version(): number {
    return this.#version;
  }

  wallMs(): number {
    return this.#options.wallMs();
  }

  /** Requests of the last full second of wall time. */
  get perSecond(): number {
    return this.#rate.perSecond(this.#options.wallMs());
  }

  /** The newest first. */
  *newest(): Generator<LoggedRequest> {
    for (let number = this.#count - 1; number >= Math.max(0, this.#count - this.#max); number--)
      yield this.#ring[number % this.#max] as LoggedRequest;
  }

  /** Undefined for one that was never there, or is no longer. */
  find(number: number): LoggedRequest | undefined {
    const kept = Number.isInteger(number) && number >= 0 ? this.#ring[number % this.#max] : undefined;
    return kept?.number === number ? kept : undefined;
  }

  /** A request came. */
  begin(request: HttpRequest): LoggedRequest {
    const [wallMs, nowMs] = [this.#options.wallMs(), this.#options.nowMs()];
    const { method, path, query } = request;
    const place = this.#count % this.#max;
    const before = this.#ring[place];
    // One that still goes on is somebody's.
    const logged = before?.isOver === true ? before : (this.#ring[place] = new LoggedRequest());
    logged.reset(this.#count++, nowMs, wallMs);
    logged.method = method;
    logged.uri = cut(query === '' ? path : path.length > uriMax ? path : `${path}?${query.slice(0, uriMax)}`, uriMax);
    logged.userAgent = cut(headerOf(request, 'user-agent'), textMax);
    logged.receivedBytes = request.body.length;
    this.#rate.count(wallMs);
    this.arrivals.count(nowMs);
    this.#version++;
    return logged;
  }

  /** It was answered; what goes on is over with `finish`. */
  answered(logged: LoggedRequest, response: HttpResponse): void {
    logged.code = 'upgrade' in response ? 101 : response.status;
    this.#version++;
    if ('body' in response) {
      if (typeof response.body === 'string' || response.body instanceof Uint8Array) logged.sentBytes = response.body.length;
      else if (logged.isMetered) return;
      this.finish(logged, logged.code);
    } else if (!logged.isMetered) this.finish(logged, logged.code);
  }

  failed(logged: LoggedRequest, { reason, message }: Status): void {
    logged.reason = cut(reason ?? '', textMax);
    logged.message = cut(message ?? '', textMax);
  }

  /** Once, however often it is called: the last of it was sent. */
  finish(logged: LoggedRequest, code: number, sentBytes?: number): void {
    logged.code = code;
    if (sentBytes !== undefined) logged.sentBytes = sentBytes;
    if (logged.isOver) return;
    logged.latencyMs = Math.max(0, this.#options.wallMs() - logged.begunMs);
    this.#version++;
    this.clients.outside(logged);
  }

  /** A component's request, inside the process: of each the last are kept. */
  inside(request: ApiRequest): LoggedRequest | undefined {
    this.#version++;
    return this.clients.inside(request);
  }

  /** It goes on for as long as the component does. */
  insideWatch(request: ApiRequest): void {
    this.insideAnswered(this.inside(request), 200, 1, 0);
  }

  insideAnswered(kept: LoggedRequest | undefined, code: number, firstRevision: number, lastRevision: number): void {
    if (kept === undefined) return;
    kept.code = code;
    if (lastRevision >= firstRevision) kept.changed(0, firstRevision, lastRevision);
  }

  insideFailed(kept: LoggedRequest | undefined, { userAgent }: ApiRequest, status: Status): void {
    this.clients.insideFailed(userAgent);
    if (kept === undefined) return;
    kept.code = status.code ?? 500;
    this.failed(kept, status);
  }

  /** A question to the outside, or to a simulated pod, a webhook's mostly, was answered or not. */
  asked(question: AskedQuestion, answer: Answer, latencyMs: number): void {
    this.#version++;
    const verdict = verdictOf(question, answer);
    const kept = this.clients.asked(cut(question.to, textMax), !verdict.isFailure, latencyMs);
    if (kept !== undefined) describeQuestion(kept, question, verdict);
  }
}

/** A text that is cut says so, and is none that keeps a longer one alive. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${ownText(text.slice(0, max - 1))}…`;
}
