/**
 * What the API server can ask of the nodes that KWOK drives: pages of metrics, logs, ports; of all other nodes their own kubelets are
 * asked. Mirrors pkg/kwok/server of sigs.k8s.io/kwok. Files, commands and addresses of the host have no place in a simulated cluster:
 * what they would give is refused in words.
 */
import type { ComputedResource } from '../../contracts/computed-resource.ts';
import type {
  KubeletConnections,
  KubeletPage,
  PodConnection,
  PortSink,
  ProcessConnection,
  ProcessSink,
  ProcessTarget,
} from '../../contracts/connect.ts';
import type { Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { ForwardItem, KwokTarget } from '../../api/kwok/v1alpha1/target.ts';
import { newBadRequest, newNotFound, newStatusError } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { metricPage } from './metric-page.ts';
import { itemFor, itemOfContainer, ownTargets } from './targets.ts';
import { lastScrapeMs, nodeMetrics, podMetrics, resourceMetrics, statsSummary } from './usage-metrics.ts';
import { DrivenExpressions, type DrivenSources, DrivenWorld } from './world.ts';

const group = 'kwok.x-k8s.io';
const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

export function createDrivenConnections(sources: DrivenSources, machines: KubeletConnections): KubeletConnections {
  const expressions = new DrivenExpressions();
  const world = (): DrivenWorld => new DrivenWorld(sources, expressions);
  /** The pod, where KWOK speaks for it. */
  const drivenPod = (namespace: string, name: string): Pod | undefined => {
    const pod = (sources.objects(`pods/${namespace}`) as readonly Pod[]).find(({ metadata }) => metadata.name === name);
    const node = pod?.spec?.nodeName ?? '';
    return node !== '' && !sources.isMachine(node) && world().nodes.has(node) ? pod : undefined;
  };
  const refuseLogs = (pod: Pod, container: string | undefined, isPrevious: boolean): never => {
    throw newBadRequest(logRefusal(sources, pod, container, isPrevious));
  };
  return {
    readLogs: (namespace, name, options) => {
      const pod = drivenPod(namespace, name);
      return pod === undefined ? machines.readLogs(namespace, name, options) : refuseLogs(pod, options.container, options.previous === true);
    },
    followLogs: (namespace, name, options, onText, onEnd) => {
      const pod = drivenPod(namespace, name);
      return pod === undefined ? machines.followLogs(namespace, name, options, onText, onEnd) : refuseLogs(pod, options.container, false);
    },
    readNode: (node, path) => (sources.isMachine(node) ? machines.readNode(node, path) : drivenPage(world(), machines, node, path)),
    openPort: (namespace, name, port, sink) => {
      const pod = drivenPod(namespace, name);
      return pod === undefined ? machines.openPort(namespace, name, port, sink) : openPort(sources, machines, pod, port, sink);
    },
    serverAt: (namespace, name, port) =>
      drivenPod(namespace, name) === undefined ? machines.serverAt(namespace, name, port) : `nobody listens at port ${port}`,
    reopenPort: (peer, port, sink, progress) => machines.reopenPort(peer, port, sink, progress),
    openProcess: (id, target, sink) => {
      const pod = drivenPod(target.namespace, target.pod);
      return pod === undefined ? machines.openProcess(id, target, sink) : refuseProcess(sources, pod, target, sink);
    },
    reopenProcess: (id) => machines.reopenProcess(id),
  };
}

function drivenPage(world: DrivenWorld, machines: KubeletConnections, name: string, path: readonly string[]): KubeletPage | undefined {
  const node = world.nodes.get(name);
  if (node === undefined) return machines.readNode(name, path);
  const asked = path.join('/');
  if (asked === 'healthz') return { text: 'ok', contentType: 'text/plain; charset=utf-8' };
  for (const { metadata, spec: { path: wanted = '', metrics = [] } = {} } of world.metrics) {
    const found = nodeNameIn(wanted, `/${asked}`);
    if (found === undefined) continue;
    // A path without a node is about the node of the object's name.
    const about = world.nodes.get(found === '' ? (metadata.name ?? '') : found);
    return { text: about === undefined ? '' : metricPage(world, metrics, about), contentType: metricsType };
  }
  if (asked === 'stats/summary') return { text: `${JSON.stringify(statsSummary(world, node), null, 1)}\n`, contentType: 'application/json' };
  if (asked === 'metrics/resource') return { text: metricPage(world, resourceMetrics, node), contentType: metricsType };
  throw newStatusError(404, 'NotFound', 'the server could not find the requested resource');
}

/** What stands for `{nodeName}`: '' where the pattern has none; undefined where the path is another. Only what is below /metrics is served. */
function nodeNameIn(pattern: string, path: string): string | undefined {
  if (!/^\/metrics(?:\/|$)/.test(pattern)) return undefined;
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  let name = '';
  for (const [i, part] of wanted.entries()) {
    if (part === '{nodeName}' && given[i] !== '') name = given[i] ?? '';
    else if (part !== given[i]) return undefined;
  }
  return name;
}

function placeOf({ metadata: { namespace = '', name = '' } }: Pod): string {
  return JSON.stringify(`${namespace}/${name}`);
}

function logRefusal({ objects }: DrivenSources, pod: Pod, asked: string | undefined, isPrevious: boolean): string {
  const container = asked ?? pod.spec?.containers?.[0]?.name ?? '';
  const { namespace = '', name = '' } = pod.metadata;
  const targets = (plural: string): readonly KwokTarget[] => objects(`${group}/${plural}`) as readonly KwokTarget[];
  const item = itemFor(ownTargets(targets('logs')), targets('clusterlogs'), namespace, name, ({ logs }) => itemOfContainer(logs, container));
  const about = `for container ${JSON.stringify(container)} in pod ${placeOf(pod)}`;
  if (item === undefined) return `no logs found ${about}`;
  if (item === 'named') return `log target not found ${about}`;
  return fileRefusal(isPrevious ? item.previousLogsFile : item.logsFile);
}

/** What would run or be read on the host. */
function refuseProcess(sources: DrivenSources, pod: Pod, { container, command }: ProcessTarget, sink: ProcessSink): ProcessConnection {
  const why = command === null ? attachRefusal(sources, pod, container) : execRefusal(sources, pod, container, command);
  sink.onEnd({ type: 'failed', message: why });
  return { write: () => undefined, resize: () => undefined, hold: () => undefined, endInput: () => undefined, end: () => undefined };
}

function execRefusal({ objects }: DrivenSources, pod: Pod, container: string, command: readonly string[]): string {
  const { namespace = '', name = '' } = pod.metadata;
  const targets = (plural: string): readonly KwokTarget[] => objects(`${group}/${plural}`) as readonly KwokTarget[];
  const item = itemFor(ownTargets(targets('execs')), targets('clusterexecs'), namespace, name, ({ execs }) => itemOfContainer(execs, container));
  const about = `for container ${JSON.stringify(container)} in pod ${placeOf(pod)}`;
  if (item === undefined) return `no exec found ${about}`;
  if (item === 'named') return `exec target not found ${about}`;
  if (item.local === undefined) return 'not set local exec';
  return `${JSON.stringify(command[0] ?? '')}: a simulated cluster runs no commands on its host`;
}

function attachRefusal({ objects }: DrivenSources, pod: Pod, container: string): string {
  const { namespace = '', name = '' } = pod.metadata;
  const targets = (plural: string): readonly KwokTarget[] => objects(`${group}/${plural}`) as readonly KwokTarget[];
  const item = itemFor(ownTargets(targets('attaches')), targets('clusterattaches'), namespace, name, ({ attaches }) =>
    itemOfContainer(attaches, container),
  );
  const about = `for container ${JSON.stringify(container)} in pod ${placeOf(pod)}`;
  if (item === undefined) return `no attaches found ${about}`;
  if (item === 'named') return `attaches target not found ${about}`;
  return fileRefusal(item.logsFile);
}

function fileRefusal(file = ''): string {
  return `failed to open log file ${JSON.stringify(file)}: a simulated cluster reads no files of its host`;
}

/** Leads to a pod of a simulated machine, where the target has its address. */
function openPort(sources: DrivenSources, machines: KubeletConnections, pod: Pod, port: number, sink: PortSink): PodConnection {
  const refuse = (why: string): PodConnection => {
    sink.onError(why);
    sink.onEnd();
    return {
      write: () => undefined,
      end: () => undefined,
      peer: { uid: pod.metadata.uid ?? '', container: '' },
      progress: { head: '', bodyBytes: 0 },
    };
  };
  const { namespace = '', name = '' } = pod.metadata;
  const targets = (plural: string): readonly KwokTarget[] => sources.objects(`${group}/${plural}`) as readonly KwokTarget[];
  const item = itemFor(ownTargets(targets('portforwards')), targets('clusterportforwards'), namespace, name, ({ forwards }) =>
    forwardOf(forwards, port),
  );
  if (item === undefined) return refuse(`no forward found for port ${port} in pod ${placeOf(pod)}`);
  if (item === 'named') return refuse(`forward not found for port ${port} in pod ${placeOf(pod)}`);
  const { target, command = [] } = item;
  if (command.length > 0) return refuse(`failed to run ${JSON.stringify(command[0])}: a simulated cluster runs no commands on its host`);
  if (target === undefined) return refuse('no target or command');
  const found = (sources.objects('pods') as readonly Pod[]).find(
    ({ status, spec }) => status?.podIP === target.address && spec?.hostNetwork !== true && sources.isMachine(spec?.nodeName ?? ''),
  );
  if (found !== undefined) return machines.openPort(found.metadata.namespace ?? '', found.metadata.name ?? '', target.port, sink);
  const address = `${target.address.includes(':') ? `[${target.address}]` : target.address}:${target.port}`;
  return refuse(`failed to dial ${address}: no pod of this cluster has that address, and a simulated cluster reaches nothing else`);
}

function forwardOf(forwards: readonly ForwardItem[] = [], port: number): ForwardItem | undefined {
  return forwards.find(({ ports = [] }) => ports.includes(port)) ?? forwards.find(({ ports = [] }) => ports.length === 0);
}

/** Adds what driven nodes and their pods use to what machines do. */
export function withDrivenMetrics(sources: DrivenSources, resources: readonly ComputedResource[]): readonly ComputedResource[] {
  const expressions = new DrivenExpressions();
  const scraped = (): DrivenWorld => new DrivenWorld(sources, expressions, lastScrapeMs(sources.nowMs()));
  const nowMs = (): number => sources.nowMs();
  return resources.map((resource) => {
    if (resource.kind.plural === 'nodes') return withNodes(resource, scraped, nowMs);
    return resource.kind.plural === 'pods' ? withPods(resource, scraped, nowMs) : resource;
  });
}

function withNodes(own: ComputedResource, scraped: () => DrivenWorld, nowMs: () => number): ComputedResource {
  return {
    ...own,
    get: (name, query, namespace, ask) => {
      const world = scraped();
      const node: Node | undefined = world.nodes.get(name);
      if (node === undefined) return own.get(name, query, namespace, ask);
      return nodeMetrics(world, node, nowMs()) ?? fail('nodemetrics', name);
    },
    list: (query, namespace, ask) => {
      const world = scraped();
      return [...own.list(query, namespace, ask), ...[...world.nodes.values()].flatMap((node) => nodeMetrics(world, node, nowMs()) ?? [])];
    },
  };
}

function withPods(own: ComputedResource, scraped: () => DrivenWorld, nowMs: () => number): ComputedResource {
  const of = (world: DrivenWorld, pod: Pod): KubeObject | undefined => {
    const node = world.nodes.get(pod.spec?.nodeName ?? '');
    return node && podMetrics(world, node, pod, nowMs());
  };
  const place = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return {
    ...own,
    get: (name, query, namespace = '', ask) => {
      const world = scraped();
      const pod = world.pod(namespace, name);
      if (pod === undefined) return own.get(name, query, namespace, ask);
      return of(world, pod) ?? fail('podmetrics', `${namespace}/${name}`);
    },
    list: (query, namespace, ask) => {
      const world = scraped();
      const driven = [...world.nodes.keys()].flatMap((node) =>
        world.podsOn(node).filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
      );
      const added = driven.flatMap((pod) => of(world, pod) ?? []);
      const all = own.list(query, namespace, ask);
      return added.length === 0 ? all : [...all, ...added].toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
    },
  };
}

function fail(resource: string, name: string): never {
  throw newNotFound({ group: 'metrics.k8s.io', resource }, name);
}
