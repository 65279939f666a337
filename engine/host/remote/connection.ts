/** Requests to one API server over TLS with connections that are kept open, and where their answers enter the task loop. */
import { type Agent as PlainAgent, type ClientRequest, type IncomingMessage, request as requestInTheOpen } from 'node:http';
import { type Agent, request } from 'node:https';
import { type Status, StatusError } from '../../apimachinery/status.ts';
import type { TaskLoop } from '../../base/task-loop.ts';
import type { Pacer } from '../pacing.ts';
import { agentFor } from './agent.ts';
import { authorizationOf, type Credentials } from './credentials.ts';
import type { RemoteServer } from './kubeconfig-reader.ts';
import type { Answered, Body } from './wire-forms.ts';

/** Lets what came over the network happen as a task of the loop, at the loop's present. */
export class Arrivals {
  readonly loop: TaskLoop;
  readonly #pacer: Pick<Pacer, 'catchUp' | 'wake'>;

  constructor(loop: TaskLoop, pacer: Pick<Pacer, 'catchUp' | 'wake'>) {
    this.loop = loop;
    this.#pacer = pacer;
  }

  /** The same for what somebody waits for: whoever goes on because of it has gone on before the loop looks for what is next. */
  answer(component: string, call: () => void): void {
    this.#pacer.catchUp();
    this.loop.soon(0, component, async () => call());
    this.#pacer.wake();
  }

  deliver(component: string, call: () => void): void {
    this.#pacer.catchUp();
    this.loop.soon(0, component, call);
    this.#pacer.wake();
  }
}

/** How long nothing may arrive before a server counts as gone. Upstream's clients ping instead, and give up after 45 s. */
export interface SilenceLimits {
  readonly callMs: number;
  /** Longer than the minute between two bookmarks. */
  readonly watchMs: number;
}

const defaultSilence: SilenceLimits = { callMs: 60_000, watchMs: 120_000 };

const json = 'application/json';

export class Connection {
  readonly #server: RemoteServer;
  #agent: Agent | PlainAgent;
  /** The pair that the agent's connections show. */
  #shown: Credentials;
  readonly #userAgent: string;
  readonly #silence: SilenceLimits;
  readonly #isPlain: boolean;
  #token: string | undefined;
  /** How many answers came, by method and code: as many keys as there are pairs of the two. */
  readonly answered = new Map<string, number>();

  constructor(server: RemoteServer, userAgent: string, silence = defaultSilence) {
    this.#shown = server;
    this.#token = server.token;
    this.#isPlain = server.server.startsWith('http://');
    this.#server = server;
    this.#silence = silence;
    this.#userAgent = userAgent;
    this.#agent = agentFor(server, server);
  }

  /** Asks for what is good now. Connections that show an old certificate end, as upstream's do. Throws a StatusError when there is none. */
  #renew(): void {
    const source = this.#server.credentials;
    if (source === undefined) return;
    try {
      const now = source.current();
      this.#token = now.token;
      if (now.cert === this.#shown.cert && now.key === this.#shown.key) return;
      this.#shown = now;
      this.#agent.destroy();
      this.#agent = agentFor(this.#server, now);
    } catch (error) {
      throw failure(401, 'Unauthorized', `getting credentials: ${(error as Error).message}`);
    }
  }

  /** From here on requests carry this token. */
  setToken(token: string): void {
    this.#token = token;
  }

  /** A stream that goes on until one side ends it. */
  watch(path: string, accept = json): ClientRequest {
    return this.#open('GET', path, this.#silence.watchMs, accept);
  }

  #open(method: string, path: string, silenceMs: number, accept: string, body?: Body): ClientRequest {
    this.#renew();
    const { server } = this.#server;
    const { basic } = this.#shown;
    const token = this.#token;
    const headers = {
      accept,
      'user-agent': this.#userAgent,
      ...authorizationOf({ ...(token === undefined ? {} : { token }), ...(basic === undefined ? {} : { basic }) }),
      ...(body === undefined ? {} : { 'content-type': body.contentType, 'content-length': Buffer.byteLength(body.bytes) }),
    };
    const call = (this.#isPlain ? requestInTheOpen : request)(new URL(server.replace(/\/$/, '') + path), { method, agent: this.#agent, headers });
    call.on('response', ({ statusCode = 0 }) => {
      const key = `${method} ${statusCode}`;
      this.answered.set(key, (this.answered.get(key) ?? 0) + 1);
      if (statusCode === 401) this.#server.credentials?.refused();
    });
    call.setTimeout(silenceMs, () => call.destroy(new Error(`nothing arrived for ${silenceMs} ms`)));
    call.end(body?.bytes);
    return call;
  }

  /** The answer's JSON; a StatusError for what the server refuses, and for a server that cannot be reached. */
  async call<R>(method: string, path: string, body?: unknown, accept?: string): Promise<R> {
    const sent = body === undefined ? undefined : { contentType: json, bytes: JSON.stringify(body) };
    const { code, bytes } = await this.exchange(method, path, accept ?? json, sent);
    const text = bytes.toString('utf8');
    if (code >= 400) throw refusal(code, text);
    return parseAnswer<R>(text);
  }

  /** Whatever was answered, as it came. Rejects with a StatusError when nobody can be reached. */
  exchange(method: string, path: string, accept: string, body?: Body): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const call = this.#open(method, path, this.#silence.callMs, accept, body);
      call.on('error', (error) => reject(unreachable(error)));
      call.on('response', (response) => {
        readBytes(response).then(
          (bytes) => resolve(answeredBy(response, bytes)),
          (error: unknown) => reject(unreachable(error as Error)),
        );
      });
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function answeredBy({ statusCode = 500, headers }: IncomingMessage, bytes: Buffer): Answered {
  const seconds = Number(headers['retry-after']);
  return { code: statusCode, contentType: headers['content-type'] ?? '', bytes, ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}) };
}

function parseAnswer<R>(text: string): R {
  try {
    return JSON.parse(text) as R;
  } catch (error) {
    throw unreachable(error as Error);
  }
}

/** A `Status` answer as it is; any other text as the message of one. */
function refusal(code: number, text: string): StatusError {
  try {
    const value = JSON.parse(text) as Partial<Status> | null;
    if (value?.kind === 'Status') return new StatusError({ ...(value as Status), code: value.code ?? code });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return failure(code, code === 410 ? 'Expired' : 'InternalError', text || `the server answered ${code}`);
}

function unreachable(error: Error): StatusError {
  return failure(503, 'ServiceUnavailable', `the API server cannot be reached: ${(error as NodeJS.ErrnoException).code ?? error.message}`);
}

function failure(code: number, reason: string, message: string): StatusError {
  return new StatusError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
}
