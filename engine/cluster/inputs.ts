/**
 * What is written down of the outside (law 5): requests that changed something, answers to questions, configuration that changed, bytes of
 * port-forwards and of commands in containers, each with its place in history, so that a replay can let it happen there again.
 */
import type { Cause } from '../base/causes.ts';
import { decodeBase64, encodeBase64 } from '../base/base64.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Answer, GivenAnswer } from '../contracts/questions.ts';
import type { Identity } from '../contracts/request.ts';
import type { AdmittedRequest } from '../apiserver/http-types.ts';

/** Writes an input down and lets it act. */
export type Admit = <T>(what: JsonValue, act: () => T) => T;

export interface RecordedInput {
  readonly input: number;
  readonly tasksRun: number;
  readonly nowMs: number;
  readonly what: JsonValue;
}

/** What the host wants to know. */
export interface DoorListener {
  /** Something that can change state is about to be attempted. */
  onBefore?(): void;
  /** Must be on its way to disk when this returns: the change follows. */
  onInput?(input: RecordedInput): void;
  /** An input has entered: what it made due can run. */
  onEntered?(): void;
  /** Time stood still for a question and goes on. */
  onReleased?(): void;
}

/** An answer with who gave it. */
export interface RecordedAnswer {
  readonly to: string;
  readonly answer: Answer;
}

/** What is kept of a request: enough to make it again. `body` is text, or base64 when `binary`. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: JsonObject;
  readonly body: string;
  readonly binary?: boolean;
  readonly identity: Identity;
  /** To what it asked, in order. */
  readonly answers?: readonly RecordedAnswer[];
  /** Faults that delayed it. */
  readonly causes?: readonly Cause[];
  /** Of a request that asked: the streams of its own that it drew from. */
  readonly draws?: string;
}

/** Clients came from another branch, where revisions up to this one were issued. */
export interface RecordedStart {
  readonly startAnew: number;
}

/** Files of the host's that count as they are say something else: who decides what somebody may, or which webhooks and policies lie on disk. */
export interface RecordedConfiguration {
  readonly configured: { readonly 'authorization-config': string } | { readonly 'admission-control-config-file': string };
}

/** What the host does to the whole cluster. */
export type RecordedStep = RecordedStart | RecordedConfiguration;

/** The answer to a question of a component's request, which waits for it in its own task; several where they were put together. */
export interface RecordedInsideAnswer {
  readonly answered: RecordedAnswer | readonly RecordedAnswer[];
}

/** Headers that decide what a request means. */
const meaningful = ['content-type', 'accept', 'user-agent'] as const;

export function recordRequest(
  { method, path, query, headers, body, identity }: AdmittedRequest,
  used: readonly GivenAnswer[],
  late: readonly Cause[] = [],
  draws?: string,
): RecordedRequest {
  const kept = Object.fromEntries(meaningful.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));
  const answers = used.length === 0 ? {} : { answers: used.map(recordAnswer) };
  const text = asText(body);
  const common = {
    method,
    path,
    query,
    headers: kept,
    identity,
    ...answers,
    ...(late.length === 0 ? {} : { causes: late }),
    ...(draws === undefined ? {} : { draws }),
  };
  return text === undefined ? { ...common, body: encodeBase64(body), binary: true } : { ...common, body: text };
}

export function requestOf(recorded: RecordedRequest): AdmittedRequest {
  const { method, path, query, headers, body, binary, identity } = recorded;
  const bytes = binary === true ? decodeBase64(body) : new TextEncoder().encode(body);
  return { method, path, query, headers: headers as Record<string, string>, body: bytes, identity };
}

export function recordAnswer({ question, answer }: GivenAnswer): RecordedAnswer {
  return { to: question.to, answer };
}

export function answerOf({ to, answer }: RecordedAnswer): GivenAnswer {
  return { question: { to }, answer };
}

export function recordInsideAnswers(given: readonly GivenAnswer[]): RecordedInsideAnswer {
  const [first, ...more] = given.map(recordAnswer);
  return { answered: first !== undefined && more.length === 0 ? first : given.map(recordAnswer) };
}

export function insideAnswersOf({ answered }: RecordedInsideAnswer): readonly GivenAnswer[] {
  return ('to' in answered ? [answered] : answered).map(answerOf);
}

export function isInsideAnswer(what: unknown): what is RecordedInsideAnswer {
  return typeof what === 'object' && what !== null && 'answered' in what;
}

export function isRecordedStep(what: unknown): what is RecordedStep {
  return typeof what === 'object' && what !== null && ('startAnew' in what || 'configured' in what);
}

/** It keeps nothing between two calls; to make one costs more than what it does for a small body. */
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function asText(body: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(body);
  } catch {
    return undefined;
  }
}
