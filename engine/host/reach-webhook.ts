/**
 * Webhooks over real HTTPS, as client-go calls them: HTTP/1.1 (so that several backends have their share), through the environment's proxy, the certificate held to the bundle of its configuration and to the name
 * of the Service, redirects followed. What goes wrong is said in Go's words.
 */
import type { IncomingMessage } from 'node:http';
import { type Agent, request } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import type { WebhookCall } from '../apiserver/admission/webhooks/calls.ts';
import type { JsonValue } from '../base/json.ts';
import { readText } from './answer-text.ts';
import { nameFault } from '../serving/x509/server-name.ts';
import { inGo, NameError } from './go-errors.ts';
import { secureAgent } from './remote/agent.ts';
import { authorizationOf, type Credentials } from './remote/credentials.ts';
import { readCredentialsFor } from './remote/kubeconfig-reader.ts';
import { proxyFromEnvironment } from './remote/proxies.ts';
import { trusting } from './trust.ts';

/** A longer answer is none. */
const answerBytesMax = 100_000_000;
const redirectsMax = 10;
const agentsMax = 200;

type CallWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<JsonValue>;

/** Rejects with an Error that says it as Go does: `Post "URL": EOF`. */
export function createWebhookReach(): CallWebhook {
  const agents = new Map<string, Agent>();
  const agentFor = ({ caBundle, serverName, host, port, url }: WebhookCall, { cert, key: privateKey }: Credentials): Agent => {
    // A Service is no name that a proxy outside could know.
    const proxy = host === '' ? proxyFromEnvironment(new URL(url), process.env) : undefined;
    const key = JSON.stringify([caBundle, serverName, host, port, cert, privateKey, proxy]);
    const known = agents.get(key);
    if (known !== undefined) return known;
    if (agents.size >= agentsMax) agents.clear();
    const options = {
      keepAlive: true,
      ALPNProtocols: ['http/1.1'],
      ...trusting(Buffer.from(caBundle, 'base64')),
      ...(serverName === '' ? {} : { servername: serverName }),
      ...(cert === undefined ? {} : { cert }),
      ...(privateKey === undefined ? {} : { key: privateKey }),
      checkServerIdentity: (name: string, certificate: PeerCertificate) => checkName(serverName === '' ? name : serverName, certificate),
    };
    const agent = secureAgent(options, proxy);
    agents.set(key, agent);
    return agent;
  };
  return async (call, signal) => {
    const began = performance.now();
    const shown = shownTo(call);
    const agent = agentFor(call, shown);
    let sent: Sent = { method: 'POST', url: new URL(call.url), body: call.text, headers: authorizationOf(shown) };
    for (let redirects = 0; ; redirects++) {
      const response = await send(sent, call, agent, signal);
      const next = redirected(response, sent);
      if (next === undefined) return { ...(await replyOf(response)), tookMs: Math.round(performance.now() - began) };
      response.resume();
      if (redirects >= redirectsMax - 1) throw failed(next.method, response.headers.location ?? '', `stopped after ${redirectsMax} redirects`);
      sent = next;
    }
  };
}

/** As Go's client words it. */
function failed(method: Sent['method'], url: string, why: string): Error {
  return new Error(`${method === 'POST' ? 'Post' : 'Get'} ${JSON.stringify(url)}: ${why}`);
}

interface Sent {
  readonly method: 'POST' | 'GET';
  readonly url: URL;
  readonly body: string;
  /** Who is calling, where somebody says so. */
  readonly headers: { readonly [name: string]: string };
}

/** Read for each call, so that what somebody renews counts. */
function shownTo({ kubeconfig, url, host, serverName }: WebhookCall): Credentials {
  if (kubeconfig === undefined) return {};
  const { hostname, port } = new URL(url);
  const target = `${host === '' ? hostname : serverName}:${port === '' ? '443' : port}`;
  const { credentials, ...fixed } = readCredentialsFor(kubeconfig, target);
  return credentials?.current() ?? fixed;
}

function send({ method, url, body, headers: shown }: Sent, { host, port }: WebhookCall, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const place =
      host === '' ? { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port) } : { hostname: host, port };
    const headers = {
      host: url.host,
      accept: 'application/json, */*',
      'user-agent': 'kube-apiserver-admission',
      ...shown,
      ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    };
    const sent = request({ ...place, method, path: `${url.pathname}${url.search}`, agent, headers, signal });
    sent.on('error', (error) => reject(failed(method, url.href, inGo(error, place.hostname, place.port))));
    sent.on('response', resolve);
    sent.end(method === 'POST' ? body : undefined);
  });
}

/** As Go's client follows: 307 and 308 send the body again, the others ask anew without it. */
function redirected({ statusCode = 0, headers: { location } }: IncomingMessage, { url, body, headers }: Sent): Sent | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
  const target = new URL(location, url);
  // What is for one host is not for another.
  const kept = target.host === url.host ? headers : {};
  return statusCode >= 307 ? { method: 'POST', url: target, body, headers: kept } : { method: 'GET', url: target, body: '', headers: kept };
}

async function replyOf(response: IncomingMessage): Promise<{ readonly [name: string]: JsonValue }> {
  const { statusCode = 0, headers } = response;
  const text = await readText(response, answerBytesMax);
  return { code: statusCode, text, contentType: headers['content-type'] ?? '', retryAfter: headers['retry-after'] ?? '' };
}

/** As Node.js asks for it. */
export function checkName(name: string, certificate: PeerCertificate): Error | undefined {
  const fault = nameFault(name, certificate);
  return fault === undefined ? undefined : new NameError(fault);
}
