/** What pods use, as a metrics server tells it: steps say it, and both worlds serve it to the autoscaler. */
import { type Thing, timeText, type World } from './world.ts';

export interface PodUsage {
  /** Of each container. */
  readonly cpu?: string;
  readonly memory?: string;
}

export class PlayedUsage {
  /** By `namespace/name`; for all other pods of a namespace by `namespace/`. */
  readonly #usages = new Map<string, PodUsage>();

  /** An empty name means all pods of which nothing else is said, later ones too. */
  set(namespace: string, name: string, usage: PodUsage): void {
    this.#usages.set(`${namespace}/${name}`, usage);
  }

  /** PodMetrics of the running pods of a namespace whose usage is known; measured now. */
  metrics(world: Pick<World, 'list' | 'nowMs'>, namespace: string): readonly object[] {
    const timestamp = timeText(world);
    return world.list('pods', namespace).flatMap(({ metadata, spec, status }: Thing) => {
      const usage = this.#usages.get(`${namespace}/${metadata.name}`) ?? this.#usages.get(`${namespace}/`);
      if (usage === undefined || (status as { readonly phase?: string }).phase !== 'Running') return [];
      const { containers } = spec as { readonly containers: readonly { readonly name: string }[] };
      return [
        {
          kind: 'PodMetrics',
          apiVersion: 'metrics.k8s.io/v1beta1',
          metadata: { name: metadata.name, namespace, creationTimestamp: timestamp, labels: metadata.labels ?? {} },
          timestamp,
          window: '0s',
          containers: containers.map(({ name }) => ({ name, usage })),
        },
      ];
    });
  }
}
