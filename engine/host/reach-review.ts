/**
 * Webhooks that a kubeconfig leads to: who knows tokens, who decides, who looks at images. A try that came to nothing in passing is made
 * again, five in all, with more and more time between them. Mirrors apiserver pkg/util/webhook and what client-go does for it.
 */
import { type Agent as PlainAgent, type IncomingMessage, request as requestInTheOpen } from 'node:http';
import { type Agent, request } from 'node:https';
import { type ReviewCall, type ReviewReply, reviewPrefix } from '../apiserver/auth/review-webhook.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatDuration } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import type { Question } from '../contracts/questions.ts';
import { readText } from './answer-text.ts';
import type { Reach } from './asking.ts';
import { inGo } from './go-errors.ts';
import { type WallClock, wallClock } from './pacing.ts';
import { agentFor } from './remote/agent.ts';
import { authorizationOf, type Credentials } from './remote/credentials.ts';
import { readKubeconfig, type RemoteServer } from './remote/kubeconfig-reader.ts';

/** A longer answer is none. */
const answerBytesMax = 10_000_000;
/** Strangers make questions: a webhook that is silent takes no more of this machine than this. */
const socketsMax = 256;
const triesMax = 5;
const factor = 1.5;
/** Who asks to be asked later is not waited for longer. */
const retryAfterMaxMs = 30_000;

/** What a file leads to, and the connections there. */
interface Place {
  readonly remote: RemoteServer;
  readonly url: URL;
  agent: Agent | PlainAgent;
  shown: Credentials;
}

export class ReviewReach {
  readonly #wall: Pick<WallClock, 'after'>;
  readonly #places = new Map<string, Place>();

  constructor(wall: Pick<WallClock, 'after'> = wallClock) {
    this.#wall = wall;
  }

  /** Hands on what is not for these webhooks. */
  before(others: Reach): Reach {
    return (question, signal) => (question.to.startsWith(reviewPrefix) ? this.#ask(question, signal) : others(question, signal));
  }

  /** Kubeconfigs are read anew; what is on its way comes to its end. */
  renew(): void {
    this.#places.clear();
  }

  async #ask({ body }: Question, signal: AbortSignal): Promise<JsonValue> {
    const call = body as unknown as ReviewCall;
    const place = this.#placeOf(call.kubeconfig);
    for (let tries = 1, waitMs = call.backoffMs; ; tries++, waitMs *= factor) {
      const isLast = tries >= triesMax || signal.aborted;
      const outcome = await this.#try(place, call, signal);
      if (outcome instanceof Error) {
        if (isLast || !isPassing(outcome)) throw outcome;
        await this.#wait(waitMs, signal);
        continue;
      }
      if (isLast || !asksForMore(outcome)) return outcome as unknown as JsonValue;
      const seconds = /^\d+$/.test(outcome.retryAfter) ? Number(outcome.retryAfter) : 0;
      await this.#wait(Math.max(waitMs, Math.min(seconds * 1000, retryAfterMaxMs)), signal);
    }
  }

  /** Read once until `renew`, as upstream does; files that it names may be renewed. Throws an Error that says what is wrong with it. */
  #placeOf(kubeconfig: string): Place {
    const known = this.#places.get(kubeconfig);
    if (known !== undefined) return known;
    const remote = readKubeconfig(kubeconfig);
    const place: Place = { remote, url: addressOf(remote.server), agent: agentFor(remote, remote, socketsMax), shown: remote };
    this.#places.set(kubeconfig, place);
    return place;
  }

  async #try(place: Place, { text, timeoutMs }: ReviewCall, outer: AbortSignal): Promise<ReviewReply | Error> {
    const { href: url } = timed(place.url, timeoutMs);
    const inTime = new AbortController();
    let isLate = false;
    const end = (): void => inTime.abort();
    const cancel = this.#wall.after(timeoutMs, () => {
      isLate = true;
      end();
    });
    outer.addEventListener('abort', end);
    const failed = (why: string, code?: string): Error => Object.assign(new Error(`Post ${goQuote(url)}: ${why}`), { code });
    let isAnswered = false;
    try {
      const response = await post(place, new URL(url), text, inTime.signal);
      isAnswered = true;
      const { statusCode = 0, headers } = response;
      const body = await readText(response, answerBytesMax);
      return { url, code: statusCode, text: body, contentType: headers['content-type'] ?? '', retryAfter: headers['retry-after'] ?? '' };
    } catch (error) {
      const late = isAnswered
        ? 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded (Client.Timeout or context cancellation while reading body)'
        : 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
      if (isLate) return isAnswered ? new Error(late) : failed(late);
      const port = Number(place.url.port === '' ? (place.url.protocol === 'https:' ? 443 : 80) : place.url.port);
      return failed(inGo(error as Error, place.url.hostname, port), (error as NodeJS.ErrnoException).code);
    } finally {
      cancel();
      outer.removeEventListener('abort', end);
    }
  }

  #wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#wall.after(delayMs, done);
      const wall = signal;
      function done(): void {
        cancel();
        wall.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }
}

/** What stands behind a path is not sent. */
function addressOf(server: string): URL {
  const url = new URL(server);
  url.search = '';
  url.hash = '';
  return url;
}

/** As client-go says how long it waits. */
function timed(address: URL, timeoutMs: number): URL {
  const url = new URL(address);
  url.search = `?timeout=${formatDuration(timeoutMs)}`;
  return url;
}

function post(place: Place, url: URL, text: string, signal: AbortSignal): Promise<IncomingMessage> {
  const now = place.remote.credentials?.current() ?? place.remote;
  if (now.cert !== place.shown.cert || now.key !== place.shown.key) {
    place.agent.destroy();
    place.agent = agentFor(place.remote, now, socketsMax);
    place.shown = now;
  }
  return new Promise((resolve, reject) => {
    const send = place.url.protocol === 'https:' ? request : requestInTheOpen;
    const headers = {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'user-agent': 'Go-http-client/1.1',
      ...authorizationOf(now),
    };
    const sent = send(url, { method: 'POST', agent: place.agent, headers, signal });
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.end(text);
  });
}

/** What may go better at once: the network, not a name or a certificate. */
function isPassing(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** A server that failed, had no time or is asked too much; or that says when to come again. */
function asksForMore({ code, retryAfter }: ReviewReply): boolean {
  return code === 500 || code === 504 || code === 429 || (code > 500 && retryAfter !== '');
}
