/**
 * POSTs to what a kubeconfig leads to: over one connection where the server offers HTTP/2, over many of HTTP/1.1 where it does not. What goes
 * wrong is said in Go's words. Mirrors the REST client of apiserver pkg/util/webhook.
 */
import { type Agent as PlainAgent, type IncomingMessage, request as requestInTheOpen } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Duplex } from 'node:stream';
import { goQuote } from '../apimachinery/quote.ts';
import { formatDuration } from '../apimachinery/time.ts';
import { readText } from './answer-text.ts';
import { inGo } from './go-errors.ts';
import { Multiplexed, type Post, type Posted } from './multiplexed.ts';
import type { WallClock } from './pacing.ts';
import { agentFor, proxyOf, tlsOptions } from './remote/agent.ts';
import { authorizationOf, type Credentials } from './remote/credentials.ts';
import type { RemoteServer } from './remote/kubeconfig-reader.ts';

/** A longer answer is none. */
const answerBytesMax = 10_000_000;
/** Strangers make questions: a webhook that is silent takes no more of this machine than this. */
const socketsMax = 256;

export interface PostedTo extends Posted {
  /** As messages name it. */
  readonly url: string;
}

export class KubeconfigPost {
  readonly #remote: RemoteServer;
  readonly #wall: Pick<WallClock, 'after'>;
  readonly #url: URL;
  #agent: Agent | PlainAgent;
  /** Undefined where it is reached in the open. */
  #multiplexed: Multiplexed | undefined;
  #shown: Credentials;

  constructor(remote: RemoteServer, wall: Pick<WallClock, 'after'>) {
    this.#remote = remote;
    this.#wall = wall;
    this.#url = addressOf(remote.server);
    [this.#agent, this.#multiplexed] = this.#linesTo(remote);
    this.#shown = remote;
  }

  /** What is on its way comes to its end. */
  retire(): void {
    this.#multiplexed?.retire();
  }

  /** Whatever is answered within so much wall time. Rejects where nothing is; the error has the code and the cause of what went wrong. */
  async post(text: string, timeoutMs: number, outer?: AbortSignal): Promise<PostedTo> {
    const { href: url } = timed(this.#url, timeoutMs);
    const inTime = new AbortController();
    let isLate = false;
    const end = (): void => inTime.abort();
    const cancel = this.#wall.after(timeoutMs, () => {
      isLate = true;
      end();
    });
    outer?.addEventListener('abort', end);
    let isAnswered = false;
    try {
      const posted = await this.#send(new URL(url), text, inTime.signal, () => {
        isAnswered = true;
      });
      return { url, ...posted };
    } catch (error) {
      throw isLate ? lateError(url, isAnswered) : this.#failed(url, error as Error);
    } finally {
      cancel();
      outer?.removeEventListener('abort', end);
    }
  }

  #failed(url: string, cause: Error): Error {
    const { port, protocol, hostname } = this.#url;
    const why = inGo(cause, hostname, Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port));
    return Object.assign(new Error(`Post ${goQuote(url)}: ${why}`, { cause }), { code: (cause as NodeJS.ErrnoException).code });
  }

  #linesTo(credentials: Credentials): readonly [Agent | PlainAgent, Multiplexed | undefined] {
    const [url, remote] = [this.#url, this.#remote];
    const agent = agentFor(remote, credentials, socketsMax);
    if (url.protocol !== 'https:') return [agent, undefined];
    const multiplexed = new Multiplexed({ url, tls: tlsOptions(remote, credentials), proxy: proxyOf(remote), wall: this.#wall });
    return [withSpare(agent, () => multiplexed.takeSpare()), multiplexed];
  }

  async #send(url: URL, text: string, signal: AbortSignal, onAnswer: () => void): Promise<Posted> {
    const now = this.#remote.credentials?.current() ?? this.#remote;
    if (now.cert !== this.#shown.cert || now.key !== this.#shown.key) {
      this.#agent.destroy();
      this.#multiplexed?.retire();
      [this.#agent, this.#multiplexed] = this.#linesTo(now);
      this.#shown = now;
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
    const posted = await this.#multiplexed?.post(call('Go-http-client/2.0'), onAnswer);
    if (posted !== undefined) return posted;
    try {
      return await postApart(this.#agent, url, call('Go-http-client/1.1'), onAnswer);
    } catch (error) {
      // It may speak otherwise when it is back.
      this.#multiplexed?.retire();
      throw error;
    }
  }
}

function lateError(url: string, isAnswered: boolean): Error {
  return new Error(
    isAnswered
      ? 'unexpected error when reading response body. Please retry. Original error: context deadline exceeded'
      : `Post ${goQuote(url)}: context deadline exceeded`,
  );
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
async function postApart(agent: Agent | PlainAgent, url: URL, { headers, text, signal, bytesMax }: Post, onAnswer: () => void): Promise<Posted> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? request : requestInTheOpen;
    const sent = send(url, { method: 'POST', agent, headers, signal });
    sent.on('error', reject);
    sent.on('response', resolve);
    sent.end(text);
  });
  onAnswer();
  const { statusCode = 0, headers: answered } = response;
  const body = await readText(response, bytesMax);
  return { code: statusCode, text: body, contentType: answered['content-type'] ?? '', retryAfter: answered['retry-after'] ?? '' };
}
