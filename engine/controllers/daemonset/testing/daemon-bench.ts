/** A bench for situations of DaemonSets: the test plays scheduler and kubelets through it. */
import type { DaemonSetStatus } from '../../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../../api/core/v1/types.gen.ts';
import { daemonSets, nodes, pods } from '../../../client/resources.ts';
import { ControllerBench } from '../../testing/controller-bench.ts';
import type { Draft } from '../../../../test/support/bench.ts';
import { daemonSetController } from '../controller.ts';
import { generationAnnotation, targetNodeOf } from '../nodes.ts';

export function makeDaemonSet(extra: object = {}, podSpec: object = {}): Draft {
  return {
    metadata: { namespace: 'default', name: 'agent', uid: 'set-uid', annotations: { [generationAnnotation]: '1' } },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: templateOf('one', podSpec), ...extra },
  };
}

export function templateOf(image: string, podSpec: object = {}): object {
  return { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'c', image }], ...podSpec } };
}

export function rolling(rollingUpdate: object): object {
  return { updateStrategy: { type: 'RollingUpdate', rollingUpdate } };
}

export class DaemonBench extends ControllerBench {
  addNode(name: string, spec: object = {}, labels: Readonly<Record<string, string>> = {}): void {
    this.add(nodes, { metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } }, spec });
  }

  editNode(name: string, spec: object, labels: Readonly<Record<string, string>> = {}): void {
    this.change(nodes, undefined, name, (node) => ({
      ...node,
      metadata: { ...node.metadata, labels: { ...node.metadata.labels, ...labels } },
      spec: { ...node.spec, ...spec },
    }));
  }

  /** Counts templates, as the API server does. */
  edit(spec: object): void {
    this.change(daemonSets, 'default', 'agent', (set) => {
      const { [generationAnnotation]: before, ...annotations } = set.metadata.annotations ?? {};
      const generation = String(Number(before) + ('template' in spec ? 1 : 0));
      return {
        ...set,
        metadata: { ...set.metadata, annotations: { ...annotations, [generationAnnotation]: generation } },
        spec: { ...set.spec, ...spec },
      };
    });
  }

  /** `node=image`, with what becomes of it. */
  where(): readonly string[] {
    const texts = this.list(pods).map(
      (pod) => `${targetNodeOf(pod)}=${pod.spec?.containers?.[0]?.image}${pod.metadata.deletionTimestamp === undefined ? '' : ' going'}`,
    );
    return texts.sort();
  }

  status(): DaemonSetStatus | undefined {
    return this.get(daemonSets, 'default', 'agent')?.status;
  }

  put(pod: Pod, status: object): void {
    this.change(pods, 'default', pod.metadata.name ?? '', (old) => ({
      ...old,
      spec: { ...old.spec, nodeName: targetNodeOf(old) },
      status: { ...old.status, ...status },
    }));
  }

  async serve(image?: string): Promise<void> {
    const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: this.time() }] };
    for (const pod of this.list(pods)) {
      const isServing = pod.status?.phase === 'Running' || pod.metadata.deletionTimestamp !== undefined;
      if (!isServing && (image === undefined || pod.spec?.containers?.[0]?.image === image)) this.put(pod, ready);
    }
    await this.advance(1_000);
  }

  async endGoing(): Promise<void> {
    for (const { metadata } of this.list(pods)) if (metadata.deletionTimestamp !== undefined) this.remove(pods, 'default', metadata.name ?? '');
    await this.advance(1_000);
  }

  /** Kubelets do their work until nothing changes any more. */
  async settleAll(): Promise<void> {
    for (let i = 0; i < 12; i++) {
      await this.serve();
      await this.endGoing();
    }
  }

  static async with(set: Draft, nodeNames: readonly string[] = ['a', 'b', 'c']): Promise<DaemonBench> {
    const bench = new DaemonBench();
    for (const name of nodeNames) bench.addNode(name);
    bench.add(daemonSets, set);
    await bench.run(daemonSetController);
    await bench.advance(1_000);
    return bench;
  }

  static async serving(extra: object = {}, podSpec: object = {}): Promise<DaemonBench> {
    const bench = await DaemonBench.with(makeDaemonSet(extra, podSpec));
    await bench.serve();
    bench.clear();
    return bench;
  }
}
