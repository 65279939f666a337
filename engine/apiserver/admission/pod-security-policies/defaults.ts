/** What a policy fills in where a pod says nothing. Mirrors provider.go (Default…SecurityContext) of pkg/security/podsecuritypolicy, release 1.13. */
import { appArmorDefault, seccompDefault } from '../../../kinds/extensions/v1beta1/policy-annotation-validation.ts';
import type { PodSecurityPolicy } from '../../../api/extensions/v1beta1/types.gen.ts';
import type { Capabilities, Container, Pod, PodSecurityContext, SecurityContext } from '../../../api/core/v1/types.gen.ts';
import { setOwn } from '../../../base/dictionary.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { annotationOf, appArmorContainer, type Rules, seccompPod } from './policy.ts';

export interface FillOptions {
  /** The gate RunAsGroup. */
  readonly hasGroups: boolean;
}

/** The pod as the policy wants it, the same reference where nothing is missing. */
export function filledPod(policy: PodSecurityPolicy, pod: Pod, options: FillOptions): Pod {
  const rules = policy.spec ?? ({} as Rules);
  const inPod = withAnnotations(withSecurity(pod, podSecurity(rules, pod.spec?.securityContext)), podAnnotations(policy, pod));
  const { spec } = inPod;
  if (spec === undefined) return inPod;
  const fill = (containers: readonly Container[]): readonly Container[] =>
    mapped(containers, (container) => filledContainer(rules, inPod, container, options));
  const initContainers = spec.initContainers && fill(spec.initContainers);
  const containers = fill(spec.containers ?? []);
  if (initContainers === spec.initContainers && containers === (spec.containers ?? containers)) return inPod;
  return { ...inPod, spec: { ...spec, ...(initContainers !== undefined && { initContainers }), containers } };
}

function mapped<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  const next = list.map(change);
  return next.every((one, index) => one === list[index]) ? list : next;
}

function withSecurity(pod: Pod, securityContext: PodSecurityContext | undefined): Pod {
  return securityContext === pod.spec?.securityContext || securityContext === undefined || pod.spec === undefined
    ? pod
    : { ...pod, spec: { ...pod.spec, securityContext } };
}

function podSecurity({ supplementalGroups, fsGroup, seLinux }: Rules, given: PodSecurityContext | undefined): PodSecurityContext | undefined {
  const first = (strategy: Rules['fsGroup'] | undefined) => (strategy?.rule === 'MustRunAs' ? strategy.ranges?.[0]?.min : undefined);
  const [supplemental, group] = [first(supplementalGroups), first(fsGroup)];
  const labels = seLinux?.rule === 'MustRunAs' ? seLinux.seLinuxOptions : undefined;
  const more: PodSecurityContext = {
    ...(given?.supplementalGroups === undefined && supplemental !== undefined && { supplementalGroups: [supplemental] }),
    ...(given?.fsGroup === undefined && group !== undefined && { fsGroup: group }),
    ...(given?.seLinuxOptions === undefined && labels !== undefined && { seLinuxOptions: labels }),
  };
  return Object.keys(more).length === 0 ? given : { ...given, ...more };
}

function podAnnotations(policy: PodSecurityPolicy, pod: Pod): { readonly [key: string]: string } {
  const [seccomp, appArmor] = [annotationOf(policy, seccompDefault), annotationOf(policy, appArmorDefault)];
  const more: { [key: string]: string } = {};
  if (seccomp !== '' && annotationOf(pod, seccompPod) === '') setOwn(more, seccompPod, seccomp);
  if (appArmor === '') return more;
  for (const { name } of [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])])
    if (annotationOf(pod, appArmorContainer + name) === '') setOwn(more, appArmorContainer + name, appArmor);
  return more;
}

export function withAnnotations<T extends KubeObject>(object: T, more: { readonly [key: string]: string }): T {
  if (Object.keys(more).length === 0) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...more } } };
}

function filledContainer(rules: Rules, pod: Pod, container: Container, { hasGroups }: FillOptions): Container {
  const given = container.securityContext;
  const ofPod = pod.spec?.securityContext;
  const { runAsUser, runAsGroup, readOnlyRootFilesystem, defaultAllowPrivilegeEscalation, allowPrivilegeEscalation } = rules;
  const user = given?.runAsUser ?? ofPod?.runAsUser ?? (runAsUser?.rule === 'MustRunAs' ? runAsUser.ranges?.[0]?.min : undefined);
  const group = hasGroups && runAsGroup?.rule === 'MustRunAs' ? runAsGroup.ranges?.[0]?.min : undefined;
  const escalation = defaultAllowPrivilegeEscalation ?? (allowPrivilegeEscalation === false ? false : undefined);
  const nonRoot = given?.runAsNonRoot ?? ofPod?.runAsNonRoot;
  const capabilities = filledCapabilities(rules, given?.capabilities);
  const more: SecurityContext = {
    ...(given?.runAsUser === undefined && ofPod?.runAsUser === undefined && user !== undefined && { runAsUser: user }),
    ...(given?.runAsGroup === undefined && ofPod?.runAsGroup === undefined && group !== undefined && { runAsGroup: group }),
    ...(nonRoot === undefined && user === undefined && runAsUser?.rule === 'MustRunAsNonRoot' && { runAsNonRoot: true }),
    ...(capabilities !== given?.capabilities && capabilities !== undefined && { capabilities }),
    ...(readOnlyRootFilesystem === true && given?.readOnlyRootFilesystem === undefined && { readOnlyRootFilesystem: true }),
    ...(given?.allowPrivilegeEscalation === undefined && escalation !== undefined && { allowPrivilegeEscalation: escalation }),
  };
  return Object.keys(more).length === 0 ? container : { ...container, securityContext: { ...given, ...more } };
}

/** What is added and dropped anyway, in order of names; what the container drops is not added. */
function filledCapabilities({ defaultAddCapabilities, requiredDropCapabilities }: Rules, given: Capabilities | undefined): Capabilities | undefined {
  const [added, dropped] = [new Set(given?.add ?? []), new Set(given?.drop ?? [])];
  const add = new Set([...(defaultAddCapabilities ?? []).filter((one) => !dropped.has(one)), ...added]);
  const drop = new Set([...(requiredDropCapabilities ?? []), ...dropped]);
  if (add.size === added.size && drop.size === dropped.size) return given;
  return { ...(add.size > 0 && { add: [...add].sort() }), ...(drop.size > 0 && { drop: [...drop].sort() }) };
}
