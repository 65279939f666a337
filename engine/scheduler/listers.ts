/** What the scheduler reads of other resources: selectors of services and controllers, namespaces' labels, disruption budgets. */
import type { ReplicaSet, StatefulSet } from '../api/apps/v1/types.gen.ts';
import type { Namespace, Node, Pod, ReplicationController, Service } from '../api/core/v1/types.gen.ts';
import type { PodDisruptionBudget } from '../api/policy/v1/types.gen.ts';
import { type LabelSelector, type LabelSet, type Selector, selectorFromSet } from '../apimachinery/labels.ts';
import type { Informer, InformerFactory } from '../client/informer.ts';
import * as resources from '../client/resources.ts';
import { sameJson } from './framework/cluster-events.ts';
import { compileLabelSelector } from './framework/matching.ts';

const noLabels: LabelSet = {};

export class Listers {
  readonly pods: Informer<Pod>;
  readonly nodes: Informer<Node>;
  readonly #services: Informer<Service>;
  readonly #replicationControllers: Informer<ReplicationController>;
  readonly #replicaSets: Informer<ReplicaSet>;
  readonly #statefulSets: Informer<StatefulSet>;
  readonly #namespaces: Informer<Namespace>;
  readonly #budgets: Informer<PodDisruptionBudget>;
  /** Counts changes of namespaces' labels. */
  namespacesVersion = 0;

  constructor(informers: InformerFactory) {
    this.pods = informers.informer(resources.pods);
    this.nodes = informers.informer(resources.nodes);
    this.#services = informers.informer(resources.services);
    this.#replicationControllers = informers.informer(resources.replicationControllers);
    this.#replicaSets = informers.informer(resources.replicaSets);
    this.#statefulSets = informers.informer(resources.statefulSets);
    this.#namespaces = informers.informer(resources.namespaces);
    this.#budgets = informers.informer(resources.podDisruptionBudgets);
    this.#namespaces.addHandler((event) => {
      if (event.type !== 'update' || !sameJson(event.old.metadata.labels, event.object.metadata.labels)) this.namespacesVersion++;
    });
  }

  budgets(): readonly PodDisruptionBudget[] {
    return this.#budgets.list();
  }

  namespaceLabels(name: string): LabelSet {
    return this.#namespaces.get(undefined, name)?.metadata.labels ?? noLabels;
  }

  namespacesMatching(selector: Selector): readonly string[] {
    return this.#namespaces
      .list()
      .filter((namespace) => selector.matches(namespace.metadata.labels))
      .map((namespace) => namespace.metadata.name ?? '');
  }

  servicesOf({ metadata }: Pod): readonly Selector[] {
    const selectors = this.#services
      .list(metadata.namespace ?? '')
      .flatMap(({ spec }) => (spec?.selector === undefined ? [] : [selectorFromSet(spec.selector)]));
    return selectors.filter((selector) => selector.matches(metadata.labels));
  }

  controllersOf({ metadata }: Pod): readonly Selector[] {
    const namespace = metadata.namespace ?? '';
    const plain = this.#replicationControllers.list(namespace).map(({ spec }) => selectorFromSet(spec?.selector ?? noLabels));
    const others = [...this.#replicaSets.list(namespace), ...this.#statefulSets.list(namespace)].map(({ spec }) =>
      compileLabelSelector(spec?.selector as LabelSelector | undefined),
    );
    return [...plain, ...others].filter((selector) => !selector.isEmpty() && selector.matches(metadata.labels));
  }

  /** What spreads this pod when it says nothing itself: the selectors of its services and of its controller, together. */
  defaultSelector(pod: Pod): Selector | undefined {
    const namespace = pod.metadata.namespace ?? '';
    const labels = pod.metadata.labels;
    let merged: LabelSet = noLabels;
    for (const { spec } of this.#services.list(namespace)) {
      if (spec?.selector !== undefined && Object.keys(spec.selector).length > 0 && selectorFromSet(spec.selector).matches(labels))
        merged = { ...merged, ...spec.selector };
    }
    const owner = pod.metadata.ownerReferences?.find((reference) => reference.controller === true);
    let selector: LabelSelector | undefined;
    if (owner?.kind === 'ReplicaSet' && owner.apiVersion === 'apps/v1')
      selector = this.#replicaSets.get(namespace, owner.name)?.spec?.selector as LabelSelector | undefined;
    else if (owner?.kind === 'StatefulSet' && owner.apiVersion === 'apps/v1')
      selector = this.#statefulSets.get(namespace, owner.name)?.spec?.selector as LabelSelector | undefined;
    else if (owner?.kind === 'ReplicationController' && owner.apiVersion === 'v1') {
      merged = { ...merged, ...this.#replicationControllers.get(namespace, owner.name)?.spec?.selector };
    }
    if (merged === noLabels && selector === undefined) return undefined;
    const base = selectorFromSet(merged);
    const whole = selector === undefined ? base : base.add(...compileLabelSelector(selector).requirements);
    return whole.isEmpty() ? undefined : whole;
  }
}
