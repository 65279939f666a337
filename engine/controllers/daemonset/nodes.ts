/**
 * Which nodes a DaemonSet's pods belong on, and how a pod is pinned to its node. Mirrors NodeShouldRunDaemonPod of
 * pkg/controller/daemon and pkg/controller/daemon/util.
 */
import type { DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { ControllerTraits } from '../../contracts/release.ts';
import type { Affinity, Node, Pod, PodSpec, PodTemplateSpec, Toleration } from '../../api/core/v1/types.gen.ts';
import { matchesRequiredNodeAffinity } from '../../component-helpers/node-affinity.ts';
import { findUntoleratedTaint, isSchedulingTaint } from '../../component-helpers/tolerations.ts';
import { daemonSets } from '../../client/resources.ts';
import type { CanonicalForm } from '../lib/canonical-form.ts';
import { podFromTemplate } from '../lib/pod-control.ts';
import { revisionLabel } from '../lib/revision-history.ts';

export const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** What a release and its gates say of daemons. */
export interface DaemonRules {
  readonly traits: Pick<ControllerTraits, 'daemonsTolerateFewPids'>;
  readonly schedulesDaemons: boolean;
  readonly heedsCriticalDaemons: boolean;
}

export interface Fitness {
  readonly shouldRun: boolean;
  readonly shouldContinueRunning: boolean;
}

/** Problems of a node that daemons live through. */
const tolerated: readonly (readonly [key: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];

/** Critical ones live through this too. */
const outOfDisk = [
  ['out-of-disk', 'NoExecute'],
  ['out-of-disk', 'NoSchedule'],
] as const;

/** Answers for many nodes: what the template says is read once. */
export class NodeFitness {
  readonly #pod: Pod;

  constructor({ metadata, spec }: DaemonSet, rules: DaemonRules) {
    const template = spec?.template.spec;
    const podSpec =
      template === undefined
        ? undefined
        : { ...template, tolerations: daemonTolerations(template, rules, isCritical(metadata.namespace, spec?.template, rules)) };
    this.#pod = { kind: 'Pod', apiVersion: 'v1', metadata: { namespace: metadata.namespace }, spec: podSpec } as unknown as Pod;
  }

  of(node: Node): Fitness {
    const { nodeName, tolerations } = this.#pod.spec ?? {};
    if (nodeName && nodeName !== node.metadata.name) return { shouldRun: false, shouldContinueRunning: false };
    if (!matchesRequiredNodeAffinity(this.#pod, node)) return { shouldRun: false, shouldContinueRunning: false };
    if (findUntoleratedTaint(node.spec?.taints, tolerations, isSchedulingTaint) === undefined)
      return { shouldRun: true, shouldContinueRunning: true };
    const evicting = findUntoleratedTaint(node.spec?.taints, tolerations, ({ effect }) => effect === 'NoExecute');
    return { shouldRun: false, shouldContinueRunning: evicting === undefined };
  }
}

/** The template's tolerations and those of every daemon. */
function daemonTolerations(
  { tolerations = [], hostNetwork }: PodSpec,
  { traits }: Pick<DaemonRules, 'traits'>,
  critical: boolean,
): readonly Toleration[] {
  const known = traits.daemonsTolerateFewPids ? tolerated : tolerated.filter(([name]) => name !== 'pid-pressure');
  const added = [...known, ...(hostNetwork === true ? [['network-unavailable', 'NoSchedule'] as const] : []), ...(critical ? outOfDisk : [])];
  let result = tolerations;
  for (const [name, effect] of added) {
    const wanted: Toleration = { key: `node.kubernetes.io/${name}`, operator: 'Exists', effect };
    const isSame = (toleration: Toleration): boolean =>
      toleration.key === wanted.key && toleration.operator === 'Exists' && toleration.effect === effect && !toleration.value;
    result = result.some(isSame) ? result.map((toleration) => (isSame(toleration) ? wanted : toleration)) : [...result, wanted];
  }
  return result;
}

/** A daemon of the system that an annotation calls critical. */
function isCritical(namespace: string | undefined, template: PodTemplateSpec | undefined, { heedsCriticalDaemons }: DaemonRules): boolean {
  return (
    heedsCriticalDaemons && namespace === 'kube-system' && template?.metadata?.annotations?.['scheduler.alpha.kubernetes.io/critical-pod'] === ''
  );
}

/** The generation of the template, where an annotation tells one. */
function templateGeneration({ metadata }: DaemonSet): string | undefined {
  const text = metadata.annotations?.[generationAnnotation] ?? '';
  return /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? String(BigInt(text)) : undefined;
}

/** The pod is of the present template, by hash or by generation. */
export function isPodUpdated(daemonSet: DaemonSet, pod: Pod, hash: string): boolean {
  const { labels } = pod.metadata;
  if (hash !== '' && labels?.[revisionLabel] === hash) return true;
  const generation = templateGeneration(daemonSet);
  return generation !== undefined && labels?.[generationLabel] === generation;
}

/** Makes the pods of a revision, each for a node. */
export function podMaker(daemonSet: DaemonSet, hash: string, form: CanonicalForm, rules: DaemonRules): (nodeName: string) => Pod {
  const template = daemonSet.spec?.template;
  const base = podFromTemplate(template, { object: daemonSet, type: daemonSets });
  const generation = templateGeneration(daemonSet);
  const labels = { ...base.metadata.labels, ...(generation === undefined ? {} : { [generationLabel]: generation }), [revisionLabel]: hash };
  const tolerations = daemonTolerations(base.spec as PodSpec, rules, isCritical(daemonSet.metadata.namespace, template, rules));
  const spec = { ...base.spec, tolerations, ...(rules.schedulesDaemons ? { affinity: pinnedTo(base.spec?.affinity, '') } : {}) };
  const pod = form.pod({ ...base, metadata: { ...base.metadata, labels }, spec: spec as PodSpec });
  if (!rules.schedulesDaemons) return (nodeName) => ({ ...pod, spec: { ...(pod.spec as PodSpec), nodeName } });
  return (nodeName) => ({ ...pod, spec: { ...(pod.spec as PodSpec), affinity: pinnedTo(pod.spec?.affinity, nodeName) } });
}

/** The affinity with its node terms replaced by the one node. */
function pinnedTo(affinity: Affinity | undefined, nodeName: string): Affinity {
  const required = {
    ...affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }],
  };
  return { ...affinity, nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required } };
}

/** The node that a pod is on, or is pinned to; undefined when it is neither. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  for (const { matchFields = [] } of spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []) {
    for (const { key, operator, values = [] } of matchFields) {
      if (key === 'metadata.name' && operator === 'In') return values.length === 1 ? values[0] : undefined;
    }
  }
  return undefined;
}
