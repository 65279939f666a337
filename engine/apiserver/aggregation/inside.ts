/** Reads of components that another server answers: as the requests that they would be over HTTPS, and what comes back of them. */
import { errorOfAnswer, UnreadableAnswer } from '../../apimachinery/response-error.ts';
import type { StatusError } from '../../apimachinery/status.ts';
import { decodeBase64 } from '../../base/base64.ts';
import { isObject } from '../../base/json.ts';
import type { Ask, Question } from '../../contracts/questions.ts';
import type { ApiRequest, ApiResult } from '../../contracts/request.ts';
import type { AggregatedHeaders, AggregatedReply, Asked } from './backend.ts';

/** How long a component waits, while time stands still for all. */
const timeoutMs = 10_000;

export function insideCall(request: ApiRequest, whoAsks: AggregatedHeaders): Asked {
  const headers = { accept: 'application/json', 'user-agent': request.userAgent, 'x-forwarded-uri': pathOf(request) };
  return {
    method: 'GET',
    path: pathOf(request) + queryOf(request),
    headers: { ...headers, ...whoAsks },
    timeoutMs,
  };
}

/** `question` is a text that says why nobody can be asked. Throws a StatusError where nothing good is answered. */
export function askInside(request: ApiRequest, question: Question | string, ask: Ask): ApiResult {
  const unreachable = (why: string): StatusError => refusalInside(request, 503, 'text/plain', `error trying to reach service: ${why}`);
  if (typeof question === 'string') throw unreachable(question);
  const answer = ask(question);
  if (answer.outcome === 'timedOut') throw unreachable('context deadline exceeded');
  if (answer.outcome === 'failed') throw unreachable(answer.message);
  const { code, headers, body = '' } = answer.body as unknown as AggregatedReply;
  const text = new TextDecoder().decode(decodeBase64(body));
  if (code < 200 || code > 206) throw refusalInside(request, code, headers['content-type'] ?? '', text);
  return { code, object: objectIn(headers['content-type'] ?? '', text), warnings: [] };
}

export function refusalInside({ group, resource, name }: ApiRequest, code: number, contentType: string, text: string): StatusError {
  return errorOfAnswer({ code, contentType, text, method: 'GET', group, resource, name });
}

function objectIn(contentType: string, text: string): ApiResult['object'] {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UnreadableAnswer(contentType, text);
}

function pathOf({ group, version, namespace, resource, name, subresource }: ApiRequest): string {
  const place = namespace === undefined ? [] : ['namespaces', namespace];
  const parts = [group, version, ...place, resource, name, subresource].filter((part) => part !== undefined && part !== '');
  return `/apis/${parts.map((part) => encodeURIComponent(part as string)).join('/')}`;
}

function queryOf({ list, query }: ApiRequest): string {
  const pairs = Object.entries({ ...list, ...query })
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
