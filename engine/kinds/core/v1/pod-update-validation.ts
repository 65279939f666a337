/** What an update of a pod may change, through the pod and through its ephemeral containers. Mirrors ValidatePodUpdate and ValidatePodEphemeralContainersUpdate of pkg/apis/core/validation. */
import type { Affinity, Container, NodeSelectorTerm, Pod, PodSpec, Toleration } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { isMirrorPod } from '../../../component-helpers/pod.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { goJson } from '../../../apimachinery/quote.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { hasPending } from '../../../apimachinery/initializers.ts';
import { inclusiveRangeError } from '../../../apimachinery/validation.ts';
import { internalDiff } from '../../shared/json-diff.ts';
import { specPath } from '../../shared/strategy.ts';
import { validateImageNames } from './container-validation.ts';
import { withUsedGates } from './gates-in-use.ts';
import { validateTolerations } from './placement-validation.ts';
import { validatePodAnnotations } from './pod-annotation-validation.ts';
import { validateAnnotationUpdate, validateMetaAndSpec } from './pod-validation.ts';
import type { Faults } from './resource-validation.ts';

const maxInt32 = 2147483647;
const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

export function validatePodUpdate(next: Pod, old: Pod, given: StrategyContext): FieldErrorList {
  const context = withUsedGates(given, old);
  const [now, before] = [next.spec, old.spec];
  if (now === undefined || before === undefined) return [required(specPath)];
  const out: Faults = [];
  // Whoever initializes a pod may make it another one.
  if (hasPending(old)) {
    validateMetaAndSpec(next, context, out);
    return out;
  }
  if (now !== before || isOutOfUse(now, context)) validateMetaAndSpec(next, context, out);
  else if (next.metadata.annotations !== old.metadata.annotations)
    validatePodAnnotations(next.metadata.annotations, now, context, root('metadata', 'annotations'), out);
  validateAnnotationUpdate(next, old, context, out);
  if (now === before) return out;
  if (!validateImages(now.containers ?? [], before.containers ?? [], specPath.child('containers'), out)) return out;
  if (!validateImages(now.initContainers ?? [], before.initContainers ?? [], specPath.child('initContainers'), out)) return out;
  if (!validateDeadline(now, before, out)) return out;
  validateAddedTolerations(now.tolerations ?? [], before.tolerations ?? [], context, out);
  validateRemovedGates(now, before, out);
  if (before.schedulingGates?.length) validateGated(now, before, out);
  const munged = withUpdatable(now, before, context.ratcheted('BoundedGraces'));
  if (!semanticEqual(munged, before)) {
    out.push(forbidden(specPath, `pod updates may not change fields other than ${updatable}\n${changeText(context, before, munged)}`));
  }
  return out;
}

/** What differs; where a release shows it in a way of its own, what it would be and what it is, a line each. */
function changeText(context: Pick<StrategyContext, 'ratcheted'>, before: PodSpec, munged: PodSpec): string {
  if (context.ratcheted('InternalValues')) return internalDiff('core.v1.PodSpec', before, munged);
  return [munged, before].map((spec) => goJson(spec as unknown as JsonValue)).join('\n');
}

/** Keys of labels that were let in under a gate that is off now are judged at each write, as upstream does. */
function isOutOfUse({ topologySpreadConstraints }: PodSpec, gates: Pick<StrategyContext, 'featureEnabled'>): boolean {
  return (
    !gates.featureEnabled('MatchLabelKeysInPodTopologySpread') && topologySpreadConstraints?.some(({ matchLabelKeys }) => matchLabelKeys) === true
  );
}

function same(a: unknown, b: unknown): boolean {
  return a === b || goJson((a ?? null) as JsonValue) === goJson((b ?? null) as JsonValue);
}

function validateImages(next: readonly Container[], old: readonly Container[], path: FieldPath, out: Faults): boolean {
  if (next.length !== old.length) {
    out.push(forbidden(path, 'pod updates may not add or remove containers'));
    return false;
  }
  for (const [index, container] of next.entries()) {
    if (!container.image) out.push(required(path.index(index).child('image')));
  }
  validateImageNames(next, path, out);
  return true;
}

function validateDeadline(next: PodSpec, old: PodSpec, out: Faults): boolean {
  const path = specPath.child('activeDeadlineSeconds');
  const [now, before] = [next.activeDeadlineSeconds, old.activeDeadlineSeconds];
  if (now === undefined) {
    if (before !== undefined) out.push(invalid(path, null, 'must not update from a positive integer to nil value'));
    return true;
  }
  if (now < 0 || now > maxInt32) out.push(invalid(path, now, inclusiveRangeError(0, maxInt32)));
  else if (before !== undefined && before < now) out.push(invalid(path, now, 'must be less than or equal to previous value'));
  else return true;
  return false;
}

/** All old ones are still there; only their seconds may differ. */
function validateAddedTolerations(next: readonly Toleration[], old: readonly Toleration[], context: StrategyContext, out: Faults): void {
  if (next === old) return;
  const bare = ({ tolerationSeconds: _seconds, ...rest }: Toleration): string => goJson(rest as JsonValue);
  const kept = new Set(next.map(bare));
  if (!old.every((toleration) => kept.has(bare(toleration)))) {
    return void out.push(forbidden(specPath.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds'));
  }
  validateTolerations(next, context.featureEnabled('TaintTolerationComparisonOperators'), specPath.child('tolerations'), out);
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';

/** While a pod waits at a gate, where it may go can be narrowed. */
function validateGated(next: PodSpec, old: PodSpec, out: Faults): void {
  const selector = next.nodeSelector ?? {};
  if (Object.entries(old.nodeSelector ?? {}).some(([key, value]) => getOwn(selector, key) !== value)) {
    const text = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    out.push(invalid(specPath.child('nodeSelector'), next.nodeSelector ?? null, text));
  }
  const before = old.affinity?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const now = next.affinity?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const path = specPath.child('affinity').child('nodeAffinity').child(requiredTerms).child('nodeSelectorTerms');
  if (before.length > 0 && before.length !== now.length)
    return void out.push(invalid(path, now, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed'));
  for (const [index, term] of before.entries())
    if (!isNarrowed(now[index] ?? {}, term))
      out.push(invalid(path.index(index), now[index], 'only additions are allowed (no mutations or deletions)'));
}

function isNarrowed(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const lists = ['matchExpressions', 'matchFields'] as const;
  if (lists.every((list) => !old[list]?.length) && lists.some((list) => next[list]?.length)) return false;
  return lists.every((list) => semanticEqual((next[list] ?? []).slice(0, old[list]?.length ?? 0), old[list] ?? []));
}

function validateRemovedGates(next: PodSpec, old: PodSpec, out: Faults): void {
  for (const [index, gate] of (next.schedulingGates ?? []).entries()) {
    if (old.schedulingGates?.some((before) => before.name === gate.name)) continue;
    out.push(
      forbidden(
        specPath.child('schedulingGates').index(index).child('name'),
        `only deletion is allowed, but found new scheduling gate '${gate.name}'`,
      ),
    );
  }
}

/** The new spec with everything an update may change taken from the old one. */
function withUpdatable(next: PodSpec, old: PodSpec, boundsGraces: boolean): PodSpec {
  const imagesOf = (now: readonly Container[], before: readonly Container[]): readonly Container[] =>
    now.map((container, index) => {
      const image = before[index]?.image;
      return container.image === image || image === undefined ? container : { ...container, image };
    });
  const kept: { -readonly [member in keyof PodSpec]: PodSpec[member] } = {
    ...next,
    containers: imagesOf(next.containers ?? [], old.containers ?? []),
  };
  // Upstream builds both lists anew: an empty one is none.
  if (next.initContainers?.length) kept.initContainers = imagesOf(next.initContainers, old.initContainers ?? []);
  else delete kept.initContainers;
  const gated = (old.schedulingGates?.length ?? 0) > 0;
  const members: readonly (keyof PodSpec)[] = ['activeDeadlineSeconds', 'schedulingGates', 'tolerations'];
  for (const member of gated ? [...members, 'nodeSelector' as const] : members) {
    if (old[member] === undefined) delete kept[member];
    else Object.assign(kept, { [member]: old[member] });
  }
  if (gated && !semanticEqual(next.affinity?.nodeAffinity, old.affinity?.nodeAffinity)) keepNodeAffinity(kept, next.affinity, old.affinity);
  if (boundsGraces && (old.terminationGracePeriodSeconds ?? 0) < 0 && next.terminationGracePeriodSeconds === 1)
    Object.assign(kept, { terminationGracePeriodSeconds: old.terminationGracePeriodSeconds });
  return inOrder(kept, old);
}

function keepNodeAffinity(kept: { affinity?: Affinity }, now: Affinity | undefined, before: Affinity | undefined): void {
  const { nodeAffinity: _own, ...others } = now ?? {};
  const nodeAffinity = before?.nodeAffinity;
  if (before === undefined && Object.keys(others).length === 0) delete kept.affinity;
  else kept.affinity = { ...(nodeAffinity && { nodeAffinity }), ...others };
}

/** Members in the order of the other spec, so that texts compare. */
function inOrder(spec: PodSpec, order: PodSpec): PodSpec {
  const entries = Object.entries(spec);
  const place = new Map(Object.keys(order).map((key, index) => [key, index]));
  return Object.fromEntries(entries.sort(([a], [b]) => (place.get(a) ?? 99) - (place.get(b) ?? 99))) as unknown as PodSpec;
}

export function validateEphemeralUpdate(next: Pod, old: Pod, given: StrategyContext): FieldErrorList {
  const context = withUsedGates(given, old);
  const out: Faults = [];
  if (isMirrorPod(old)) return [forbidden(root('[]'), 'static pods do not support ephemeral containers')];
  validateMetaAndSpec(next, context, out);
  validateAnnotationUpdate(next, old, context, out);
  const path = specPath.child('ephemeralContainers');
  for (const before of old.spec?.ephemeralContainers ?? []) {
    const now = next.spec?.ephemeralContainers?.find((container) => container.name === before.name);
    if (now === undefined) out.push(forbidden(path, `existing ephemeral containers ${JSON.stringify(before.name)} may not be removed\n`));
    else if (!same(now, before)) {
      const text = internalDiff('core.v1.EphemeralContainer', before, now);
      out.push(forbidden(path, `existing ephemeral containers ${JSON.stringify(before.name)} may not be changed\n${text}`));
    }
  }
  return out;
}
