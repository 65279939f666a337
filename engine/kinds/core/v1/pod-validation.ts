/**
 * Pods and pod templates as a whole. Mirrors ValidatePodSpec, ValidatePodCreate and ValidatePodTemplateSpec of
 * pkg/apis/core/validation: every fault is collected, in upstream's order.
 */
import type { Pod, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  notSupportedOf,
  required,
  root,
} from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import {
  inclusiveRangeError,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidIPForLegacyField,
  validateAnnotations,
  validateLabels,
} from '../../../apimachinery/validation.ts';
import { specPath } from '../../shared/strategy.ts';
import { type PodFacts, validateContainers, validateEphemeralContainers, validateInitContainers } from './container-validation.ts';
import { validateAffinity, validateSpread, validateTolerations } from './placement-validation.ts';
import {
  type Faults,
  validatePodResourceName,
  validateQuantityValue,
  validateRequirements,
  validateResourceClaims,
  validateResourceName,
} from './resource-validation.ts';
import { validateHostUsers, validatePodSecurity } from './security-validation.ts';
import { validateVolumes } from './volume-validation.ts';

const maxInt32 = 2147483647;
const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

export function validatePodCreate(pod: Pod, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const spec = pod.spec;
  if (spec === undefined) return [required(specPath)];
  validateMirror(pod, out);
  validatePodSpec(spec, pod.metadata.name ?? '', context, specPath, true, out);
  if (isMirror(pod) && spec.resourceClaims?.length) out.push(forbidden(root('[]'), 'static pods do not support resource claims'));
  if (spec.ephemeralContainers?.length) out.push(forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && spec.schedulingGates?.length)
    out.push(forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  return out;
}

const mirrorAnnotation = 'kubernetes.io/config.mirror';
const mirrorPath = root('metadata', 'annotations').key(mirrorAnnotation);

/** Of a pod that shows what runs on a node by itself. */
function isMirror({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined;
}

function validateMirror(pod: Pod, out: Faults): void {
  if (isMirror(pod) && !pod.spec?.nodeName)
    out.push(invalid(mirrorPath, pod.metadata.annotations?.[mirrorAnnotation], 'must set spec.nodeName if mirror pod annotation is set'));
}

/** The annotation stays as it was made (ValidatePodSpecificAnnotationUpdates). */
export function validateMirrorUpdate(next: Pod, old: Pod, out: Faults): void {
  const [now, before] = [next.metadata.annotations?.[mirrorAnnotation], old.metadata.annotations?.[mirrorAnnotation]];
  if (before !== undefined && now !== before) out.push(forbidden(mirrorPath, 'may not remove or update mirror pod annotation'));
  if (before === undefined && now !== undefined) out.push(forbidden(mirrorPath, 'may not add mirror pod annotation'));
  validateMirror(next, out);
}

export function validateTemplateMeta(template: PodTemplateSpec, path: FieldPath, out: Faults): void {
  const { labels, annotations } = template.metadata ?? {};
  if (labels) out.push(...validateLabels(labels, path.child('labels')));
  if (annotations) out.push(...validateAnnotations(annotations, path.child('annotations')));
}

export function validatePodTemplate(template: PodTemplateSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  validateTemplateMeta(template, path, out);
  if (template.spec) validatePodSpec(template.spec, '', context, path.child('spec'), false, out);
  else out.push(required(path.child('spec').child('containers')));
  if (template.spec?.ephemeralContainers?.length)
    out.push(forbidden(path.child('spec').child('ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
}

export function validatePodSpec(spec: PodSpec, podName: string, context: StrategyContext, path: FieldPath, isPod: boolean, out: Faults): void {
  const grace = spec.terminationGracePeriodSeconds;
  if (grace === undefined) out.push(required(path.child('terminationGracePeriodSeconds')));
  const volumes = validateVolumes(spec.volumes, podName, path.child('volumes'), out);
  if (spec.resourceClaims?.length) validateResourceClaims(spec.resourceClaims, path.child('resourceClaims'), out);
  const facts: PodFacts = {
    volumes,
    claims: new Set((spec.resourceClaims ?? []).map((claim) => claim.name)),
    grace,
    restartPolicy: spec.restartPolicy ?? '',
    os: spec.os?.name,
    hostUsers: spec.hostUsers !== false,
    isPod,
  };
  validateContainers(spec.containers ?? [], facts, path.child('containers'), out);
  if (spec.initContainers?.length) validateInitContainers(spec, facts, path.child('initContainers'), out);
  if (spec.ephemeralContainers?.length) validateEphemeralContainers(spec, facts, path.child('ephemeralContainers'), out);
  if (spec.resources) validateRequirements(spec.resources, validatePodResourceName, facts.claims, path.child('resources'), out);
  if (spec.hostNetwork === true) validateHostPorts(spec, path, out);
  validatePolicies(spec, path, out);
  validatePlacement(spec, context, path, out);
  validateNames(spec, path, out);
  validateRest(spec, path, out);
}

function validateHostPorts(spec: PodSpec, path: FieldPath, out: Faults): void {
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [place, port] of (container.ports ?? []).entries()) {
      if ((port.hostPort ?? 0) === port.containerPort) continue;
      if (!port.hostPort) continue;
      out.push(
        invalid(
          path.child('containers').index(index).child('ports').index(place).child('hostPort'),
          port.hostPort,
          'must match `containerPort` when `hostNetwork` is true',
        ),
      );
    }
  }
}

function validateChoice(value: string | undefined, values: readonly string[], path: FieldPath, out: Faults): void {
  if (!value) out.push(required(path));
  else if (!values.includes(value)) out.push(notSupportedOf(path, value, values));
}

function validatePolicies(spec: PodSpec, path: FieldPath, out: Faults): void {
  validateChoice(spec.restartPolicy, restartPolicies, path.child('restartPolicy'), out);
  validateChoice(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy'), out);
  if (spec.nodeSelector) out.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  if (spec.securityContext) validatePodSecurity(spec.securityContext, spec, path.child('securityContext'), out);
  for (const [index, secret] of (spec.imagePullSecrets ?? []).entries()) {
    if (!secret.name) out.push(required(path.child('imagePullSecrets').index(index).child('name')));
  }
}

function validatePlacement(spec: PodSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  if (spec.affinity) validateAffinity(spec.affinity, path.child('affinity'), out);
  if (spec.dnsConfig || spec.dnsPolicy === 'None') validateDnsConfig(spec, path.child('dnsConfig'), out);
  for (const [index, gate] of (spec.readinessGates ?? []).entries()) {
    for (const fault of isQualifiedName(gate.conditionType))
      out.push(invalid(path.child('readinessGates').index(index).child('conditionType'), gate.conditionType, fault));
  }
  if (spec.schedulingGroup) validateGroup(spec.schedulingGroup, path.child('schedulingGroup', 'podGroupName'), out);
  if (spec.schedulingGates?.length) validateGates(spec.schedulingGates, path.child('schedulingGates'), out);
  if (spec.topologySpreadConstraints?.length) validateSpread(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'), out);
  validateHostUsers(spec, path, out);
  if (spec.tolerations?.length)
    validateTolerations(spec.tolerations, context.featureEnabled('TaintTolerationComparisonOperators'), path.child('tolerations'), out);
}

function validateGroup({ podGroupName }: NonNullable<PodSpec['schedulingGroup']>, path: FieldPath, out: Faults): void {
  if (podGroupName === undefined) out.push(invalid(path, undefined, 'must specify one of: `podGroupName`'));
  else for (const fault of isDNS1123Subdomain(podGroupName)) out.push(invalid(path, podGroupName, fault));
}

function validateGates(gates: NonNullable<PodSpec['schedulingGates']>, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (const [index, gate] of gates.entries()) {
    for (const fault of isQualifiedName(gate.name)) out.push(invalid(path.index(index), gate.name, fault));
    if (names.has(gate.name)) out.push(duplicate(path.index(index), gate.name));
    names.add(gate.name);
  }
}

function validateDnsConfig(spec: PodSpec, path: FieldPath, out: Faults): void {
  const { nameservers = [], searches = [], options = [] } = spec.dnsConfig ?? {};
  if (spec.dnsPolicy === 'None') {
    if (!spec.dnsConfig) return void out.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    if (nameservers.length === 0)
      return void out.push(required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  }
  if (nameservers.length > 3) out.push(invalid(path.child('nameservers'), nameservers, 'must not have more than 3 nameservers'));
  for (const [index, ip] of nameservers.entries()) out.push(...isValidIPForLegacyField(path.child('nameservers').index(index), ip));
  if (searches.length > 32) out.push(invalid(path.child('searches'), searches, 'must not have more than 32 search paths'));
  for (const [index, search] of searches.entries()) {
    const name = search === '.' ? search : search.replace(/\.$/, '');
    if (name !== '.')
      for (const fault of isDNS1123Subdomain(name.replaceAll('_', '-'))) out.push(invalid(path.child('searches').index(index), name, fault));
  }
  for (const [index, option] of options.entries()) if (!option.name) out.push(required(path.child('options').index(index), 'must not be empty'));
}

/** Names of other things: each is a DNS subdomain or label. */
function validateNames(spec: PodSpec, path: FieldPath, out: Faults): void {
  for (const name of ['serviceAccountName', 'nodeName', 'priorityClassName', 'runtimeClassName'] as const) {
    const value = spec[name];
    if (value) for (const fault of isDNS1123Subdomain(value)) out.push(invalid(path.child(name), value, fault));
  }
  for (const name of ['hostname', 'subdomain'] as const) {
    const value = spec[name];
    if (value) for (const fault of isDNS1123Label(value)) out.push(invalid(path.child(name), value, fault));
  }
}

function validateRest(spec: PodSpec, path: FieldPath, out: Faults): void {
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32))
    out.push(invalid(path.child('activeDeadlineSeconds'), deadline, inclusiveRangeError(1, maxInt32)));
  for (const [index, alias] of (spec.hostAliases ?? []).entries()) {
    const at = path.child('hostAliases').index(index);
    out.push(...isValidIPForLegacyField(at.child('ip'), alias.ip));
    for (const [place, name] of (alias.hostnames ?? []).entries()) {
      for (const fault of isDNS1123Subdomain(name)) out.push(invalid(at.child('hostnames').index(place), name, fault));
    }
  }
  if (spec.preemptionPolicy !== undefined)
    validateChoice(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], path.child('preemptionPolicy'), out);
  for (const [name, text] of Object.entries(spec.overhead ?? {})) {
    const at = path.child('overhead').child('limits').key(name);
    validateResourceName(name, at, out);
    validateQuantityValue(name, text, at, out);
  }
  if (spec.os) validateOs(spec, path, out);
}

function validateOs(spec: PodSpec, path: FieldPath, out: Faults): void {
  const name = spec.os?.name ?? '';
  if (name === '') out.push(required(path.child('os').child('name'), 'cannot be empty'));
  else if (name !== 'linux' && name !== 'windows') out.push(notSupported(path.child('os'), name, ['linux', 'windows']));
  if (name !== 'windows') return;
  for (const member of ['hostPID', 'hostIPC'] as const) {
    if (spec[member] === true) out.push(forbidden(path.child(member), 'cannot be set for a windows pod'));
  }
}
