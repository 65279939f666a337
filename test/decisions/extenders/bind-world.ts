/**
 * Extenders that bind. A configuration may have one of them, so each case has a configuration of its own, one pod that fits on n1 only,
 * and what the extender does and says when it is to bind it.
 */
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';
import type { Said } from './world.ts';

export const nodeNames = ['n1', 'n2'];
/** What the extender manages, where it does not manage everything. */
export const managed = 'example.com/managed';
/** How long it may take, where a case says so; and how long it takes then. */
export const [timeoutMs, lateMs] = [300, 900];

export interface BindCase {
  readonly title: string;
  /** Of the extender, besides its prefix. */
  readonly extender: JsonObject;
  /** Where it binds the pod. */
  readonly binds?: string;
  /** What it answers then: a status of HTTP, the text of a body, or an object. */
  readonly says?: Said;
  /** It answers when nobody listens any more. */
  readonly isLate?: true;
  /** Nobody listens there. */
  readonly isDead?: true;
  /** The pod asks for what is managed. */
  readonly asks?: true;
  /** The nodes have what is managed. */
  readonly has?: true;
}

/** What became of the pod, what was told of it, and what the extender was asked. */
export interface BindFact {
  readonly title: string;
  readonly node: string;
  readonly message: string;
  readonly events: readonly string[];
  readonly asked: readonly string[];
}

const bind = { bindVerb: 'bind', nodeCacheCapable: true };
const ignorable = { ...bind, ignorable: true };
const timed = { httpTimeout: `${timeoutMs}ms` };
const managing = (ignoredByScheduler: boolean): JsonObject => ({ ...bind, managedResources: [{ name: managed, ignoredByScheduler }] });

export const cases: readonly BindCase[] = [
  { title: 'it binds', extender: bind, binds: 'n1', says: {} },
  { title: 'it binds, and says null', extender: bind, binds: 'n1', says: null },
  { title: 'it binds, and says an empty error', extender: bind, binds: 'n1', says: { error: '' } },
  { title: 'it says so and does not', extender: bind, says: {} },
  { title: 'it binds elsewhere', extender: bind, binds: 'n2', says: {} },
  { title: 'it binds, and says an error', extender: bind, binds: 'n1', says: { Error: 'too much' } },
  { title: 'an error', extender: bind, says: { Error: 'the node is full' } },
  { title: 'an error, ignorable', extender: ignorable, says: { Error: 'the node is full' } },
  { title: 'a refusal', extender: bind, says: 503 },
  { title: 'a refusal, ignorable', extender: ignorable, says: 503 },
  { title: 'an empty answer', extender: bind, binds: 'n1', says: '' },
  { title: 'another type', extender: bind, says: { Error: 7 } },
  { title: 'a list', extender: bind, says: [] },
  { title: 'silence', extender: { ...bind, ...timed }, isLate: true, says: {} },
  { title: 'silence, ignorable', extender: { ...ignorable, ...timed }, isLate: true, says: {} },
  { title: 'it binds, and says so too late', extender: { ...bind, ...timed }, isLate: true, binds: 'n1', says: {} },
  { title: 'it binds, and says so too late, ignorable', extender: { ...ignorable, ...timed }, isLate: true, binds: 'n1', says: {} },
  { title: 'nobody is there', extender: bind, isDead: true },
  { title: 'nobody is there, ignorable', extender: ignorable, isDead: true },
  { title: 'a pod that does not ask for what it manages', extender: managing(false), binds: 'n1', says: {}, has: true },
  { title: 'a pod that asks for what it manages', extender: managing(false), binds: 'n1', says: {}, asks: true, has: true },
  { title: 'what it manages is nowhere', extender: managing(false), binds: 'n1', says: {}, asks: true },
  { title: 'what it manages is ignored by the scheduler', extender: managing(true), binds: 'n1', says: {}, asks: true },
  { title: 'it filters and binds', extender: { ...bind, filterVerb: 'filter' }, binds: 'n1', says: {} },
];

export function configurationOf({ extender, isDead }: BindCase, address: string, dead: string): JsonObject {
  const extenders = [{ urlPrefix: `http://${isDead ? dead : address}`, weight: 1, ...extender }];
  return { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration', extenders };
}

export function allocatable({ has }: BindCase): JsonObject {
  return { cpu: '64', memory: '256Gi', pods: '110', ...(has ? { [managed]: '1' } : {}) };
}

export function podSpec({ asks }: BindCase): JsonObject {
  const amounts = { cpu: '100m', memory: '64Mi', ...(asks ? { [managed]: '1' } : {}) };
  return {
    terminationGracePeriodSeconds: 0,
    nodeSelector: { 'kubernetes.io/hostname': 'n1' },
    containers: [{ name: 'c', image: 'nginx', resources: { requests: amounts, limits: amounts } }],
  };
}

/** What comes back over HTTP; `filter` leaves all. */
export function bodyOf({ says = null }: BindCase, verb: string, request: JsonObject): { readonly code: number; readonly text: string } {
  if (verb === 'filter') return { code: 200, text: JSON.stringify({ NodeNames: request['NodeNames'] ?? [] } satisfies JsonObject as JsonValue) };
  if (typeof says === 'number') return { code: says, text: '' };
  return { code: 200, text: typeof says === 'string' ? says : JSON.stringify(says) };
}

/** What the extender was asked, as a line: the verb, and the fields of a binding but for the uid, which is there or not. */
export function lineOf(verb: string, { PodUID, ...request }: JsonObject): string {
  return verb === 'filter' ? verb : `${verb} ${JSON.stringify({ ...request, PodUID: typeof PodUID === 'string' && PodUID !== '' })}`;
}

/** Attempts repeat: each question and Event once. */
export function told(
  { title }: BindCase,
  pod: { readonly spec?: { readonly nodeName?: string }; readonly status?: { readonly conditions?: readonly Condition[] } } | undefined,
  events: readonly string[],
  asked: readonly string[],
): BindFact {
  const named = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, 'extender');
  const condition = pod?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  const message = condition === undefined ? '' : `${condition.status} ${condition.reason ?? ''} ${condition.message ?? ''}`.trim();
  const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts.map(named))].toSorted();
  return { title, node: pod?.spec?.nodeName ?? '', message: named(message), events: unique(events), asked: unique(asked) };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}
