/** What one call of a webhook comes to, for both kinds of them. Mirrors callHook of apiserver pkg/admission/plugin/webhook. */
import { newBadRequest, newInternalError, newServiceUnavailable } from '../../../apimachinery/errors.ts';
import type { JsonObject } from '../../../base/json.ts';
import { uuidOf } from '../../../base/uuid.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { type Status, StatusError } from '../../../apimachinery/status.ts';
import type { Answer, Question, Verdict } from '../../../contracts/questions.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import { subjectOf } from '../asked-about.ts';
import { CallFailure, type Caller, type PreparedCall, prepareCall, textOf, type WebhookReply } from './calls.ts';
import type { WebhookMetrics, WebhookType } from './metrics.ts';
import { reviewIn } from './replies.ts';
import type { ToldReview } from './former-review.ts';
import { readAnswer, type ReviewAnswer, reviewOf, reviewVersionOf, type ReviewVersion } from './review.ts';
import type { RouteReader } from './routes.ts';
import type { ConfiguredHook, Hook, VersionedObjects } from './webhooks.ts';

export interface WebhookTools extends Caller {
  readonly metrics: WebhookMetrics;
  /** What is told where a release tells less; absent: all of the review. */
  readonly told?: ToldReview | undefined;
  /** Hears once of each review that a simulated pod answered, or nobody could: the outside is not asked then. */
  onInside?(question: Question, answer: Answer, tookMs: number): void;
}

/** `refused`: why nobody is called. */
export type Prepared =
  | { readonly uid: string; readonly version: ReviewVersion; readonly call: PreparedCall }
  | { readonly uid: string; readonly refused: StatusError | CallFailure };

export function prepare<H extends Hook>(
  { hook }: ConfiguredHook<H>,
  attributes: AdmissionAttributes,
  objects: VersionedObjects,
  tools: WebhookTools,
  type: WebhookType,
): Prepared {
  const uid = newUid(attributes);
  if (attributes.dryRun && hook.sideEffects !== 'None' && hook.sideEffects !== 'NoneOnDryRun')
    return { uid, refused: newBadRequest(`admission webhook ${goQuote(hook.name)} does not support dry run`) };
  const version = reviewVersionOf(hook.admissionReviewVersions);
  if (version === undefined) {
    const why = 'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    return { uid, refused: new CallFailure(why, 400) };
  }
  const whole = reviewOf(uid, version, attributes, objects);
  const review = tools.told?.(whole, objects) ?? whole;
  const { name, clientConfig: client, timeoutSeconds } = hook;
  const verdict = (answer: Answer, url: string): Verdict => verdictOf(name, () => readReview(answer, url, { uid, version, type }));
  const called = { hook: name, client, timeoutSeconds, review, about: subjectOf(attributes), verdict, leftMs: attributes.time.leftMs };
  return { uid, version, call: prepareCall(called, readerOf(attributes), tools) };
}

function verdictOf(hook: string, read: () => ReviewAnswer): Verdict {
  try {
    const { isAllowed, result } = read();
    if (isAllowed) return { code: 200, isFailure: false };
    const { code, reason, message } = denial(hook, result).status;
    return { code, ...(reason && { reason }), ...(message && { message }), isFailure: false };
  } catch (error) {
    if (error instanceof CallFailure) return { code: error.code, message: error.message, isFailure: true };
    throw error;
  }
}

/** Of version 4. */
function newUid({ random }: AdmissionAttributes): string {
  return uuidOf(random('admission/reviews').hex(32));
}

/** The answer of a call that went well; its warnings and annotations are passed on, whatever it says. Throws CallFailure. */
export function heard<H extends Hook>(
  prepared: Prepared,
  answer: Answer | undefined,
  { hook }: ConfiguredHook<H>,
  attributes: AdmissionAttributes,
  type: WebhookType,
): ReviewAnswer {
  if ('refused' in prepared) throw prepared.refused;
  const { call, uid, version } = prepared;
  const read = readReview(answer as Answer, call.url, { uid, version, type });
  for (const [key, value] of Object.entries(read.auditAnnotations)) attributes.annotate(`${hook.name}/${key}`, String(value));
  for (const text of read.warnings) attributes.warn(text);
  return read;
}

interface AskedReview {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly type: WebhookType;
}

/** Throws CallFailure. */
function readReview(answer: Answer, url: string, { uid, version, type }: AskedReview): ReviewAnswer {
  const read = readAnswer(reviewFrom(answer, url, version), uid, version, type === 'admit');
  if (typeof read === 'string') throw new CallFailure(`received invalid webhook response: ${read}`, 503);
  return read;
}

/** The review that came back. Throws CallFailure. */
function reviewFrom(answer: Answer, url: string, version: ReviewVersion): JsonObject {
  const failed = (why: string, code: number): CallFailure => new CallFailure(`failed to call webhook: ${why}`, code);
  let text: string;
  try {
    text = textOf(answer, url);
  } catch (error) {
    throw error instanceof CallFailure ? failed(error.message, error.code) : error;
  }
  const review = reviewIn(text, version);
  if (typeof review === 'string') throw failed(review, newServiceUnavailable('').status.code);
  return review;
}

function readerOf(attributes: AdmissionAttributes): RouteReader {
  return {
    lookup: (group, resource, namespace, name) => attributes.lookup(group, resource, namespace, name),
    stored: (prefix) => attributes.stored(prefix),
    draw: (below) => attributes.random('admission/webhooks').integer(below),
  };
}

/** How a webhook words its no. */
export function denial(hook: string, result: Partial<Status> | undefined): StatusError {
  const by = `admission webhook ${goQuote(hook)} denied the request`;
  const { message, reason, code = 0, status, ...rest } = result ?? {};
  const why = message || reason;
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    ...rest,
    status: status === undefined || status === 'Success' ? 'Failure' : status,
    message: why === undefined || why === '' ? `${by} without explanation` : `${by}: ${why}`,
    ...(reason === undefined || reason === '' ? {} : { reason }),
    code: code < 400 ? 400 : code,
  });
}

export function callingFailed(hook: string, { message }: CallFailure): StatusError {
  return newInternalError(`failed calling webhook ${goQuote(hook)}: ${message}`);
}

/** One request deletes many objects; what it creates may be named anew each time that it begins. */
function subjectOfCall({ verb, group, resource, namespace, name }: AdmissionAttributes): string {
  return verb === 'CREATE' ? `${group}/${resource}` : `${group}/${resource}/${namespace}/${name}`;
}

export interface Judged {
  readonly prepared: Prepared;
  /** Which webhook, in which round. */
  readonly place: string;
  readonly answer: Answer | undefined;
  readonly code: number;
  readonly error?: unknown;
  readonly isIgnored: boolean;
}

export function count(
  { metrics, onInside }: Pick<WebhookTools, 'metrics' | 'onInside'>,
  hook: Hook,
  type: WebhookType,
  attributes: AdmissionAttributes,
  judged: Judged,
): void {
  const { prepared, place, answer, code, error, isIgnored } = judged;
  const tookMs = answer?.outcome === 'answered' ? ((answer.body as Partial<WebhookReply>).tookMs ?? 0) : 0;
  const isCallFailure = error instanceof CallFailure;
  const isRejected = error !== undefined && !(isCallFailure && isIgnored);
  const cause = !isRejected ? {} : { cause: isCallFailure ? ('calling_webhook_error' as const) : ('no_error' as const) };
  const observed = { name: hook.name, type, operation: attributes.verb, code, isRejected, ...cause };
  const isNew = attributes.isFirst(`${type} ${place} ${subjectOfCall(attributes)}`);
  const call = { ...observed, hasFailedOpen: isCallFailure && isIgnored, ...(isCallFailure && { failure: error.message }) };
  metrics.observe(call, tookMs / 1000, isNew);
  if (!isNew || !('call' in prepared) || prepared.call.answer === undefined) return;
  const { question, answer: given } = prepared.call;
  onInside?.(question, given, given.outcome === 'timedOut' ? question.timeoutMs : tookMs);
}
