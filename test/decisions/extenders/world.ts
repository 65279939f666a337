/**
 * Extenders of one configuration, each asked about the pods of one case alone (by a resource that it manages), what they answer, and the
 * pods that are put before the scheduler.
 */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { JsonObject, JsonValue } from '../../../engine/base/json.ts';

export const nodeNames = ['n1', 'n2', 'n3'];

/** What an extender says: a status of HTTP, or an object. */
export type Said = number | JsonValue;

export interface ExtenderCase {
  readonly title: string;
  /** Of the extender, besides its prefix and what it manages. */
  readonly extender: JsonObject;
  /** By verb. */
  readonly says: { readonly [verb: string]: (request: JsonObject) => Said };
  /** Nobody listens there. */
  readonly isDead?: true;
  /** The nodes do not have the resource, so only the extender can say that there is room. */
  readonly isNowhere?: true;
  /** Several are alike, and any of them is right. */
  readonly anyOf?: readonly string[];
  /** Each node is taken by a pod of lower priority. */
  readonly isTaken?: true;
}

/** What became of a pod, and what the extender was asked: verb, and the nodes that it was told of. */
export interface ExtenderFact {
  readonly title: string;
  readonly node: string;
  readonly nominated: string;
  readonly message: string;
  /** Pods of lower priority that had to go, by node. */
  readonly evicted: readonly string[];
  readonly asked: readonly string[];
}

const filter = { filterVerb: 'filter', nodeCacheCapable: true };
const only =
  (...names: readonly string[]) =>
  (): Said => ({ NodeNames: names });
const itemsOf = (request: JsonObject): readonly JsonObject[] => (request['Nodes'] as { readonly items: readonly JsonObject[] }).items;
const victims = (request: JsonObject, keep: readonly string[]): Said => {
  const given = request['NodeNameToMetaVictims'] as JsonObject;
  return { NodeNameToMetaVictims: Object.fromEntries(Object.entries(given).filter(([node]) => keep.includes(node))) };
};

const failing: readonly (readonly [string, Said])[] = [
  ['an error', { Error: 'no idea' }],
  ['a refusal', 500],
  ['a node that nobody knows', { NodeNames: ['n9'] }],
  ['another type', { NodeNames: 1 }],
];

export const cases: readonly ExtenderCase[] = [
  { title: 'filter leaves one', extender: filter, says: { filter: only('n2') } },
  {
    title: 'filter is sent nodes, and sends one back',
    extender: { filterVerb: 'filter' },
    says: { filter: (request) => ({ Nodes: { items: itemsOf(request).filter(({ metadata }) => (metadata as JsonObject)['name'] === 'n3') } }) },
  },
  { title: 'filter leaves none', extender: filter, says: { filter: () => ({ NodeNames: [], FailedNodes: { n1: 'no', n2: 'no', n3: 'full' } }) } },
  { title: 'filter leaves none and says nothing', extender: filter, says: { filter: () => ({ NodeNames: [] }) } },
  {
    title: 'filter says that nothing helps',
    extender: filter,
    says: { filter: () => ({ NodeNames: [], FailedAndUnresolvableNodes: { n1: 'never', n2: 'never' }, FailedNodes: { n3: 'not now' } }) },
  },
  ...failing.flatMap(([title, said]) => [
    { title: `filter: ${title}`, extender: filter, says: { filter: () => said } },
    { title: `filter: ${title}, ignorable`, extender: { ...filter, ignorable: true }, says: { filter: () => said }, anyOf: nodeNames },
  ]),
  { title: 'filter: nobody is there', extender: filter, says: {}, isDead: true },
  { title: 'filter: nobody is there, ignorable', extender: { ...filter, ignorable: true }, says: {}, isDead: true, anyOf: nodeNames },
  {
    title: 'prioritize decides',
    extender: { prioritizeVerb: 'prioritize', weight: 50, nodeCacheCapable: true },
    says: {
      prioritize: () => [
        { Host: 'n1', Score: 1 },
        { Host: 'n2', Score: 0 },
        { Host: 'n3', Score: 9 },
      ],
    },
  },
  {
    title: 'prioritize after filter, which left two',
    extender: { ...filter, prioritizeVerb: 'prioritize', weight: 50 },
    says: {
      filter: only('n1', 'n2'),
      prioritize: () => [
        { Host: 'n2', Score: 5 },
        { Host: 'n3', Score: 9 },
      ],
    },
  },
  {
    title: 'prioritize fails, which harms nobody',
    extender: { ...filter, prioritizeVerb: 'prioritize', weight: 50 },
    says: { filter: only('n1', 'n2'), prioritize: () => 500 },
    anyOf: ['n1', 'n2'],
  },
  { title: 'bind is refused', extender: { ...filter, bindVerb: 'bind' }, says: { filter: only('n1'), bind: () => ({ Error: 'the node is full' }) } },
  { title: 'a resource that the scheduler ignores', extender: filter, says: { filter: only('n2') }, isNowhere: true },
  {
    title: 'preempt chooses the node',
    extender: { preemptVerb: 'preempt', nodeCacheCapable: true },
    says: { preempt: (request) => victims(request, ['n2']) },
    isTaken: true,
  },
  {
    title: 'preempt leaves no node',
    extender: { preemptVerb: 'preempt', nodeCacheCapable: true },
    says: { preempt: (request) => victims(request, []) },
    isTaken: true,
  },
  { title: 'preempt fails', extender: { preemptVerb: 'preempt', nodeCacheCapable: true }, says: { preempt: () => 500 }, isTaken: true },
  {
    title: 'preempt without victims',
    extender: { preemptVerb: 'preempt', nodeCacheCapable: true },
    says: { preempt: () => ({ NodeNameToMetaVictims: { n1: { Pods: [] } } }) },
    isTaken: true,
  },
];

export const resourceOf = (index: number): string => `example.com/case-${index}`;

/** The configuration's list, with a server at this address. */
export function extendersAt(address: string, dead: string): readonly JsonObject[] {
  return cases.map(({ extender, isDead, isNowhere }, index) => ({
    urlPrefix: `http://${isDead ? dead : address}/${index}`,
    managedResources: [{ name: resourceOf(index), ignoredByScheduler: isNowhere === true }],
    ...(extender['weight'] === undefined ? { weight: 1 } : {}),
    ...extender,
  }));
}

/** What each node has. */
export function allocatable(): JsonObject {
  const own = cases.flatMap(({ isNowhere }, index) => (isNowhere ? [] : [[resourceOf(index), '1']]));
  return { cpu: '64', memory: '256Gi', pods: '110', ...Object.fromEntries(own) };
}

export function podSpec(index: number, more: JsonObject = {}): JsonObject {
  const amounts = { cpu: '100m', memory: '64Mi', [resourceOf(index)]: '1' };
  return {
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'c', image: 'nginx', resources: { requests: amounts, limits: amounts } }],
    ...more,
  };
}

/** Where a request goes: case and verb. Writes down what it is about. */
export function answer(path: string, request: JsonObject, asked: string[]): Said {
  const [, index = '', verb = ''] = path.split('/');
  asked.push(`${verb} ${namesIn(request).toSorted().join(' ')}`.trim());
  return cases[Number(index)]?.says[verb]?.(request) ?? 404;
}

function namesIn(request: JsonObject): readonly string[] {
  if (typeof request['Node'] === 'string') return [request['Node']];
  const names = request['NodeNames'] ?? Object.keys((request['NodeNameToMetaVictims'] as JsonObject | null) ?? {});
  if (request['Nodes'] === null || request['Nodes'] === undefined) return names as readonly string[];
  return itemsOf(request).map(({ metadata }) => `whole-${String((metadata as JsonObject)['name'])}`);
}

/** Attempts repeat: each question once. */
export function told(title: string, pod: Pod | undefined, left: readonly Pod[], asked: readonly string[]): ExtenderFact {
  const { anyOf = [], isTaken } = cases.find((one) => one.title === title) ?? {};
  const node = pod?.spec?.nodeName ?? '';
  const message = pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')?.message ?? '';
  const staying = new Set(left.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ spec }) => spec?.nodeName ?? ''));
  return {
    title,
    node: anyOf.includes(node) ? `any of ${anyOf.join(' ')}` : node,
    nominated: pod?.status?.nominatedNodeName ?? '',
    message: message.replaceAll(/127\.0\.0\.1:\d+/g, 'extender'),
    evicted: !isTaken ? [] : nodeNames.filter((name) => !staying.has(name)),
    asked: [...new Set(asked)],
  };
}
