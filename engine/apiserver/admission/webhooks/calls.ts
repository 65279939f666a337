/**
 * One call of a webhook: the question that is put to the outside, or the answer of a simulated pod, and what becomes of it. Mirrors
 * apiserver pkg/util/webhook/client.go and what client-go makes of a response.
 */
import type { WebhookClientConfig } from '../../../api/admissionregistration/v1/types.gen.ts';
import { newGenericServerResponse, newServiceUnavailable } from '../../../apimachinery/errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { encodeJson } from '../../../apimachinery/serializer/json.ts';
import { type Status, StatusError } from '../../../apimachinery/status.ts';
import { assert } from '../../../base/assert.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { PodServer } from '../../../contracts/connect.ts';
import type { Answer, Question, QuestionSubject, Verdict } from '../../../contracts/questions.ts';
import type { RequestTime } from '../../../contracts/request-time.ts';
import { valueIn } from './replies.ts';
import { type FindPodServer, type Route, type RouteReader, routeTo } from './routes.ts';

const timeoutSecondsDefault = 10;

/** How the host reaches a webhook. */
export interface WebhookCall {
  readonly url: string;
  readonly text: string;
  /** PEM as base64; the system's authorities where it is empty. */
  readonly caBundle: string;
  /** Whose name the certificate must have, and where the connection goes; those of the URL where they are empty. */
  readonly serverName: string;
  readonly host: string;
  readonly port: number;
  /** Path on the host of the kubeconfig whose users say who is calling, by `host:port`; absent: nobody in particular. */
  readonly kubeconfig?: string;
}

/** What came back of a call. */
export interface WebhookReply {
  readonly code: number;
  readonly text: string;
  readonly contentType: string;
  readonly retryAfter: string;
  /** How long the caller waited, in wall time. */
  readonly tookMs?: number;
}

/** A call that failed, with the status that metrics tell of it. */
export class CallFailure extends Error {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message);
    this.name = 'CallFailure';
    this.code = code;
  }
}

/** A call on its way. */
export interface PreparedCall {
  readonly url: string;
  readonly question: Question;
  /** What is known already: nobody outside is asked. */
  readonly answer: Answer | undefined;
}

export interface Caller {
  readonly podServer: FindPodServer;
  /** See WebhookCall; empty for none. */
  readonly kubeconfig?: string;
  /** Why nobody believes a server in a pod; without it everybody does. */
  readonly serverFault?: ServerJudge | undefined;
}

/** `chain` and `authorities` are PEM. */
export type ServerJudge = (chain: string, name: string, authorities: string) => string | undefined;

export interface Called {
  readonly hook: string;
  readonly client: Pick<WebhookClientConfig, 'url' | 'caBundle' | 'service'>;
  readonly timeoutSeconds: number | null | undefined;
  readonly review: JsonObject;
  readonly about?: QuestionSubject;
  verdict?(answer: Answer, url: string): Verdict;
  /** What the request has left, where that counts. */
  readonly leftMs?: number;
}

export function prepareCall(
  { hook, client, timeoutSeconds, review, about, verdict, leftMs = Number.POSITIVE_INFINITY }: Called,
  reader: RouteReader,
  { podServer, kubeconfig = '', serverFault }: Caller,
): PreparedCall {
  const timeoutMs = Math.min((timeoutSeconds ?? timeoutSecondsDefault) * 1000, leftMs);
  const seconds = Math.ceil(timeoutMs / 1000);
  const { service, url: given, caBundle } = client;
  const text = encodeJson(review);
  const common = { text, caBundle: caBundle ?? '', ...(kubeconfig === '' ? {} : { kubeconfig }) };
  const prepared = (call: WebhookCall, answer?: Answer): PreparedCall => {
    const { url } = call;
    const asked = { to: `webhook/${hook}`, body: call as unknown as JsonValue, timeoutMs, ...(about && { about }) };
    return { url, question: verdict === undefined ? asked : { ...asked, verdict: (given) => verdict(given, url) }, answer };
  };
  if (service === undefined || service === null) {
    const url = withTimeout(given ?? '', seconds);
    return prepared({ url, ...common, serverName: '', host: '', port: 0 });
  }
  const port = service.port ?? 443;
  const serverName = `${service.name}.${service.namespace}.svc`;
  const url = withTimeout(`https://${serverName}:${port}${service.path ?? ''}`, seconds);
  const route = routeTo(service.namespace, service.name, port, reader, podServer);
  if (route.type === 'outside') return prepared({ url, ...common, serverName, host: route.host, port: route.port });
  const fault = route.type === 'pod' ? trustFault(route.server, common.caBundle, serverName, serverFault) : undefined;
  const answer = answerOf(route, url, { path: service.path ?? '', text, timeoutMs, fault });
  return prepared({ url, ...common, serverName, host: '', port }, answer);
}

/** As client-go writes it: a path that is empty becomes a slash. */
export function withTimeout(url: string, seconds: number): string {
  const parsed = /^(https:\/\/[^/?#]*)([^?#]*)/.exec(url);
  const [, origin = url, path = ''] = parsed ?? [];
  return `${origin}${path === '' ? '/' : path}?timeout=${seconds}s`;
}

/** A certificate that nobody knows is of an authority that a bundle vouches for, where there is one. */
function trustFault({ isDescribed, certificate }: PodServer, caBundle: string, name: string, judge: ServerJudge | undefined): string | undefined {
  if (caBundle === '') return isDescribed || certificate !== undefined ? 'certificate signed by unknown authority' : undefined;
  return certificate === undefined ? undefined : judge?.(certificate, name, atob(caBundle));
}

/** A simulated pod says at once how long it would take: time is held while somebody asks. */
function answerOf(
  route: Exclude<Route, { readonly type: 'outside' }>,
  url: string,
  { path, text, timeoutMs, fault }: { readonly path: string; readonly text: string; readonly timeoutMs: number; readonly fault: string | undefined },
): Answer {
  if (route.type === 'failed') return { outcome: 'failed', message: `Post ${goQuote(url)}: ${route.message}` };
  if (route.type === 'silent') return { outcome: 'timedOut' };
  if (fault !== undefined) return { outcome: 'failed', message: `Post ${goQuote(url)}: tls: failed to verify certificate: x509: ${fault}` };
  const { status, body, contentType, tookMs = 0 } = route.server.answer({ method: 'POST', path: path === '' ? '/' : path, body: text });
  if (tookMs >= timeoutMs) return { outcome: 'timedOut' };
  return { outcome: 'answered', body: { code: status, text: body, contentType, retryAfter: '', tookMs } };
}

export interface AllAsker {
  askAll(questions: readonly Question[]): readonly Answer[];
}

/** Puts what has to be asked together, and gives the answers in order. Throws Timeout when the request has no time left then. */
export function answersInTime(calls: readonly PreparedCall[], asker: AllAsker & { readonly time: RequestTime }): readonly Answer[] {
  const answers = answersTo(calls, asker);
  asker.time.spend(calls.map(({ question }, index) => ({ question, answer: answers[index] as Answer })));
  return answers;
}

/** The same for whoever has time of its own. */
export function answersTo(calls: readonly PreparedCall[], asker: AllAsker): readonly Answer[] {
  const questions = calls.flatMap(({ question, answer }) => (answer === undefined ? [question] : []));
  const answers = questions.length === 0 ? [] : [...asker.askAll(questions)];
  return calls.map(({ answer }) => {
    const found = answer ?? answers.shift();
    assert(found, 'every call has an answer');
    return found;
  });
}

/** The text of an answer of webhook and network that went well. Throws CallFailure, without saying who was called. */
export function textOf(answer: Answer, url: string): string {
  const unavailable = newServiceUnavailable('').status.code;
  if (answer.outcome === 'timedOut') throw new CallFailure(`Post ${goQuote(url)}: context deadline exceeded`, unavailable);
  if (answer.outcome === 'failed') throw new CallFailure(answer.message, unavailable);
  const reply = answer.body as unknown as WebhookReply;
  if (reply.code < 200 || reply.code > 206) {
    const { message, status } = statusOf(reply);
    throw new CallFailure(message, status.code);
  }
  if (reply.text !== '') return reply.text;
  const contentType = reply.contentType || 'application/json';
  throw new CallFailure(`0-length response with status code: ${reply.code} and content type: ${contentType}`, unavailable);
}

/** A Status in the body is believed; else the code and the text tell. */
function statusOf({ code, text, contentType, retryAfter }: WebhookReply): StatusError {
  const status = valueIn(text);
  if (isObject(status) && status['kind'] === 'Status' && status['apiVersion'] === 'v1' && status['status'] !== 'Success')
    return new StatusError({ ...(status as unknown as Status), code: Number(status['code'] ?? code) });
  const isText = contentType.startsWith('text/');
  const said = isText ? text.trim() : 'unknown';
  const retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : 0;
  return newGenericServerResponse({ code, verb: 'POST', serverMessage: said, retryAfterSeconds, unexpectedResponse: true });
}
