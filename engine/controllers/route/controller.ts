/**
 * Keeps a route of the cloud for the pod addresses of each Node, and tells by a condition whether its network is there. Mirrors
 * k8s.io/cloud-provider/controllers/route/route_controller.go.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { cidrContains, lastAddress, parseCIDR } from '../../apimachinery/ip.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { formatTime } from '../../apimachinery/time.ts';
import { timerCause } from '../../base/causes.ts';
import { getNodeCondition } from '../../component-helpers/node.ts';
import type { Informer } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { type CloudCalls, CloudError, type CloudProvider, type CloudRoute } from '../../contracts/cloud.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { hasCloud, mustHaveCloud } from '../lib/cloud.ts';

const name = 'node-route-controller';
const component = `controller/${name}`;
/** `--route-reconciliation-period` */
const periodMs = 10_000;
const passTimer = 'routes';

class RouteController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #cloud: CloudProvider;
  readonly #nodes: Informer<Node>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cloud = mustHaveCloud(environment.options);
    this.#nodes = environment.informer(nodes);
  }

  start(): void {
    this.#environment.setTimer(0, passTimer);
  }

  async onTimer(): Promise<void> {
    const calls = this.#cloud.calls(component, [timerCause(component, passTimer)]);
    try {
      await this.#bring(calls, await calls.listRoutes());
    } catch (error) {
      // The next pass begins anew.
      if (!(error instanceof CloudError) && !(error instanceof StatusError)) throw error;
    }
    this.#environment.setTimer(periodMs, passTimer);
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
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
  watches: [watchOf(nodes, () => [])],
  create: (environment) => new RouteController(environment),
});
