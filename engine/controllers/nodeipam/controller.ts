/**
 * Gives Nodes that have none a range of pod addresses, of `--cluster-cidr` in parts of `--node-cidr-mask-size`. Mirrors
 * pkg/controller/nodeipam/ipam/range_allocator.go. Machines of pools bring their range with them; it is taken then.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { parseCIDR } from '../../apimachinery/ip.ts';
import { number, text } from '../../base/codecs.ts';
import type { Informer, InformerEvent } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { CidrSet } from './cidr-set.ts';

const retries = 3;
const noneLeft = 'CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range';

/** Size of a node's part of a range of IPv6. */
const sixBits = 64;

interface Pool {
  readonly set: CidrSet;
  /** Whose a part is, by its number. */
  readonly owners: Map<string, string>;
  /** Where the search for the next free one begins. */
  next: number;
  /** Parts that Services have. */
  readonly serviceParts: readonly { readonly from: number; readonly to: number }[];
}

class NodeIpamController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #nodes: Informer<Node>;
  /** One of each family. */
  readonly #pools: readonly Pool[];

  constructor(environment: ControllerEnvironment) {
    const { options, slots } = environment;
    this.#environment = environment;
    this.#nodes = environment.informer(nodes);
    const services = options.serviceClusterIpRange.split(',');
    this.#pools = options.clusterCidr.split(',').map((range, index): Pool => {
      const set = new CidrSet(range, parseCIDR(range)?.ip.family === 6 ? sixBits : options.nodeCidrMaskSize);
      const [owners, next] = index === 0 ? ['owners', 'next'] : ['otherOwners', 'otherNext'];
      const pool = { set, owners: slots.map(owners, text), next: 0, serviceParts: services.flatMap((one) => set.indexesOf(one) ?? []) };
      slots.field(
        next,
        number,
        () => pool.next,
        (value) => {
          pool.next = value;
        },
      );
      return pool;
    });
  }

  /** What a Node brings is taken at once, before anything is given. */
  keysOf({ type, object }: InformerEvent<Node>): readonly string[] {
    const { name = '' } = object.metadata;
    if (type === 'delete') this.#release(name, rangesOf(object));
    else for (const range of rangesOf(object)) this.#occupy(name, range);
    return type !== 'delete' && rangesOf(object).length === 0 ? [name] : [];
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const node = this.#nodes.get(undefined, key);
    if (node === undefined || node.metadata.deletionTimestamp !== undefined || rangesOf(node).length > 0) return;
    const found = this.#pools.map(nextFree);
    const missing = found.indexOf(undefined);
    if (missing >= 0) {
      this.#tell(node, 'CIDRNotAvailable', causes);
      throw new RetryError(`failed to allocate cidr from cluster cidr at idx:${missing}: ${noneLeft}`);
    }
    const ranges = this.#pools.map((pool, at) => taken(pool, found[at] ?? 0, key));
    for (let attempt = 1; ; attempt++) {
      try {
        await client.patch(nodes, undefined, key, 'strategic', { spec: { podCIDR: ranges[0] ?? '', podCIDRs: ranges } });
        return;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (attempt < retries) continue;
        this.#tell(node, 'CIDRAssignmentFailed', causes);
        // After a time-out it may have been written all the same.
        if (error.status.reason !== 'ServerTimeout') this.#release(key, ranges);
        throw error;
      }
    }
  }

  #occupy(node: string, range: string): void {
    for (const { set, owners } of this.#pools) {
      const found = set.indexesOf(range);
      if (found !== undefined) for (let index = found.from; index <= found.to; index++) owners.set(String(index), node);
    }
  }

  #release(node: string, ranges: readonly string[]): void {
    for (const range of ranges)
      for (const { set, owners } of this.#pools) {
        const found = set.indexesOf(range);
        if (found === undefined) continue;
        for (let index = found.from; index <= found.to; index++) if (owners.get(String(index)) === node) owners.delete(String(index));
      }
  }

  #tell(node: Node, reason: string, causes: readonly string[]): void {
    this.#environment.recorder.event(node, 'Normal', reason, `Node ${node.metadata.name} status is now: ${reason}`, causes);
  }
}

function nextFree({ set, owners, next, serviceParts }: Pool): number | undefined {
  for (let step = 0; step < set.count; step++) {
    const index = (next + step) % set.count;
    const isService = serviceParts.some(({ from, to }) => index >= from && index <= to);
    if (!isService && !owners.has(String(index))) return index;
  }
  return undefined;
}

function taken(pool: Pool, index: number, node: string): string {
  pool.owners.set(String(index), node);
  pool.next = (index + 1) % pool.set.count;
  return pool.set.rangeAt(index);
}

function rangesOf({ spec }: Node): readonly string[] {
  return spec?.podCIDRs ?? [];
}

export const nodeIpamController = defineController<NodeIpamController>({
  name: 'node-ipam-controller',
  aliases: ['nodeipam'],
  serviceAccount: 'node-controller',
  eventSource: 'cidrAllocator',
  canRun: (options) => options.allocateNodeCidrs,
  workers: () => 30,
  watches: [watchOf(nodes, (event, controller: NodeIpamController) => controller.keysOf(event))],
  create: (environment) => new NodeIpamController(environment),
});
