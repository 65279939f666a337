/** The cluster as a workload's operations see it: objects by their kind, and which pods the scheduler has come to. */
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { matchesLabels } from './labels.ts';
import type { TestCluster } from '../../support/cluster.ts';
import type { Made } from './templates.ts';

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

const podsPrefix = '/registry/pods/';

export class Api {
  readonly made: TestCluster;
  readonly #lists = new Map<string, ResourceList>();

  constructor(made: TestCluster) {
    this.made = made;
  }

  /** Where objects of that kind are created. */
  path({ apiVersion, kind }: Pick<Made, 'apiVersion' | 'kind'>, namespace: string): string {
    const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    let list = this.#lists.get(root);
    if (list === undefined) this.#lists.set(root, (list = this.made.call<ResourceList>('GET', root)));
    const found = list.resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found === undefined) throw new Error(`${root} has no ${kind}`);
    return `${root}${found.namespaced ? `/namespaces/${namespace}` : ''}/${found.name}`;
  }

  /** The name of what was created. */
  create(object: Made, namespace: string): string {
    const { metadata } = this.made.call<Made>('POST', this.path(object, namespace), object);
    return metadata.name ?? '';
  }

  pods(namespace: string, labels?: Readonly<Record<string, string>>): readonly Pod[] {
    const pods = this.made.cluster.stored(`pods/${namespace}`) as readonly Pod[];
    return labels === undefined ? pods : pods.filter(({ metadata }) => matchesLabels(metadata.labels, labels));
  }
}

/** Counts pods as they get a node: cheaper than looking at all of them again and again. */
export class Placements {
  readonly #placed = new Map<string, number>();

  constructor({ cluster }: TestCluster, labels?: Readonly<Record<string, string>>) {
    cluster.store.watch({
      prefix: podsPrefix,
      onChanges: (changes) => {
        for (const { current, previous } of changes) {
          const pod = current?.value as Pod | undefined;
          if (!hasNode(pod) || hasNode(previous?.value as Pod | undefined)) continue;
          if (labels !== undefined && !matchesLabels(pod?.metadata.labels, labels)) continue;
          const namespace = pod?.metadata.namespace ?? '';
          this.#placed.set(namespace, (this.#placed.get(namespace) ?? 0) + 1);
        }
      },
    });
  }

  /** How many pods of those namespaces have got a node so far. */
  count(namespaces: readonly string[]): number {
    return namespaces.reduce((sum, name) => sum + (this.#placed.get(name) ?? 0), 0);
  }
}

export function hasNode(pod: Pod | undefined): boolean {
  return pod?.spec?.nodeName !== undefined && pod.spec.nodeName !== '';
}

/** Whether the scheduler has tried it. */
export function isAttempted(pod: Pod): boolean {
  return hasNode(pod) || (pod.status?.conditions ?? []).some(({ type }) => type === 'PodScheduled');
}
