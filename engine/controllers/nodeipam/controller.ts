/**
 * Gives Nodes that have none a range of pod addresses, of `--cluster-cidr` in parts of `--node-cidr-mask-size`. Mirrors
 * pkg/controller/nodeipam/ipam/range_allocator.go. Machines of pools bring their range with them; it is taken then.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
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

class NodeIpamController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #nodes: Informer<Node>;
  readonly #set: CidrSet;
  /** Whose a part is, by its number. */
  readonly #owners: Map<string, string>;
  /** Where the search for the next free one begins. */
  #next = 0;
  /** Parts that Services have. */
  readonly #serviceParts: { readonly from: number; readonly to: number } | undefined;

  constructor(environment: ControllerEnvironment) {
    const { options, slots } = environment;
    this.#environment = environment;
    this.#nodes = environment.informer(nodes);
    this.#set = new CidrSet(options.clusterCidr, options.nodeCidrMaskSize);
    this.#serviceParts = this.#set.indexesOf(options.serviceClusterIpRange);
    this.#owners = slots.map('owners', text);
    slots.field(
      'next',
      number,
      () => this.#next,
      (next) => {
        this.#next = next;
      },
    );
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
    const index = this.#nextFree();
    if (index === undefined) {
      this.#tell(node, 'CIDRNotAvailable', causes);
      throw new RetryError(`failed to allocate cidr from cluster cidr at idx:0: ${noneLeft}`);
    }
    const range = this.#set.rangeAt(index);
    this.#owners.set(String(index), key);
    this.#next = (index + 1) % this.#set.count;
    for (let attempt = 1; ; attempt++) {
      try {
        await client.patch(nodes, undefined, key, 'strategic', { spec: { podCIDR: range, podCIDRs: [range] } });
        return;
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        if (attempt < retries) continue;
        this.#tell(node, 'CIDRAssignmentFailed', causes);
        // After a time-out it may have been written all the same.
        if (error.status.reason !== 'ServerTimeout') this.#owners.delete(String(index));
        throw error;
      }
    }
  }

  #nextFree(): number | undefined {
    for (let step = 0; step < this.#set.count; step++) {
      const index = (this.#next + step) % this.#set.count;
      const isService = this.#serviceParts !== undefined && index >= this.#serviceParts.from && index <= this.#serviceParts.to;
      if (!isService && !this.#owners.has(String(index))) return index;
    }
    return undefined;
  }

  #occupy(node: string, range: string): void {
    const found = this.#set.indexesOf(range);
    if (found === undefined) return;
    for (let index = found.from; index <= found.to; index++) this.#owners.set(String(index), node);
  }

  #release(node: string, ranges: readonly string[]): void {
    for (const range of ranges) {
      const found = this.#set.indexesOf(range);
      if (found === undefined) continue;
      for (let index = found.from; index <= found.to; index++) if (this.#owners.get(String(index)) === node) this.#owners.delete(String(index));
    }
  }

  #tell(node: Node, reason: string, causes: readonly string[]): void {
    this.#environment.recorder.event(node, 'Normal', reason, `Node ${node.metadata.name} status is now: ${reason}`, causes);
  }
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
