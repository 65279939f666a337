/** What a resize of a pod may change. Mirrors ValidatePodResize of pkg/apis/core/validation. */
import type { Container, Pod, PodSpec, ResourceRequirements } from '../../../api/core/v1/types.gen.ts';
import { type FieldErrorList, type FieldPath, forbidden, invalid, required, root } from '../../../apimachinery/field-errors.ts';
import { compareQuantity, parseQuantity } from '../../../apimachinery/quantity.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import { isMirrorPod } from '../../../component-helpers/pod.ts';
import { podQosClass } from '../../../component-helpers/pod-qos.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import { withUsedGates } from './gates-in-use.ts';
import { validateMetaAndSpec } from './pod-validation.ts';
import type { Faults } from './resource-validation.ts';

const whole = root('[]');
const wholeText = 'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
const onlyText = 'only cpu and memory resources are mutable';
const sides = ['requests', 'limits'] as const;

/** `next` differs from `old` in the resources and the resize policies of containers, and in those of the pod, or in which containers there are. */
export function validateResize(next: Pod, old: Pod, given: StrategyContext): FieldErrorList {
  const context = withUsedGates(given, old);
  const out: Faults = [];
  const [now, before] = [next.spec, old.spec];
  if (now === undefined || before === undefined) return [required(specPath)];
  validateMetaAndSpec(next, context, out);
  if (isMirrorPod(old)) return [forbidden(whole, 'static pods cannot be resized')];
  if (before.os?.name === 'windows') return [forbidden(whole, 'windows pods cannot be resized')];
  if (podQosClass(next) !== podQosClass(old)) out.push(invalid(specPath, podQosClass(old), 'Pod QOS Class may not change as a result of resizing'));
  if (!runsWhereResized(old)) out.push(forbidden(specPath, 'Pod running on node without support for resize'));
  const isWhole = isSized(now) || isSized(before);
  if (isWhole && !context.featureEnabled('InPlacePodLevelResourcesVerticalScaling')) return [...out, forbidden(whole, wholeText)];
  if (isWhole) validateWhole(now.resources, before.resources, out);
  if (old.status?.nodeAllocatableResourceClaimStatuses?.length)
    out.push(forbidden(specPath, 'pods with node allocatable resource claims cannot be resized'));
  const places = out.length;
  for (const list of ['containers', 'initContainers'] as const) validatePlaces(now[list] ?? [], before[list] ?? [], list, out);
  if (out.length > places) return out;
  validateContainers(now, before, context.featureEnabled('InPlacePodVerticalScalingInitContainers'), out);
  const untouched = isWhole ? masked(now.resources, before.resources) : now.resources;
  if (out.length === 0 && !sameWhole(untouched, before.resources)) out.push(forbidden(specPath, onlyText));
  return out;
}

/** Whether the node says what its first running container has; without one nobody knows, and it is taken to. */
function runsWhereResized({ status }: Pod): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function isSized({ resources }: PodSpec): boolean {
  return Object.keys({ ...resources?.requests, ...resources?.limits }).length > 0;
}

function validateWhole(now: ResourceRequirements | undefined, before: ResourceRequirements | undefined, out: Faults): void {
  const path = specPath.child('resources');
  if (before !== undefined && now === undefined) return void out.push(forbidden(path, 'pod-level resources cannot be removed'));
  if (before !== undefined)
    for (const side of sides)
      if (isRemoved(now?.[side], before[side])) out.push(forbidden(path.child(side), `pod-level resource ${side} cannot be removed`));
  if (!sameWhole(masked(now, before), before)) out.push(forbidden(specPath, `${onlyText} at pod-level`));
}

function validatePlaces(now: readonly Container[], before: readonly Container[], list: 'containers' | 'initContainers', out: Faults): void {
  const path = specPath.child(list);
  if (now.length !== before.length) return void out.push(forbidden(path, `${list} may not be added or removed on resize`));
  for (const [index, { name }] of before.entries())
    if (now[index]?.name !== name) out.push(forbidden(path.index(index).child('name'), `${list} may not be renamed or reordered on resize`));
}

/** Both lists hold the same containers. `resizesInits`: also those that end before others begin. */
function validateContainers(now: PodSpec, before: PodSpec, resizesInits: boolean, out: Faults): void {
  const inits = pairs(now.initContainers ?? [], before.initContainers ?? []);
  const main = pairs(now.containers ?? [], before.containers ?? []);
  const initsPath = specPath.child('initContainers');
  for (const [index, [next, old]] of inits.entries())
    if (resizesInits || old.restartPolicy === 'Always') validateKept(next, old, initsPath.index(index).child('resources'), out);
  for (const [index, [next, old]] of main.entries()) validateKept(next, old, specPath.child('containers').index(index).child('resources'), out);
  for (const [next, old] of main) if (!isOnlyResized(next, old)) out.push(forbidden(specPath, onlyText));
  for (const [index, [next, old]] of inits.entries()) validateInit(next, old, { resizesInits, path: initsPath.index(index) }, out);
}

function pairs(now: readonly Container[], before: readonly Container[]): readonly (readonly [next: Container, old: Container])[] {
  return before.map((old, index) => [now[index] ?? old, old]);
}

function validateInit(
  next: Container,
  old: Container,
  { resizesInits, path }: { readonly resizesInits: boolean; readonly path: FieldPath },
  out: Faults,
): void {
  const staysOn = next.restartPolicy === 'Always';
  const isChanged =
    !semanticEqual({ ...next, resources: undefined }, { ...old, resources: undefined }) || !sameResources(next.resources, old.resources);
  if (!staysOn && !resizesInits) {
    if (isChanged) out.push(forbidden(specPath, 'resources for non-sidecar init containers are immutable'));
    return;
  }
  if (!isOnlyResized(next, old)) out.push(forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable'));
  if (!isChanged || staysOn) return;
  for (const { restartPolicy } of next.resizePolicy ?? [])
    if (restartPolicy === 'RestartContainer')
      out.push(forbidden(path, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized'));
}

/** What was asked for may be asked for otherwise, and not no more. */
function validateKept({ resources: now }: Container, { resources: before }: Container, path: FieldPath, out: Faults): void {
  for (const side of sides) if (isRemoved(now?.[side], before?.[side])) out.push(forbidden(path.child(side), `resource ${side} cannot be removed`));
}

type ResourceList = { readonly [name: string]: string };

function isRemoved(now: ResourceList = {}, before: ResourceList = {}): boolean {
  return Object.keys(before).some((name) => getOwn(now, name) === undefined);
}

/** Upstream compares with what of the new container is masked, which holds no claims. */
function isOnlyResized(next: Container, old: Container): boolean {
  const { claims: _claims, ...resources } = masked(next.resources ?? {}, old.resources ?? {}) ?? {};
  return semanticEqual({ ...next, resources: undefined }, { ...old, resources: undefined }) && sameResources(resources, old.resources);
}

/** With processors and memory as they were. */
function masked(now: ResourceRequirements | undefined, before: ResourceRequirements | undefined): ResourceRequirements | undefined {
  if (now === undefined) return undefined;
  const [requests, limits] = sides.map((side) => withoutCounted(now[side], before?.[side]));
  const left: ResourceRequirements = { ...now, ...(requests && { requests }), ...(limits && { limits }) };
  const isEmpty = sides.every((side) => Object.keys(left[side] ?? {}).length === 0) && !left.claims?.length;
  return before === undefined && isEmpty ? undefined : left;
}

function withoutCounted(now: ResourceList = {}, before: ResourceList = {}): ResourceList {
  const { cpu: _cpu, memory: _memory, ...others } = now;
  const kept = Object.entries(before).filter(([name]) => name === 'cpu' || name === 'memory');
  return { ...others, ...Object.fromEntries(kept) };
}

function sameWhole(a: ResourceRequirements | undefined, b: ResourceRequirements | undefined): boolean {
  return (a === undefined) === (b === undefined) && sameResources(a, b);
}

/** Amounts compare as such, and a list of nothing is none. */
function sameResources(a: ResourceRequirements = {}, b: ResourceRequirements = {}): boolean {
  return sides.every((side) => sameAmounts(a[side], b[side])) && semanticEqual(a.claims ?? [], b.claims ?? []);
}

function sameAmounts(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const other = getOwn(b, name);
      return other !== undefined && compareQuantity(parseQuantity(a[name] ?? ''), parseQuantity(other)) === 0;
    })
  );
}
