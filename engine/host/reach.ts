/**
 * Whom a cluster's questions reach: webhooks (`reach-webhook.ts`), extenders of the scheduler, over HTTP or HTTPS, as upstream's
 * scheduler reaches them (pkg/scheduler/extender.go), and the health of the control plane's parts that run outside. What goes wrong on the
 * way is said in Go's words.
 */
import { readBytesInGo } from './go-files.ts';
import { Agent as PlainAgent, request as requestInTheOpen } from 'node:http';
import { Agent, request } from 'node:https';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { WebhookCall } from '../apiserver/admission/webhooks/calls.ts';
import type { AggregatedCall } from '../apiserver/aggregation/backend.ts';
import type { Reach } from './asking.ts';
import type { AggregatedReach } from './reach-aggregated.ts';
import { createWebhookReach } from './reach-webhook.ts';
import { readText } from './answer-text.ts';
import { trusting } from './trust.ts';

/** What an extender is asked; see scheduler/extenders/extender.ts. */
interface ExtenderQuestion {
  readonly url: string;
  readonly text: string;
  readonly https: boolean;
  readonly tls: JsonObject | null;
}

/** A longer answer is none. */
const answerBytesMax = 256_000_000;

/** `aggregated`: reaches servers of other APIs; nobody does without it. */
export function createReach(aggregated?: Pick<AggregatedReach, 'call'>): Reach {
  const agents = new Map<string, Agent | PlainAgent>();
  const callWebhook = createWebhookReach();
  // Parts of the control plane are asked whoever they say they are.
  const unverified = new Agent({ rejectUnauthorized: false });
  const plain = new PlainAgent();
  return async ({ to, body }, signal) => {
    if (aggregated !== undefined && to.startsWith('aggregated/')) return aggregated.call(body as unknown as AggregatedCall, signal);
    if (to.startsWith('webhook/')) return callWebhook(body as unknown as WebhookCall, signal);
    if (to.startsWith('health/')) {
      const url = new URL(to.slice('health/'.length));
      return send(url, { agent: url.protocol === 'https:' ? unverified : plain, method: 'GET', signal });
    }
    if (!to.startsWith('extender/')) throw new Error(`nobody knows how to reach ${to}`);
    const question = body as unknown as ExtenderQuestion;
    const url = new URL(question.url);
    const key = url.protocol === 'https:' ? JSON.stringify([question.https, question.tls]) : '';
    let agent = agents.get(key);
    if (agent === undefined) agents.set(key, (agent = key === '' ? new PlainAgent({ keepAlive: true }) : secureAgent(question)));
    return send(url, { agent, method: 'POST', text: question.text, signal });
  };
}

/** Without an authority, and where the configuration says that it is HTTPS, the extender's certificate is not looked at, as upstream. */
function secureAgent({ https, tls }: ExtenderQuestion): Agent {
  const said = (name: string): string | undefined => {
    const value = tls?.[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const material = (name: string): Buffer | undefined => {
    const [data, file] = [said(`${name}Data`), said(`${name}File`)];
    return data === undefined ? (file && readBytesInGo(file)) || undefined : Buffer.from(data, 'base64');
  };
  const [ca, cert, key, serverName] = [material('ca'), material('cert'), material('key'), said('serverName')];
  const isTrusted = tls?.['insecure'] === true || (https && ca === undefined);
  return new Agent({
    keepAlive: true,
    ...(isTrusted ? { rejectUnauthorized: false } : {}),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...trusting(ca),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
}

interface Sent {
  readonly agent: Agent | PlainAgent;
  readonly method: string;
  readonly text?: string;
  readonly signal: AbortSignal;
}

function send(url: URL, { agent, method, text, signal }: Sent): Promise<JsonValue> {
  return new Promise((resolve, reject) => {
    const call = url.protocol === 'https:' ? request : requestInTheOpen;
    const body = text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const sent = call(url, { method, agent, headers: { ...body, 'user-agent': 'Go-http-client/1.1' }, signal });
    sent.on('error', (error) => reject(new Error(inGo(error, url))));
    sent.on('response', (response) => {
      readText(response, answerBytesMax).then(
        (answer) => resolve({ code: response.statusCode ?? 0, text: answer }),
        (error: unknown) => reject(new Error(inGo(error as Error, url))),
      );
    });
    sent.end(text);
  });
}

function inGo(error: Error, { hostname, port, protocol }: URL): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  const at = `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`;
  if (code === 'ECONNREFUSED') return `dial tcp ${at}: connect: connection refused`;
  if (code === 'EHOSTUNREACH') return `dial tcp ${at}: connect: no route to host`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`;
  return code === 'ECONNRESET' ? 'EOF' : error.message;
}
