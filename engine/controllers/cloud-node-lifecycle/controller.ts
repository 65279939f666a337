/**
 * Looks after Nodes that are not ready: deletes those whose instance the cloud has ended, taints those whose instance is switched off.
 * Mirrors k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go.
 */
import type { Node, Taint } from '../../api/core/v1/types.gen.ts';
import { StatusError } from '../../apimachinery/status.ts';
import { timerCause } from '../../base/causes.ts';
import { isNodeReady } from '../../component-helpers/node.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { nodes } from '../../client/resources.ts';
import { CloudError, type CloudProvider } from '../../contracts/cloud.ts';
import { type Controller, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { hasCloud, hasTaint, mustHaveCloud, shutdownTaint, taintsWithout } from '../lib/cloud.ts';

const name = 'cloud-node-lifecycle-controller';
const component = `controller/${name}`;
const passTimer = 'monitor';
const causes = [timerCause(component, passTimer)];

class CloudNodeLifecycleController implements Controller {
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
    for (const node of this.#nodes.list()) {
      try {
        await this.#look(node);
      } catch (error) {
        // The next pass looks again.
        if (!(error instanceof CloudError) && !(error instanceof StatusError)) throw error;
      }
    }
    this.#environment.setTimer(this.#environment.options.nodeMonitorPeriodMs, passTimer);
  }

  async reconcile(): Promise<void> {
    // All work is done in passes; no key is ever queued.
  }

  async #look(node: Node): Promise<void> {
    if (isNodeReady(node)) {
      if (hasTaint(node, shutdownTaint)) await writeTaints(this.#environment.client.because(causes), node, taintsWithout(node, shutdownTaint));
      return;
    }
    const calls = this.#cloud.calls(component, causes);
    const nodeName = node.metadata.name ?? '';
    const instance = await calls.getInstance(nodeName, node.spec?.providerID ?? '');
    const client = this.#environment.client.because(calls.causes);
    if (instance === undefined) {
      const { recorder } = this.#environment;
      recorder.event(node, 'Normal', 'DeletingNode', `Deleting node ${nodeName} because it does not exist in the cloud provider`, calls.causes);
      try {
        await client.delete(nodes, undefined, nodeName);
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        recorder.event(node, 'Warning', 'DeletingNodeFailed', `Failed deleting node ${nodeName}: ${error.message}`, calls.causes);
      }
    } else if (instance.isShutDown && !hasTaint(node, shutdownTaint)) {
      const taint = { key: shutdownTaint, effect: 'NoSchedule' };
      await writeTaints(client, node, [...(node.spec?.taints ?? []), taint]);
    }
  }
}

/** Conditional: who else changes taints meanwhile makes it fail, and the next pass sees the new ones. */
async function writeTaints(client: Client, { metadata }: Node, taints: readonly Taint[]): Promise<void> {
  const { name: node = '', resourceVersion = '' } = metadata;
  await client.patch(nodes, undefined, node, 'merge', { metadata: { resourceVersion }, spec: { taints } });
}

export const cloudNodeLifecycleController = defineController<CloudNodeLifecycleController>({
  name,
  aliases: ['cloud-node-lifecycle'],
  serviceAccount: 'node-controller',
  eventSource: name,
  canRun: hasCloud,
  workers: () => 1,
  watches: [watchOf(nodes, () => [])],
  create: (environment) => new CloudNodeLifecycleController(environment),
});
