/**
 * Webhooks that a kubeconfig leads to: who knows tokens, who decides, who looks at images. A try that came to nothing in passing is made
 * again, five in all, with more and more time between them. Mirrors apiserver pkg/util/webhook and what client-go does for it.
 */
import { type Agent as PlainAgent, type IncomingMessage, request as requestInTheOpen } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ReviewCall, type ReviewReply, reviewPrefix } from '../apiserver/auth/review-webhook.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { formatDuration } from '../apimachinery/time.ts';
import type { JsonValue } from '../base/json.ts';
import type { Question } from '../contracts/questions.ts';
import { readText } from './answer-text.ts';
import type { Reach } from './asking.ts';
import { inGo } from './go-errors.ts';
import { type WallClock, wallClock } from './pacing.ts';
import { LostError, Multiplexed, type Post, type Posted } from './multiplexed.ts';
import { agentFor, proxyOf, tlsOptions } from './remote/agent.ts';
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
  /** Undefined where it is reached in the open. */
  multiplexed: Multiplexed | undefined;
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
    for (const { multiplexed } of this.#places.values()) multiplexed?.retire();
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
    const place: Place = { remote, url: addressOf(remote.server), ...this.#linesTo(remote, remote), shown: remote };
    this.#places.set(kubeconfig, place);
    return place;
  }

  #linesTo(remote: RemoteServer, credentials: Credentials): Pick<Place, 'agent' | 'multiplexed'> {
    const url = addressOf(remote.server);
    const multiplexed =
      url.protocol === 'https:'
        ? new Multiplexed({ url, tls: tlsOptions(remote, credentials), proxy: proxyOf(remote), wall: this.#wall })
        : undefined;
    const agent = agentFor(remote, credentials, socketsMax);
    return { agent: multiplexed === undefined ? agent : withSpare(agent, () => multiplexed.takeSpare()), multiplexed };
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
    const failed = (why: string, cause?: Error): Error =>
      Object.assign(new Error(`Post ${goQuote(url)}: ${why}`, { cause }), { code: (cause as NodeJS.ErrnoException | undefined)?.code });
    let isAnswered = false;
    try {
      const posted = await this.#post(place, new URL(url), text, inTime.signal, () => {
        isAnswered = true;
      });
      return { url, ...posted };
    } catch (error) {
      const late = isAnswered
        ? 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded (Client.Timeout or context cancellation while reading body)'
        : 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
      if (isLate) return isAnswered ? new Error(late) : failed(late);
      const port = Number(place.url.port === '' ? (place.url.protocol === 'https:' ? 443 : 80) : place.url.port);
      return failed(inGo(error as Error, place.url.hostname, port), error as Error);
    } finally {
      cancel();
      outer.removeEventListener('abort', end);
    }
  }

  /** Over one connection where the server offers HTTP/2. */
  async #post(place: Place, url: URL, text: string, signal: AbortSignal, onAnswer: () => void): Promise<Posted> {
    const now = place.remote.credentials?.current() ?? place.remote;
    if (now.cert !== place.shown.cert || now.key !== place.shown.key) {
      place.agent.destroy();
      place.multiplexed?.retire();
      Object.assign(place, this.#linesTo(place.remote, now), { shown: now });
    }
    const headers = {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      ...authorizationOf(now),
    };
    const call = (userAgent: string): Post => ({
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, 'user-agent': userAgent },
      text,
      signal,
      bytesMax: answerBytesMax,
    });
    const posted = await place.multiplexed?.post(call('Go-http-client/2.0'), onAnswer);
    if (posted !== undefined) return posted;
    try {
      return await postApart(place, url, call('Go-http-client/1.1'), onAnswer);
    } catch (error) {
      // It may speak otherwise when it is back.
      place.multiplexed?.retire();
      throw error;
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

/** An agent that begins with a connection that is there already. */
function withSpare(agent: Agent | PlainAgent, take: () => Duplex | undefined): Agent | PlainAgent {
  type Create = (...place: readonly unknown[]) => Duplex | undefined;
  const own = agent as unknown as { createConnection: Create };
  const create = own.createConnection.bind(agent);
  own.createConnection = (...place) => take() ?? create(...place);
  return agent;
}

/** Over HTTP/1.1: many connections. */
async function postApart(place: Place, url: URL, { headers, text, signal, bytesMax }: Post, onAnswer: () => void): Promise<Posted> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? request : requestInTheOpen;
    const sent = send(url, { method: 'POST', agent: place.agent, headers, signal });
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.end(text);
  });
  onAnswer();
  const { statusCode = 0, headers: answered } = response;
  const body = await readText(response, bytesMax);
  return { code: statusCode, text: body, contentType: answered['content-type'] ?? '', retryAfter: answered['retry-after'] ?? '' };
}

/** What may go better at once: the network, not a name or a certificate. */
function isPassing(error: Error): boolean {
  return error.cause instanceof LostError || (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** A server that failed, had no time or is asked too much; or that says when to come again. */
function asksForMore({ code, retryAfter }: ReviewReply): boolean {
  return code === 500 || code === 504 || code === 429 || (code > 500 && retryAfter !== '');
}
