/**
 * Pods and pod templates as a whole. Mirrors ValidatePodSpec, ValidatePodCreate and ValidatePodTemplateSpec of
 * pkg/apis/core/validation: every fault is collected, in upstream's order.
 */
import { mirrorAnnotation } from '../../../component-helpers/pod.ts';
import { type AnyContainer, someContainer } from './containers.ts';
import { getOwn } from '../../../base/dictionary.ts';
import type { Pod, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import {
  type FieldErrorList,
  type FieldPath,
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  notSupportedOf,
  required,
  root,
  tooLong,
} from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import {
  inclusiveRangeError,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isQualifiedName,
  isValidIPForLegacyField,
  validateAnnotations,
  validateLabels,
} from '../../../apimachinery/validation.ts';
import { specPath } from '../../shared/strategy.ts';
import {
  type PodFacts,
  validateContainers,
  validateEphemeralContainers,
  validateImageNames,
  validateInitContainers,
} from './container-validation.ts';
import { eachContainer } from './containers.ts';
import { mergesKeys, validateAffinity, validateSpread, validateTolerations } from './placement-validation.ts';
import { appArmorContainer, validatePodAnnotations, validateProfileMatch } from './pod-annotation-validation.ts';
import { validatePodResources } from './pod-resource-validation.ts';
import { type Faults, validateContainerResourceName, validateRequirements, validateResourceClaims } from './resource-validation.ts';
import { validateHostUsers, validatePodSecurity } from './security-validation.ts';
import { validateVolumes } from './volume-validation.ts';
import { validateHostProcess, validateLinux, validateWindows } from './windows-validation.ts';

const maxInt32 = 2147483647;
const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

export function validatePodCreate(pod: Pod, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  const spec = pod.spec ?? noSpec;
  validateMetaAndSpec(pod, context, out);
  if (spec.ephemeralContainers?.length) out.push(forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'));
  if (spec.nodeName && spec.schedulingGates?.length)
    out.push(forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'));
  validateProfileMatch(pod.metadata.annotations, spec, specPath, out);
  return out;
}

const noSpec: PodSpec = Object.freeze({ containers: [] });
const annotationsPath = root('metadata', 'annotations');

/** What creations and updates of pods have in common, and templates have not. */
export function validateMetaAndSpec({ metadata, spec = noSpec }: Pod, context: StrategyContext, out: Faults): void {
  validatePodAnnotations(metadata.annotations, spec, context, annotationsPath, out);
  validatePodSpec(spec, { name: metadata.name ?? '', isMirror: isMirror(metadata) }, context, specPath, out);
  if (!spec.serviceAccountName) forbidTokens(spec, out);
  validateImageNames(spec.containers ?? [], specPath.child('containers'), out);
  if (spec.initContainers) validateImageNames(spec.initContainers, specPath.child('initContainers'), out);
}

function forbidTokens(spec: PodSpec, out: Faults): void {
  for (const [index, { projected }] of (spec.volumes ?? []).entries()) {
    for (const [place, { serviceAccountToken }] of (projected?.sources ?? []).entries()) {
      if (!serviceAccountToken) continue;
      const path = specPath.child('volumes').index(index).child('projected').child('sources').index(place).child('serviceAccountToken');
      out.push(forbidden(path, 'must not be specified when serviceAccountName is not set'));
    }
  }
}

/** Of a pod that shows what runs on a node by itself. */
function isMirror(metadata: Pod['metadata']): boolean {
  return getOwn(metadata.annotations, mirrorAnnotation) !== undefined;
}

/** Some annotations stay as they were made (ValidatePodSpecificAnnotationUpdates). */
export function validateAnnotationUpdate(next: Pod, old: Pod, gates: Pick<StrategyContext, 'featureEnabled'>, out: Faults): void {
  const [now, before] = [next.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  if (now !== before) {
    for (const [key, text] of Object.entries(before)) if (getOwn(now, key) !== text) keptAnnotation(key, 'remove or update', out);
    for (const key of Object.keys(now)) if (getOwn(before, key) === undefined) keptAnnotation(key, 'add', out);
  }
  validatePodAnnotations(next.metadata.annotations, next.spec, gates, annotationsPath, out);
}

function keptAnnotation(key: string, what: string, out: Faults): void {
  if (key.startsWith(appArmorContainer)) out.push(forbidden(annotationsPath.key(key), `may not ${what} AppArmor annotations`));
  if (key === mirrorAnnotation) out.push(forbidden(annotationsPath.key(key), `may not ${what} mirror pod annotation`));
}

/** Labels and annotations of a template. */
export function validateTemplateMeta(template: PodTemplateSpec, gates: Pick<StrategyContext, 'featureEnabled'>, path: FieldPath, out: Faults): void {
  const { labels, annotations } = template.metadata ?? {};
  if (labels) out.push(...validateLabels(labels, path.child('labels')));
  if (!annotations) return;
  out.push(...validateAnnotations(annotations, path.child('annotations')));
  validatePodAnnotations(annotations, template.spec, gates, path.child('annotations'), out);
}

export function validatePodTemplate(template: PodTemplateSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  const { metadata, spec } = template;
  const at = path.child('spec');
  validateTemplateMeta(template, context, path, out);
  // Without a spec there are its defaults, and no containers.
  if (!spec) return void out.push(required(at.child('containers')));
  validatePodSpec(spec, undefined, context, at, out);
  validateProfileMatch(metadata?.annotations, spec, at, out);
  if (spec.ephemeralContainers?.length) out.push(forbidden(at.child('ephemeralContainers'), 'ephemeral containers not allowed in pod template'));
}

/** `pod` is absent of templates. */
export function validatePodSpec(
  spec: PodSpec,
  pod: { readonly name: string; readonly isMirror: boolean } | undefined,
  context: StrategyContext,
  path: FieldPath,
  out: Faults,
): void {
  const grace = spec.terminationGracePeriodSeconds;
  const isPod = pod !== undefined;
  if (grace === undefined) out.push(required(path.child('terminationGracePeriodSeconds')));
  const volumes = validateVolumes(spec.volumes, { podName: pod?.name ?? '', isPod }, path.child('volumes'), out);
  for (const claim of pod?.isMirror ? (spec.resourceClaims ?? []) : [])
    if (claim) out.push(forbidden(root('[]'), 'static pods do not support resource claims'));
  if (spec.resourceClaims?.length && pod?.isMirror !== true) validateResourceClaims(spec.resourceClaims, path.child('resourceClaims'), out);
  const facts: PodFacts = {
    volumes,
    claims: new Set((spec.resourceClaims ?? []).flatMap(({ name }) => (name ? [name] : []))),
    grace,
    restartPolicy: spec.restartPolicy ?? '',
    os: spec.os?.name,
    needsUsers: spec.hostUsers !== false && context.ratcheted('UnmaskedProcNeedsUsers'),
    restsInit: context.ratcheted('RestingInitContainers'),
    hasEnvFiles: context.featureEnabled('EnvFiles') || someContainer(spec, readsFile),
    restartsAll: context.featureEnabled('RestartAllContainersOnContainerExits'),
  };
  validateContainers(spec.containers ?? [], facts, path.child('containers'), out);
  if (spec.initContainers?.length) validateInitContainers(spec, facts, path.child('initContainers'), out);
  if (spec.ephemeralContainers?.length) validateEphemeralContainers(spec, facts, path.child('ephemeralContainers'), out);
  if (spec.resources) validatePodResources(spec, facts.claims, path.child('resources'), out);
  if (spec.hostNetwork === true) validateHostPorts(spec, isPod, path, out);
  validatePolicies(spec, context, path, out);
  validatePlacement(spec, context, path, out);
  validateNames(spec, context, path, out);
  validateRest(spec, context, path, out);
  validateFileVolumes(spec, path, out);
}

/** Templates may leave host ports out: their pods get them. */
function validateHostPorts(spec: PodSpec, isPod: boolean, path: FieldPath, out: Faults): void {
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [place, { hostPort = 0, containerPort = 0 }] of (container.ports ?? []).entries()) {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) continue;
      const at = path.child('containers').index(index).child('ports').index(place).child('hostPort');
      out.push(invalid(at, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    }
  }
}

function readsFile({ env }: AnyContainer): boolean {
  return env?.some(({ valueFrom }) => valueFrom?.fileKeyRef) === true;
}

function validateChoice(value: string | undefined, values: readonly string[], path: FieldPath, out: Faults): void {
  if (!value) out.push(required(path));
  else if (!values.includes(value)) out.push(notSupportedOf(path, value, values));
}

function validatePolicies(spec: PodSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  validateChoice(spec.restartPolicy, restartPolicies, path.child('restartPolicy'), out);
  validateChoice(spec.dnsPolicy, dnsPolicies, path.child('dnsPolicy'), out);
  if (spec.nodeSelector) out.push(...validateLabels(spec.nodeSelector, path.child('nodeSelector')));
  if (spec.securityContext || spec.shareProcessNamespace)
    validatePodSecurity(spec.securityContext ?? {}, spec, context, path.child('securityContext'), out);
}

function validatePlacement(spec: PodSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  if (spec.affinity) validateAffinity(spec.affinity, path.child('affinity'), out);
  if (spec.dnsConfig || spec.dnsPolicy === 'None')
    validateDnsConfig(spec, context.featureEnabled('StrictIPCIDRValidation'), path.child('dnsConfig'), out);
  for (const [index, { conditionType = '' }] of (spec.readinessGates ?? []).entries()) {
    for (const fault of isQualifiedName(conditionType))
      out.push(invalid(path.child('readinessGates').index(index).child('conditionType'), conditionType, fault));
  }
  if (spec.schedulingGates?.length) validateGates(spec.schedulingGates, path.child('schedulingGates'), out);
  if (spec.topologySpreadConstraints?.length)
    validateSpread(spec.topologySpreadConstraints, mergesKeys(context), path.child('topologySpreadConstraints'), out);
  validateHostProcess(spec, path, out);
  validateHostUsers(spec, context, path, out);
  if (spec.hostnameOverride !== undefined) validateHostname(spec, spec.hostnameOverride, path.child('hostnameOverride'), out);
}

const longestHostname = 64;

function validateHostname(spec: PodSpec, name: string, path: FieldPath, out: Faults): void {
  if (spec.setHostnameAsFQDN === true) out.push(forbidden(path, 'may not be specified when setHostnameAsFQDN is true'));
  if (spec.hostNetwork === true) out.push(forbidden(path, 'may not be specified when hostNetwork is true'));
  if (name.length > longestHostname) out.push(tooLong(path, longestHostname));
  for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path, name, fault));
}

function validateGroup({ podGroupName }: NonNullable<PodSpec['schedulingGroup']>, path: FieldPath, out: Faults): void {
  if (podGroupName === undefined) out.push(invalid(path, undefined, 'must specify one of: `podGroupName`'));
  else for (const fault of isDNS1123Subdomain(podGroupName)) out.push(invalid(path, podGroupName, fault));
}

function validateGates(gates: NonNullable<PodSpec['schedulingGates']>, path: FieldPath, out: Faults): void {
  const names = new Set<string>();
  for (const [index, { name = '' }] of gates.entries()) {
    for (const fault of isQualifiedName(name)) out.push(invalid(path.index(index), name, fault));
    if (names.has(name)) out.push(duplicate(path.index(index), name));
    names.add(name);
  }
}

const longestSearches = 2048;

function validateDnsConfig(spec: PodSpec, isStrict: boolean, path: FieldPath, out: Faults): void {
  const { nameservers = [], searches = [], options = [] } = spec.dnsConfig ?? {};
  if (spec.dnsPolicy === 'None') {
    if (!spec.dnsConfig) return void out.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
    if (nameservers.length === 0)
      return void out.push(required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
  }
  if (nameservers.length > 3) out.push(invalid(path.child('nameservers'), nameservers, 'must not have more than 3 nameservers'));
  for (const [index, ip] of nameservers.entries()) out.push(...isValidIPForLegacyField(path.child('nameservers').index(index), ip, isStrict));
  if (searches.length > 32) out.push(invalid(path.child('searches'), searches, 'must not have more than 32 search paths'));
  if (searches.join(' ').length > longestSearches)
    out.push(
      invalid(path.child('searches'), searches, `must not have more than ${longestSearches} characters (including spaces) in the search list`),
    );
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const name = search.replace(/\.$/, '');
    for (const fault of isDNS1123SubdomainWithUnderscore(name)) out.push(invalid(path.child('searches').index(index), name, fault));
  }
  for (const [index, option] of options.entries()) if (!option.name) out.push(required(path.child('options').index(index), 'must not be empty'));
}

/** Names of other things, and when it must have ended: each name is a DNS subdomain or label. */
function validateNames(spec: PodSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  validateName(spec.serviceAccountName, path.child('serviceAccountName'), out);
  validateName(spec.nodeName, path.child('nodeName'), out);
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > maxInt32))
    out.push(invalid(path.child('activeDeadlineSeconds'), deadline, inclusiveRangeError(1, maxInt32)));
  for (const name of ['hostname', 'subdomain'] as const) {
    const value = spec[name];
    if (value) for (const fault of isDNS1123Label(value)) out.push(invalid(path.child(name), value, fault));
  }
  if (spec.tolerations?.length)
    validateTolerations(spec.tolerations, context.featureEnabled('TaintTolerationComparisonOperators'), path.child('tolerations'), out);
}

function validateName(name: string | undefined, path: FieldPath, out: Faults): void {
  if (name) for (const fault of isDNS1123Subdomain(name)) out.push(invalid(path, name, fault));
}

function validateRest(spec: PodSpec, context: StrategyContext, path: FieldPath, out: Faults): void {
  for (const [index, { ip = '', hostnames = [] }] of (spec.hostAliases ?? []).entries()) {
    const at = path.child('hostAliases').index(index);
    out.push(...isValidIPForLegacyField(at.child('ip'), ip, context.featureEnabled('StrictIPCIDRValidation')));
    for (const [place, name] of hostnames.entries()) {
      for (const fault of isDNS1123Subdomain(name)) out.push(invalid(at.child('hostnames').index(place), name, fault));
    }
  }
  validateName(spec.priorityClassName, path.child('priorityClassName'), out);
  const runtime = spec.runtimeClassName;
  if (runtime !== undefined) for (const fault of isDNS1123Subdomain(runtime)) out.push(invalid(path.child('runtimeClassName'), runtime, fault));
  if (spec.preemptionPolicy !== undefined)
    validateChoice(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], path.child('preemptionPolicy'), out);
  if (spec.overhead) validateRequirements({ limits: spec.overhead }, validateContainerResourceName, noClaims, path.child('overhead'), out);
  if (spec.os) validateOs(spec, spec.os.name ?? '', path, out);
  if (spec.schedulingGroup) validateGroup(spec.schedulingGroup, path.child('schedulingGroup', 'podGroupName'), out);
}

const noClaims: ReadonlySet<string> = new Set();

function validateOs(spec: PodSpec, name: string, path: FieldPath, out: Faults): void {
  if (name === '') out.push(required(path.child('os').child('name')));
  else if (name === 'linux') validateLinux(spec, path, out);
  else if (name === 'windows') validateWindows(spec, path, out);
  else out.push(notSupported(path.child('os'), name, ['linux', 'windows']));
}

/** Files that variables are read from lie in a volume of the pod's own. */
function validateFileVolumes(spec: PodSpec, path: FieldPath, out: Faults): void {
  eachContainer(spec, path, ({ env }, at) => {
    for (const [index, { valueFrom }] of (env ?? []).entries()) {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (valueFrom?.fileKeyRef === undefined) continue;
      const place = at().child('env').index(index).child('valueFrom').child('fileKeyRef').child('volumeName');
      const volume = spec.volumes?.findLast((one) => one.name === name);
      if (volume === undefined) out.push(notFound(place, name ?? ''));
      else if (!volume.emptyDir) out.push(invalid(place, name, 'referenced volume must be of type emptyDir'));
    }
  });
}
