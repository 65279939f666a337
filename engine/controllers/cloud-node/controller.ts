/**
 * Initializes Nodes that register in a cloud: provider id, zone, region, type and addresses; then takes the taint away that kept pods
 * off. Mirrors k8s.io/cloud-provider/controllers/node/node_controller.go.
 */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { timerCause } from '../../base/causes.ts';
import type { Client } from '../../client/client.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { CloudError, type CloudInstance, type CloudProvider } from '../../contracts/cloud.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { hasCloud, hasTaint, mustHaveCloud, taintsWithout, uninitializedTaint } from '../lib/cloud.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';

const name = 'cloud-node-controller';
const component = `controller/${name}`;
/** `--node-status-update-frequency` of a cloud controller manager. */
const addressesMs = 300_000;
const addressesTimer = 'addresses';

/** Labels of an older form, and the one that says the same now. */
const labelPairs: readonly (readonly [older: string, present: string])[] = [
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
];

class CloudNodeController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #cloud: CloudProvider;
  readonly #nodes: Informer<Node>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#cloud = mustHaveCloud(environment.options);
    this.#nodes = environment.informer(nodes);
  }

  /** What an earlier process did not come to is written at once. */
  start(): void {
    this.#environment.setTimer(0, addressesTimer);
  }

  async onTimer(): Promise<void> {
    this.#environment.setTimer(addressesMs, addressesTimer);
    const causes = [timerCause(component, addressesTimer)];
    for (const node of this.#nodes.list()) {
      if (hasTaint(node, uninitializedTaint)) continue;
      const calls = this.#cloud.calls(component, causes);
      try {
        const instance = await calls.getInstance(node.metadata.name ?? '', node.spec?.providerID ?? '');
        if (instance !== undefined) await this.#writeAddresses(this.#environment.client.because(calls.causes), node, instance);
      } catch (error) {
        // What fails is looked at again the next time.
        if (!(error instanceof CloudError) && !(error instanceof StatusError)) throw error;
      }
    }
  }

  async reconcile({ client, causes }: ReconcileContext, key: string): Promise<void> {
    const node = this.#nodes.get(undefined, key);
    if (node === undefined) return;
    if (!hasTaint(node, uninitializedTaint)) {
      await this.#pairLabels(client, node);
      return;
    }
    const calls = this.#cloud.calls(component, causes);
    const instance = await calls.getInstance(key, node.spec?.providerID ?? '');
    if (instance === undefined) throw new RetryError(`failed to get instance metadata for node ${key}: instance not found`);
    const mine = client.because(calls.causes);
    const written = await mine.update(nodes, initialized(node, instance));
    await this.#writeAddresses(mine, written, instance);
    this.#environment.recorder.event(node, 'Normal', 'Synced', 'Node synced successfully', calls.causes);
  }

  async #writeAddresses(client: Client, { metadata, status }: Node, { addresses }: CloudInstance): Promise<void> {
    const old = status?.addresses ?? [];
    const same = old.length === addresses.length && addresses.every(({ type, address }) => old.find((one) => one.type === type)?.address === address);
    if (same) return;
    await client.patch(nodes, undefined, metadata.name ?? '', 'merge', { status: { addresses: [...addresses] } }, { subresource: 'status' });
  }

  /** A label of the older form is repeated in the present one. */
  async #pairLabels(client: Client, { metadata }: Node): Promise<void> {
    const { labels = {} } = metadata;
    const missing = labelPairs.flatMap(([older, present]): [string, string][] => {
      const value = labels[older];
      return value === undefined || labels[present] === value ? [] : [[present, value]];
    });
    if (missing.length > 0)
      await client.patch(nodes, undefined, metadata.name ?? '', 'strategic', { metadata: { labels: Object.fromEntries(missing) } });
  }
}

function initialized(node: Node, { providerId, instanceType, zone, region }: CloudInstance): Node {
  const labels = [zone, region, instanceType].flatMap((value, index) =>
    value === '' ? [] : (labelPairs[index] ?? []).map((label) => [label, value]),
  );
  return {
    ...node,
    metadata: withMeta(node.metadata, { labels: sortedMap({ ...node.metadata.labels, ...Object.fromEntries(labels) }) }),
    spec: { ...node.spec, ...(node.spec?.providerID ? {} : { providerID: providerId }), taints: taintsWithout(node, uninitializedTaint) },
  };
}

export const cloudNodeController = defineController<CloudNodeController>({
  name,
  aliases: ['cloud-node'],
  serviceAccount: 'node-controller',
  eventSource: 'cloud-node-controller',
  canRun: hasCloud,
  workers: () => 1,
  watches: [watchOf(nodes, (event: InformerEvent<Node>) => (event.type === 'delete' ? [] : [keyOf(event.object)]))],
  create: (environment) => new CloudNodeController(environment),
});
