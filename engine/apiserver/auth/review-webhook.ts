/**
 * Webhooks that a kubeconfig on the host leads to: who knows tokens, who decides what somebody may, who looks at images. The question
 * names the file, so that keys and passwords are in no session. Mirrors apiserver pkg/util/webhook.
 */
import { goQuote } from '../../apimachinery/quote.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import { encodeJson } from '../../apimachinery/serializer/json.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Answer, Question, QuestionSubject } from '../../contracts/questions.ts';
import { CallFailure, textOf, type WebhookReply } from '../admission/webhooks/calls.ts';
import { goKind } from '../../apimachinery/serializer/go-names.ts';
import { parse, typeMeta } from '../admission/webhooks/replies.ts';

export { CallFailure };

/** How questions to these webhooks begin. */
export const reviewPrefix = 'review/';

/** What the host is told. */
export interface ReviewCall {
  readonly kubeconfig: string;
  readonly text: string;
  /** Wall time of one try. */
  readonly timeoutMs: number;
  /** Wall time before the second try; each further one waits half as long again. */
  readonly backoffMs: number;
}

/** What came back, with the address that was called. */
export interface ReviewReply extends WebhookReply {
  readonly url: string;
}

/** A kind of review that is answered in its status. */
export interface StatusReview {
  readonly group: string;
  readonly kind: string;
  /** As Go writes a status that nobody has filled in. */
  readonly emptyStatus: JsonObject;
  /** Of the first field of the status that has another type, in Go's words. */
  typeFault(status: JsonValue | undefined, version: string): string | undefined;
}

export interface Asked {
  /** Who is asked, for people. */
  readonly name: string;
  readonly kubeconfig: string;
  readonly form: StatusReview;
  readonly version: string;
  readonly timeoutMs: number;
  readonly backoffMs?: number;
  /** Wall time of all tries. */
  readonly patienceMs?: number;
  /** It says who somebody is or what she may. */
  readonly isOfIdentities?: boolean;
}

/** All tries together take no longer, as a request does not. */
const requestMs = 60_000;
const defaultBackoffMs = 500;

/** `keptMs`: for how long the status that came back may stand; what failed never does. `heard` is told of it, and after how much wall time. */
export function reviewQuestion(
  asked: Asked,
  spec: JsonObject,
  keptMs: (status: JsonObject) => number,
  about: QuestionSubject,
  heard?: (status: JsonObject | CallFailure, tookMs: number) => void,
): Question {
  const { name, kubeconfig, form, version, timeoutMs, backoffMs = defaultBackoffMs, patienceMs = requestMs } = asked;
  const text = `${encodeJson({ kind: form.kind, apiVersion: `${form.group}/${version}`, metadata: {}, spec, status: form.emptyStatus })}\n`;
  const call: ReviewCall = { kubeconfig, text, timeoutMs, backoffMs };
  return {
    to: `${reviewPrefix}${name}`,
    body: call as unknown as JsonValue,
    timeoutMs: patienceMs,
    letsTimePass: asked.isOfIdentities === true,
    about,
    verdict: (answer) => {
      const status = statusIn(answer, asked);
      return status instanceof CallFailure ? { code: status.code, message: status.message, isFailure: true } : { code: 200, isFailure: false };
    },
    keptMs: (answer) => {
      const status = statusIn(answer, asked);
      return status instanceof CallFailure ? 0 : keptMs(status);
    },
    ...(heard && { heard: (answer: Answer, tookMs: number) => heard(statusIn(answer, asked), tookMs) }),
  };
}

/** The status of the review that came back; a failure says what went wrong, in Go's words. */
export function statusIn(answer: Answer, asked: Asked): JsonObject | CallFailure {
  if (answer.outcome === 'timedOut') return new CallFailure('context deadline exceeded', 504);
  try {
    const { url = '' } = answer.outcome === 'answered' ? (answer.body as unknown as ReviewReply) : {};
    const review = reviewIn(textOf(answer, url), asked);
    if (typeof review === 'string') return new CallFailure(review, 500);
    const status = review['status'];
    return isObject(status) ? status : {};
  } catch (error) {
    if (error instanceof CallFailure) return error;
    throw error;
  }
}

export type Check = 'text' | 'flag' | 'texts' | 'lists' | 'texts by name';

const checks: { readonly [check in Check]: (value: JsonValue) => boolean } = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && (value as readonly JsonValue[]).every((one) => typeof one === 'string' || one === null),
  lists: (value) => isObject(value) && Object.values(value).every((one) => one === null || checks.texts(one)),
  'texts by name': (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string' || one === null),
};
const goTypes: { readonly [check in Check]: string } = {
  text: 'string',
  flag: 'bool',
  texts: '[]string',
  lists: 'map[string]v1.ExtraValue',
  'texts by name': 'map[string]string',
};

export interface FieldPlace {
  readonly holder: string;
  readonly path: string;
  readonly type: string;
}

/** Of the first of these fields that has another type; `path` leads to the value, `type` is Go's. Absent and null are fine. */
export function fieldFault(
  value: JsonValue | undefined,
  { holder, path, type }: FieldPlace,
  version: string,
  known: { readonly [field: string]: Check },
): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return wrongType(value, `${holder}.${path}`, `${version}.${type}`);
  for (const [field, check] of Object.entries(known)) {
    const given = Object.hasOwn(value, field) ? value[field] : undefined;
    if (given === undefined || given === null || checks[check](given)) continue;
    return wrongType(given, `${type}.${path}.${field}`, goTypes[check]);
  }
  return undefined;
}

function wrongType(value: JsonValue, path: string, type: string): string {
  return `json: cannot unmarshal ${goKind(value)} into Go struct field ${path} of type ${type}`;
}

/** What came back is that kind, or says of no kind that it is. A text says what is wrong. */
function reviewIn(text: string, { form, version }: Asked): JsonObject | string {
  const value = textValue(text);
  if (typeof value === 'string') return value;
  const { kind, apiVersion } = value as { readonly kind?: JsonValue; readonly apiVersion?: JsonValue };
  const [givenKind, given] = [isName(kind) ? kind : form.kind, isName(apiVersion) ? apiVersion : `${form.group}/${version}`];
  const [group, givenVersion = group] = given.includes('/') ? given.split('/') : ['', given];
  if (givenKind !== form.kind || given !== `${form.group}/${version}`) {
    if (group !== '' && group?.endsWith('.k8s.io') !== true)
      return `no kind ${goQuote(givenKind)} is registered for version ${goQuote(given)} in scheme "pkg/runtime/scheme.go:111"`;
    return `converting (${givenVersion}.${givenKind}) to (${version}.${form.kind}): unknown conversion`;
  }
  return form.typeFault(value['status'], version) ?? value;
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

/** The object that a text is; nothing is an empty one. A text says what is wrong. */
function textValue(text: string): JsonObject | string {
  try {
    const value = parse(text);
    if (value === null) return {};
    if (isObject(value)) return value;
    return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind(value)} into Go value of type ${typeMeta}`;
  } catch (error) {
    if (error instanceof DecodeError) return `couldn't get version/kind; json parse error: ${error.message}`;
    throw error;
  }
}
