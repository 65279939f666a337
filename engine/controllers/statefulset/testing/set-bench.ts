/** A bench for situations of StatefulSets: the test plays scheduler and kubelet through it. */
import type { StatefulSetStatus } from '../../../api/apps/v1/types.gen.ts';
import { controllerRevisions, pods, statefulSets } from '../../../client/resources.ts';
import { ControllerBench } from '../../testing/controller-bench.ts';
import type { Draft } from '../../../../test/support/bench.ts';
import { statefulSetController } from '../controller.ts';

export function makeSet(replicas: number, extra: object = {}): Draft {
  return {
    metadata: { namespace: 'default', name: 'web', uid: 'set-uid' },
    spec: { replicas, serviceName: 'front', selector: { matchLabels: { app: 'web' } }, template: templateOf('one'), ...extra },
  };
}

export function templateOf(image: string): object {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } };
}

export const claimTemplates = {
  volumeClaimTemplates: [
    { metadata: { name: 'data', labels: { tier: 'disk' } }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  ],
};

export class SetBench extends ControllerBench {
  edit(spec: object): void {
    this.change(statefulSets, 'default', 'web', (set) => ({ ...set, spec: { ...set.spec, ...spec } }));
  }

  names(): readonly string[] {
    return this.list(pods).map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp === undefined ? '' : ' going'}`);
  }

  images(): readonly string[] {
    return this.list(pods).map(({ metadata, spec }) => `${metadata.name}=${spec?.containers?.[0]?.image}`);
  }

  status(): StatefulSetStatus | undefined {
    return this.get(statefulSets, 'default', 'web')?.status;
  }

  revisions(): readonly (readonly [name: string | undefined, revision: unknown])[] {
    return this.list(controllerRevisions).map(({ metadata, revision }) => [metadata.name, revision] as const);
  }

  put(name: string, status: object): void {
    this.change(pods, 'default', name, (pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'node-0' }, status: { ...pod.status, ...status } }));
  }

  async serve(...names: readonly string[]): Promise<void> {
    for (const name of names) this.put(name, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: this.time() }] });
    await this.settle();
    await this.advance(50);
  }

  /** Until nothing changes any more: all pods that are there serve, those that go are gone. */
  async serveAll(): Promise<void> {
    for (let i = 0; i < 40; i++) {
      const waiting = this.list(pods).filter(({ status, metadata }) => status?.phase !== 'Running' || metadata.deletionTimestamp !== undefined);
      if (waiting.length === 0) return;
      for (const { metadata } of waiting) {
        if (metadata.deletionTimestamp === undefined) await this.serve(metadata.name ?? '');
        else await this.end(metadata.name ?? '');
      }
    }
  }

  /** The kubelet has stopped the pod. */
  async end(name: string): Promise<void> {
    this.remove(pods, 'default', name);
    await this.settle();
    await this.advance(50);
  }

  static async with(set: Draft, options: ConstructorParameters<typeof ControllerBench>[0] = {}): Promise<SetBench> {
    const bench = new SetBench(options);
    bench.add(statefulSets, set);
    await bench.run(statefulSetController);
    await bench.advance(50);
    return bench;
  }

  static async serving(replicas: number, extra: object = {}, options: ConstructorParameters<typeof ControllerBench>[0] = {}): Promise<SetBench> {
    const bench = await SetBench.with(makeSet(replicas, extra), options);
    await bench.serveAll();
    bench.clear();
    return bench;
  }
}
