/**
 * Topology spread: as long as pods of one constraint only come and nodes stay, no domain ever holds more than `maxSkew` above the
 * emptiest one, because the emptiest only fills. A group in which something went is not judged any more.
 */
import type { Node, Pod, TopologySpreadConstraint } from '../../../engine/api/core/v1/types.gen.ts';
import { prefixOf, selects, type World } from '../world.ts';
import type { Checker } from './checker.ts';
import { matchesNode } from './placement.ts';

const calmMs = 3_000;

interface Group {
  readonly namespace: string;
  readonly constraint: TopologySpreadConstraint;
  /** One of its pods: all come from one template. */
  readonly sample: Pod;
}

export function spreadIsEven(): Checker {
  const groups = new Map<string, Group>();
  const spoilt = new Set<string>();
  const spoil = (concerns: (group: Group) => boolean): void => {
    for (const [id, group] of groups) if (concerns(group)) spoilt.add(id);
  };
  return {
    name: 'spread is even',
    onChange({ key, current, previous }) {
      const prefix = prefixOf(key);
      if (prefix === 'minions' && (current === undefined || previous === undefined || labelsOf(current.value) !== labelsOf(previous.value)))
        spoil(() => true);
      if (prefix !== 'pods') return [];
      const pod = (current ?? previous)?.value as Pod;
      if (current === undefined || !counts(pod)) {
        // Bound by hand or gone: both make room that the scheduler never gave.
        spoil(({ namespace, constraint }) => namespace === pod.metadata.namespace && matches(constraint, pod));
        return [];
      }
      const { namespace = '' } = pod.metadata;
      for (const constraint of pod.spec?.topologySpreadConstraints ?? []) {
        if (constraint.whenUnsatisfiable !== 'DoNotSchedule' || !matches(constraint, pod)) continue;
        const id = JSON.stringify([namespace, constraint, pod.spec?.nodeSelector, pod.spec?.affinity]);
        if (!groups.has(id)) groups.set(id, { namespace, constraint, sample: pod });
      }
      if (pod.spec?.nodeName && previous === undefined) spoil((group) => group.namespace === namespace && matches(group.constraint, pod));
      return [];
    },
    inspect: (world) => [...groups].flatMap(([id, group]) => (spoilt.has(id) ? [] : wrongGroup(group, world))),
  };
}

function wrongGroup({ namespace, constraint, sample }: Group, world: World): readonly string[] {
  if (world.calmMs('pods', namespace) < calmMs) return [];
  const { topologyKey, maxSkew } = constraint;
  const domains = new Map<string, number>();
  for (const node of world.all<Node>('minions')) {
    const domain = node.metadata.labels?.[topologyKey];
    if (domain !== undefined && matchesNode(sample, node)) domains.set(domain, 0);
  }
  const all = world.all<Pod>('pods', namespace).filter((pod) => matches(constraint, pod) && pod.spec?.nodeName && counts(pod));
  // Pods that match and do not keep to the constraint themselves may pile up.
  if (all.some(({ spec }) => !spec?.topologySpreadConstraints?.some((each) => JSON.stringify(each) === JSON.stringify(constraint)))) return [];
  for (const { spec } of all) {
    const domain = world.get<Node>('minions', undefined, spec?.nodeName ?? '')?.metadata.labels?.[topologyKey] ?? '';
    domains.set(domain, (domains.get(domain) ?? 0) + 1);
  }
  const skew = Math.max(...domains.values()) - Math.min(...domains.values());
  return skew > maxSkew
    ? [`pods like ${namespace}/${sample.metadata.name} lie ${JSON.stringify([...domains])} over ${topologyKey}, at most ${maxSkew} apart`]
    : [];
}

function matches({ labelSelector }: TopologySpreadConstraint, { metadata }: Pod): boolean {
  return selects(labelSelector?.matchLabels, metadata.labels);
}

function counts({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

function labelsOf({ metadata }: { readonly metadata: { readonly labels?: object } }): string {
  return JSON.stringify(metadata.labels ?? {});
}
