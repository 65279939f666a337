/**
 * The nodes that KWOK drives and the pods on them, as they are stored when somebody asks: what their containers use by ResourceUsage and
 * ClusterResourceUsage, and what expressions may ask about them. Everything is computed at reading and remembers nothing, so that
 * looking changes no history. Mirrors pkg/kwok/server/metrics_resource_usage.go of sigs.k8s.io/kwok.
 */
import type { Container, Node, Pod } from '../../api/core/v1/types.gen.ts';
import type { KwokTarget, Metric, UsageValue } from '../../api/kwok/v1alpha1/target.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseQuantity, quantityToFloat } from '../../apimachinery/quantity.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonObject } from '../../base/json.ts';
import { member, global, type Overload } from '../../cel/functions.ts';
import { double, int, string } from '../../cel/types.ts';
import { CelError, type CelObject, type CelValue, isObject } from '../../cel/values.ts';
import { asNumber, containerMessage, Expressions, nodeMessage, podMessage } from '../expressions/environment.ts';
import type { ObjectTypes } from '../expressions/objects.ts';
import { drawsOf } from './draws.ts';
import { itemFor, itemOfContainer, type OwnTargets, ownTargets } from './targets.ts';

export interface DrivenSources {
  nowMs(): number;
  /** Those under a storage prefix, in the order of their keys. */
  objects(prefix: string): readonly KubeObject[];
  /** Nodes that are machines of their own are not driven. */
  isMachine(name: string): boolean;
}

/** What an expression is about. */
export interface Subject {
  readonly node: Node;
  readonly pod?: Pod;
  readonly container?: Container;
}

const optIn = 'kwok.x-k8s.io/node';
const group = 'kwok.x-k8s.io';

/** How things stand at one reading. */
export class DrivenWorld {
  readonly nowMs: number;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly #podsByNode = new Map<string, Pod[]>();
  readonly #pods = new Map<string, Pod>();
  readonly #usages: OwnTargets;
  readonly #wideUsages: readonly KwokTarget[];
  readonly metrics: readonly Metric[];
  readonly #expressions: DrivenExpressions;
  /** What is evaluated now: an expression of use that asks for use would never end. */
  #depth = 0;
  #draw: () => number;

  constructor({ nowMs, objects, isMachine }: DrivenSources, expressions: DrivenExpressions, atMs = nowMs()) {
    this.nowMs = atMs;
    this.#expressions = expressions;
    const all = objects('minions') as readonly Node[];
    this.nodes = new Map(
      all
        .filter(({ metadata }) => getOwn(metadata.annotations, optIn) === 'fake' && !isMachine(metadata.name ?? ''))
        .map((node) => [node.metadata.name ?? '', node] as const),
    );
    if (this.nodes.size > 0)
      for (const pod of objects('pods') as readonly Pod[]) {
        const node = pod.spec?.nodeName ?? '';
        if (!this.nodes.has(node)) continue;
        const there = this.#podsByNode.get(node) ?? [];
        this.#podsByNode.set(node, there);
        there.push(pod);
        this.#pods.set(`${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, pod);
      }
    this.#usages = ownTargets(objects(`${group}/resourceusages`) as readonly KwokTarget[]);
    this.#wideUsages = objects(`${group}/clusterresourceusages`) as readonly KwokTarget[];
    this.metrics = objects(`${group}/metrics`) as readonly Metric[];
    this.#draw = drawsOf(`${atMs}`);
  }

  podsOn(node: string): readonly Pod[] {
    return this.#podsByNode.get(node) ?? [];
  }

  pod(namespace: string, name: string): Pod | undefined {
    return this.#pods.get(`${namespace}/${name}`);
  }

  /** Throws CelError. `Rand` draws anew for each subject and instant, and the same for whoever asks. */
  evaluate(expression: string, subject: Subject): CelValue {
    const { types } = this.#expressions.parts;
    const { node, pod, container } = subject;
    const draw = this.#draw;
    this.#draw = drawsOf([this.nowMs, expression, node.metadata.uid, pod?.metadata.uid, container?.name].join('\n'));
    const value = (message: string, object: object | undefined): CelValue => types.valueOf(message, (object ?? {}) as JsonObject);
    try {
      return this.#expressions.evaluate(
        this,
        expression,
        new Map([
          ['node', value(nodeMessage, node)],
          ['pod', value(podMessage, pod)],
          ['container', value(containerMessage, container)],
        ]),
      );
    } finally {
      this.#draw = draw;
    }
  }

  random(): number {
    return this.#draw();
  }

  /** In cores, bytes …; nothing where nothing is said, and where an expression fails, as in KWOK. */
  usageOf(resource: string, subject: Subject & { readonly pod: Pod; readonly container: Container }): number {
    const { namespace = '', name = '' } = subject.pod.metadata;
    const item = itemFor(this.#usages, this.#wideUsages, namespace, name, ({ usages }) => itemOfContainer(usages, subject.container.name));
    const said = item === undefined || item === 'named' ? undefined : getOwn(item.usage, resource);
    return said === undefined ? 0 : this.#amountOf(said, subject);
  }

  usageOfPod(resource: string, node: Node, pod: Pod): number {
    return (pod.spec?.containers ?? []).reduce((sum, container) => sum + this.usageOf(resource, { node, pod, container }), 0);
  }

  usageOfNode(resource: string, node: Node): number {
    return this.podsOn(node.metadata.name ?? '').reduce((sum, pod) => sum + this.usageOfPod(resource, node, pod), 0);
  }

  /** What the present use has come to since the pod began. */
  cumulativeOfPod(resource: string, node: Node, pod: Pod, container?: Container): number {
    const usage = container === undefined ? this.usageOfPod(resource, node, pod) : this.usageOf(resource, { node, pod, container });
    return (usage * Math.max(0, this.nowMs - startedMs(pod))) / 1000;
  }

  cumulativeOfNode(resource: string, node: Node): number {
    return this.podsOn(node.metadata.name ?? '').reduce((sum, pod) => sum + this.cumulativeOfPod(resource, node, pod), 0);
  }

  #amountOf({ value, expression }: UsageValue, subject: Subject): number {
    if (value !== undefined) return quantityToFloat(parseQuantity(value));
    if (expression === undefined || this.#depth > 0) return 0;
    this.#depth++;
    try {
      const amount = asNumber(this.evaluate(expression, subject));
      return Number.isFinite(amount) ? amount : 0;
    } catch (error) {
      if (error instanceof CelError) return 0;
      throw error;
    } finally {
      this.#depth--;
    }
  }

  /** Of the pods that are there: KWOK counts those that are gone too. */
  startedOn(node: string): number {
    let count = 0;
    for (const { status } of this.podsOn(node))
      for (const { state, restartCount = 0 } of status?.containerStatuses ?? []) count += restartCount + (state?.waiting === undefined ? 1 : 0);
    return count;
  }
}

/** Compiled once, and asked about one reading after the other. */
export class DrivenExpressions {
  readonly parts: Expressions;
  #world: DrivenWorld | undefined;

  constructor() {
    const world = { nowMs: () => this.#now.nowMs, random: () => this.#now.random() };
    this.parts = new Expressions(world, variables, (types) => this.#functions(types));
  }

  /** Throws CelError. */
  evaluate(world: DrivenWorld, expression: string, values: ReadonlyMap<string, CelValue>): CelValue {
    this.#world = world;
    return this.parts.evaluate(expression, values);
  }

  get #now(): DrivenWorld {
    assert(this.#world, 'an expression is evaluated at a reading');
    return this.#world;
  }

  #functions(types: ObjectTypes): readonly Overload[] {
    const [nodeType, podType] = [types.typeOf(nodeMessage), types.typeOf(podMessage)];
    const ofNode = (measure: (node: Node) => number) => (given: CelObject) => {
      const node = this.#now.nodes.get(nameOf(given, 'name'));
      return node === undefined ? 0 : measure(node);
    };
    const ofPod = (measure: (node: Node, pod: Pod) => number) => (given: CelObject) => {
      const pod = this.#now.pod(nameOf(given, 'namespace'), nameOf(given, 'name'));
      const node = this.#now.nodes.get(pod?.spec?.nodeName ?? '');
      return pod === undefined || node === undefined ? 0 : measure(node, pod);
    };
    const containerOf = (pod: Pod, name: string): Container | undefined => pod.spec?.containers?.find((one) => one.name === name);
    const inContainer = (pod: Pod, name: string, measure: (container: Container) => number): number => {
      const container = containerOf(pod, name);
      return container === undefined ? 0 : measure(container);
    };
    const started = (name: string): number => this.#now.startedOn(name);
    const startedWhole = (name: string): bigint => BigInt(started(name));
    const startedOn = (given: CelObject): number => started(nameOf(given, 'name'));
    return [
      member('Usage', [nodeType, string], double, (given: CelObject, resource: string) =>
        ofNode((node) => this.#now.usageOfNode(resource, node))(given),
      ),
      member('Usage', [podType, string], double, (given: CelObject, resource: string) =>
        ofPod((node, pod) => this.#now.usageOfPod(resource, node, pod))(given),
      ),
      member('Usage', [podType, string, string], double, (given: CelObject, resource: string, name: string) =>
        ofPod((node, pod) => inContainer(pod, name, (container) => this.#now.usageOf(resource, { node, pod, container })))(given),
      ),
      member('CumulativeUsage', [nodeType, string], double, (given: CelObject, resource: string) =>
        ofNode((node) => this.#now.cumulativeOfNode(resource, node))(given),
      ),
      member('CumulativeUsage', [podType, string], double, (given: CelObject, resource: string) =>
        ofPod((node, pod) => this.#now.cumulativeOfPod(resource, node, pod))(given),
      ),
      member('CumulativeUsage', [podType, string, string], double, (given: CelObject, resource: string, name: string) =>
        ofPod((node, pod) => inContainer(pod, name, (container) => this.#now.cumulativeOfPod(resource, node, pod, container)))(given),
      ),
      ...['StartedContainersTotal', 'startedContainersTotal'].flatMap((name) => [
        global(name, [string], int, startedWhole),
        global(name, [nodeType], double, startedOn),
        member(name, [string], int, startedWhole),
        member(name, [nodeType], double, startedOn),
      ]),
    ];
  }
}

const variables = (types: ObjectTypes): ReadonlyMap<string, ReturnType<ObjectTypes['typeOf']>> =>
  new Map([
    ['node', types.typeOf(nodeMessage)],
    ['pod', types.typeOf(podMessage)],
    ['container', types.typeOf(containerMessage)],
  ]);

function nameOf(object: CelObject, field: 'name' | 'namespace'): string {
  const metadata = object.field?.('metadata');
  const found = metadata !== undefined && isObject(metadata) ? metadata.field?.(field) : undefined;
  return typeof found === 'string' ? found : '';
}

export function startedMs({ metadata, status }: Pod): number {
  return parseTime(status?.startTime ?? metadata.creationTimestamp ?? '') ?? 0;
}
