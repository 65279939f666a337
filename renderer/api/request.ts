/** Requests to the Kubernetes API of the page's own origin. Errors keep the server's Status, so that people read what the API server said. */
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../engine/base/json.ts';
import type { Status, StatusCause } from '../../engine/apimachinery/status.ts';
import { branchBase } from './branch.ts';

export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  /** Fields that were refused, where the server names them. */
  readonly causes: readonly StatusCause[];
  constructor(code: number, reason: string, message: string, causes: readonly StatusCause[] = []) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.reason = reason;
    this.causes = causes;
  }
}

/** Of what should have changed something, and may have. */
export class UnansweredError extends TypeError {}

export interface RequestRecord {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  readonly wallMs: number;
}

const requestsMax = 200;
const listeners = new Set<() => void>();
let log: readonly RequestRecord[] = [];

/** The page's own last requests, newest first. */
export const requestLog = {
  get: () => log,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

/** What is told of a request that nobody answered. */
export const noAnswer = 'The engine does not answer. Is it still running? The page tries again by itself.';
const noAnswerToWrite =
  'The engine did not answer: whether this was done is not known, and it is not tried again by itself. Look once the engine is heard again.';

const jsonAccept = 'application/json';
/** Of the newest form that the release has. */
export const tableAccept = ['v1', 'v1beta1'].map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`).join() + ',application/json';
export const discoveryAccept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: JsonValue;
  /** A body that is text already, instead of `body`. */
  readonly text?: string;
  /** Told what the server warns of beside its answer. */
  readonly onWarnings?: (warnings: readonly string[]) => void;
  readonly accept?: string;
  /** Absent: JSON, and of a PATCH a merge. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
  /** The page asks this again and again by itself: it would push everything else out of the list of requests. */
  readonly quiet?: true;
}

export async function request<T = KubeObject>(path: string, options: RequestOptions = {}): Promise<T> {
  return answerIn(await requestText(path, options)) as T;
}

const listed = ['items', 'rows', 'columnDefinitions'] as const;

/** Go writes a list that nobody made as `null`: of lists and Tables that is one without anything in it. */
export function answerIn(text: string): unknown {
  const answer = JSON.parse(text) as { [name: string]: unknown } | null;
  if (answer !== null && /(List|Table)$/.test(String(answer['kind']))) for (const name of listed) if (answer[name] === null) answer[name] = [];
  return answer;
}

/** As it was written: whoever asks again can tell that the answer is the same one. */
export async function requestText(path: string, options: RequestOptions = {}): Promise<string> {
  const method = options.method ?? 'GET';
  const began = performance.now();
  const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await answerTo(method, branchBase + unindented(path), {
    method,
    credentials: 'same-origin',
    headers: {
      accept: options.accept ?? jsonAccept,
      ...(body === undefined
        ? {}
        : { 'content-type': options.contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json') }),
    },
    ...(body === undefined ? {} : { body }),
    ...(options.signal ? { signal: options.signal } : {}),
  });
  if (!options.quiet || !response.ok) record({ method, path, code: response.status, wallMs: performance.now() - began });
  options.onWarnings?.(parseWarnings(response.headers.get('warning') ?? ''));
  const text = await response.text();
  if (!response.ok) throw toError(response.status, text);
  return text;
}

async function answerTo(method: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw error instanceof TypeError && method !== 'GET' ? new UnansweredError(error.message, { cause: error }) : error;
  }
}

/** The API indents what browsers ask for, for people who look at it: for a timeline that was more than half of it. */
function unindented(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}pretty=false`;
}

/** `299 - "text", 299 - "text"`: quotes and backslashes in a text have one before them. */
function parseWarnings(header: string): readonly string[] {
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

export function toError(code: number, text: string): ApiError {
  try {
    const status = JSON.parse(text) as Partial<Status>;
    return new ApiError(code, status.reason ?? '', status.message ?? text, status.details?.causes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new ApiError(code, '', text.slice(0, 300) || `HTTP ${code}`);
  }
}

function record(entry: RequestRecord): void {
  log = [entry, ...log].slice(0, requestsMax);
  for (const listener of listeners) listener();
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Of what else is forbidden, by quotas, policies and webhooks, no role takes the ban. */
const lacksRole = /: User "[^"]*" cannot /;

export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return lacksRole.test(error.message) ? `${error.message} Ask for a role that allows it.` : error.message;
  if (error instanceof UnansweredError) return noAnswerToWrite;
  if (error instanceof TypeError) return noAnswer;
  return error instanceof Error ? error.message : String(error);
}
