/**
 * Keeps a route of the cloud for the pod addresses of each Node, and tells by a condition whether its network is there. Mirrors
 * k8s.io/cloud-provider/controllers/route/route_controller.go.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { cidrContains, lastAddress, parseCIDR } from '../../apimachinery/ip.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { type Cause, timerCause } from '../../base/causes.ts';
import { number } from '../../base/codecs.ts';
import { deepEqual } from '../../base/equal.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { type CloudCalls, CloudError, type CloudProvider, type CloudRoute } from '../../contracts/cloud.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { hasCloud, mustHaveCloud } from '../lib/cloud.ts';

const name = 'node-route-controller';
const component = `controller/${name}`;
/** `--route-reconciliation-period` */
const periodMs = 10_000;
const passTimer = 'routes';
/** The one key: all routes are looked at together. */
const routesKey = 'routes';
/** Between two looks of a controller that watches Nodes where nothing has changed: twice as long at most. */
const resyncMs = 12 * 3_600_000;

/**
 * Looks at all routes every ten seconds, or, with the gate, when Nodes have changed in what matters: at once, and then no more often than every
 * ten seconds.
 */
class RouteController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #cloud: CloudProvider;
  readonly #nodes: Informer<Node>;
  /** When the next look may be; each change that asks for one moves it. */
  #freeMs = 0;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cloud = mustHaveCloud(environment.options);
    this.#nodes = environment.informer(nodes);
    environment.slots.field(
      'freeMs',
      number,
      () => this.#freeMs,
      (freeMs) => {
        this.#freeMs = freeMs;
      },
    );
  }

  start(): void {
    this.#environment.setTimer(this.#watches ? this.#resyncMs() : 0, passTimer);
  }

  async onTimer(): Promise<void> {
    const causes = [timerCause(component, passTimer)];
    if (this.#watches) this.#ask(causes);
    else await this.#pass(causes);
    this.#environment.setTimer(this.#watches ? this.#resyncMs() : periodMs, passTimer);
  }

  keysOf(event: InformerEvent<Node>): readonly string[] {
    if (this.#watches && (event.type !== 'update' || matters(event.old, event.object))) this.#ask(event.causes);
    return [];
  }

  async reconcile({ causes }: ReconcileContext): Promise<void> {
    if (!(await this.#pass(causes))) this.#ask(causes);
  }

  get #watches(): boolean {
    return this.#environment.options.watchesRoutes;
  }

  #resyncMs(): number {
    return Math.round(resyncMs * this.#environment.random.between(1, 2));
  }

  /** Mirrors a token bucket whose waits are cut: however many ask, none waits longer than the period. */
  #ask(causes: readonly Cause[]): void {
    const nowMs = this.#environment.nowMs();
    const atMs = Math.max(nowMs, this.#freeMs);
    this.#freeMs = atMs + periodMs;
    this.#environment.enqueueAfter(routesKey, Math.min(atMs - nowMs, periodMs), causes);
  }

  /** False where it begins anew later. */
  async #pass(causes: readonly Cause[]): Promise<boolean> {
    const calls = this.#cloud.calls(component, causes);
    try {
      await this.#bring(calls, await calls.listRoutes());
      return true;
    } catch (error) {
      if (!(error instanceof CloudError) && !(error instanceof StatusError)) throw error;
      return false;
    }
  }

  async #bring(calls: CloudCalls, routes: readonly CloudRoute[]): Promise<void> {
    const known = this.#nodes.list();
    const wanted = new Set(known.flatMap((node) => rangesOf(node).map((range) => `${node.metadata.name} ${range}`)));
    const there = new Set<string>();
    for (const { name: route, targetNode, destinationCidr, isBlackhole } of routes) {
      if (!this.#isOurs(destinationCidr)) continue;
      const mark = `${targetNode} ${destinationCidr}`;
      if (!isBlackhole && wanted.has(mark) && !there.has(mark)) there.add(mark);
      else await ignoreRefusal(calls.deleteRoute(route));
    }
    for (const node of known) await this.#bringNode(calls, node, there);
  }

  async #bringNode(calls: CloudCalls, node: Node, there: ReadonlySet<string>): Promise<void> {
    const ranges = rangesOf(node);
    let done = ranges.length > 0;
    for (const range of ranges) if (!there.has(`${node.metadata.name} ${range}`)) done = (await this.#create(calls, node, range)) && done;
    await this.#writeCondition(calls, node, done);
  }

  async #create(calls: CloudCalls, { metadata, kind, apiVersion }: Node, destinationCidr: string): Promise<boolean> {
    const { name: targetNode = '', uid = '' } = metadata;
    const begunMs = this.#environment.nowMs();
    try {
      await calls.createRoute({ name: `${uid}-${destinationCidr.replace('/', '-')}`, targetNode, destinationCidr });
      return true;
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const afterMs = Math.round(this.#environment.nowMs() - begunMs);
      const message = `Could not create route ${uid} ${destinationCidr} for node ${targetNode} after ${afterMs}ms: ${error.message}`;
      this.#environment.recorder.event({ kind, apiVersion, metadata }, 'Warning', 'FailedToCreateRoute', message, calls.causes);
      return false;
    }
  }

  async #writeCondition(calls: CloudCalls, node: Node, done: boolean): Promise<void> {
    const found = getNodeCondition(node, 'NetworkUnavailable');
    const status = done ? 'False' : 'True';
    const reason = done ? 'RouteCreated' : 'NoRouteCreated';
    if (found?.status === status && found.reason === reason) return;
    const now = formatTime(this.#environment.nowMs());
    const message = done ? 'RouteController created a route' : 'RouteController failed to create a route';
    const condition = { type: 'NetworkUnavailable', status, lastHeartbeatTime: now, lastTransitionTime: now, reason, message };
    const client = this.#environment.client.because(calls.causes);
    await client.patch(nodes, undefined, node.metadata.name ?? '', 'strategic', { status: { conditions: [condition] } }, { subresource: 'status' });
  }

  /** Routes of other ranges are somebody else's: neither the first nor the last address is of one of the cluster. */
  #isOurs(range: string): boolean {
    const theirs = parseCIDR(range);
    if (theirs === undefined) return false;
    return this.#environment.options.clusterCidr.split(',').some((text) => {
      const ours = parseCIDR(text);
      return ours !== undefined && (cidrContains(ours, theirs.ip) || cidrContains(ours, lastAddress(theirs)));
    });
  }
}

/** Routes depend on it. */
function matters(old: Node, node: Node): boolean {
  return !deepEqual(rangesOf(old), rangesOf(node)) || !deepEqual(old.status?.addresses, node.status?.addresses);
}

function rangesOf({ spec }: Node): readonly string[] {
  return spec?.podCIDRs ?? [];
}

/** What the cloud refuses is tried again with the next pass. */
async function ignoreRefusal(call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
  }
}

export const nodeRouteController = defineController<RouteController>({
  name,
  aliases: ['route'],
  serviceAccount: 'route-controller',
  eventSource: 'route_controller',
  canRun: (options) => hasCloud(options) && options.allocateNodeCidrs && options.configureCloudRoutes,
  workers: () => 1,
  watches: [watchOf(nodes, (event, controller: RouteController) => controller.keysOf(event))],
  create: (environment) => new RouteController(environment),
});
