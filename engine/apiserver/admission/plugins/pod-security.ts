/**
 * Pods, and what makes them, against the policy that their namespace names: refused, noted in the audit log, warned of. Mirrors
 * pod-security-admission admission/admission.go and plugin/pkg/admission/security/podsecurity.
 */
import type { Container, Namespace, Pod, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import { newForbidden, newInternalError, newInvalid } from '../../../apimachinery/errors.ts';
import { aggregateText, errorText } from '../../../apimachinery/field-errors.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import type { MetricLabels } from '../../../base/prometheus-text.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { AdmissionAttributes } from '../../admission.ts';
import type { AdmissionMeter } from '../meter.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import type { CheckedPod, Finding } from '../pod-security/check.ts';
import type { PodSecurityConfiguration } from '../pod-security/configuration.ts';
import { detailOf, evaluate } from '../pod-security/evaluator.ts';
import { exemptWarning, warningsAbout } from '../pod-security/namespaces.ts';
import { isPrivileged, isSame, isStricter, labelPrefix, type LevelVersion, policyOf, policyText } from '../pod-security/policy.ts';

interface Templated {
  readonly template?: PodTemplateSpec;
  readonly jobTemplate?: { readonly spec?: Templated };
}

/** Where the templates of a kind stand, by resource. */
const templates: { readonly [resource: string]: (object: Templated & { readonly spec?: Templated }) => PodTemplateSpec | undefined } = {
  podtemplates: ({ template }) => template,
  replicationcontrollers: ({ spec }) => spec?.template,
  'replicasets.apps': ({ spec }) => spec?.template,
  'deployments.apps': ({ spec }) => spec?.template,
  'statefulsets.apps': ({ spec }) => spec?.template,
  'daemonsets.apps': ({ spec }) => spec?.template,
  'jobs.batch': ({ spec }) => spec?.template,
  'cronjobs.batch': ({ spec }) => spec?.jobTemplate?.spec?.template,
};

export function createPodSecurity(configuration: PodSecurityConfiguration, meter: AdmissionMeter): AdmissionPlugin {
  return defineAdmissionPlugin({
    name: 'PodSecurity',
    verbs: ['CREATE', 'UPDATE'],
    resources: ['namespaces', 'pods', ...Object.keys(templates)],
    subresources: ['', 'ephemeralcontainers', 'resize'],
    validate(attributes) {
      const { group, resource, subresource } = attributes;
      if (resource === 'pods') return validatePod(attributes, configuration, new Noted(attributes, meter));
      if (subresource !== '') return;
      if (resource === 'namespaces') return validateNamespace(attributes, configuration);
      validateTemplate(attributes, configuration, group === '' ? resource : `${resource}.${group}`, new Noted(attributes, meter));
    },
  });
}

/** What metrics are told of one request. Mirrors metrics/metrics.go of pod-security-admission. */
class Noted {
  readonly #labels: MetricLabels;
  readonly #meter: AdmissionMeter;

  constructor({ verb, resource, subresource }: AdmissionAttributes, meter: AdmissionMeter) {
    this.#labels = { request_operation: verb.toLowerCase(), resource: resource === 'pods' ? 'pod' : 'controller', subresource };
    this.#meter = meter;
  }

  evaluated(decision: 'allow' | 'deny', { level, version }: LevelVersion, mode: 'enforce' | 'audit' | 'warn'): void {
    // What is privileged is so in each version.
    const latest = level === 'privileged' || version === 'latest' ? 'latest' : `v1.${version}`;
    this.#meter.podSecurity('evaluations', { decision, mode, policy_level: level, policy_version: latest, ...this.#labels });
  }

  exempted(): void {
    this.#meter.podSecurity('exemptions', this.#labels);
  }

  failed(isFatal: boolean): void {
    this.#meter.podSecurity('errors', { fatal: String(isFatal), ...this.#labels });
  }
}

function isExempt({ namespace, identity, annotate }: AdmissionAttributes, { exemptions }: PodSecurityConfiguration): boolean {
  const reason = exemptions.namespaces.has(namespace) ? 'namespace' : exemptions.usernames.has(identity.name) ? 'user' : undefined;
  if (reason !== undefined) annotate(`${labelPrefix}exempt`, reason);
  return reason !== undefined;
}

function validatePod(attributes: AdmissionAttributes, configuration: PodSecurityConfiguration, noted: Noted): void {
  if (isExempt(attributes, configuration)) return noted.exempted();
  const { namespace, verb, annotate } = attributes;
  const found = attributes.lookup('', 'namespaces', undefined, namespace) as Namespace | undefined;
  if (found === undefined) {
    const error = newInternalError(`failed to lookup namespace ${goQuote(namespace)}`);
    noted.failed(true);
    annotate(`${labelPrefix}error`, `${error.status.message}: namespaces ${goQuote(namespace)} not found`);
    throw error;
  }
  const evaluated = policyOf(found.metadata.labels, configuration.defaults);
  if (evaluated.faults.length === 0 && isPrivileged(evaluated.policy)) {
    noted.evaluated('allow', evaluated.policy.enforce, 'enforce');
    return annotate(`${labelPrefix}enforce-policy`, 'privileged:latest');
  }
  const pod = attributes.object as Pod;
  if (verb === 'UPDATE' && !isSignificant(pod, attributes.oldObject as Pod)) return;
  judge(attributes, configuration, evaluated, { metadata: pod.metadata, spec: pod.spec ?? ({} as PodSpec) }, true, noted);
}

/** What makes pods is never refused: its pods will be. */
function validateTemplate(attributes: AdmissionAttributes, configuration: PodSecurityConfiguration, resource: string, noted: Noted): void {
  if (isExempt(attributes, configuration)) return noted.exempted();
  const { namespace, annotate, object } = attributes;
  const found = attributes.lookup('', 'namespaces', undefined, namespace) as Namespace | undefined;
  if (found === undefined) {
    noted.failed(true);
    return annotate(`${labelPrefix}error`, `failed to lookup namespace ${goQuote(namespace)}: namespaces ${goQuote(namespace)} not found`);
  }
  const evaluated = policyOf(found.metadata.labels, configuration.defaults);
  const { warn, audit } = evaluated.policy;
  if (evaluated.faults.length === 0 && warn.level === 'privileged' && audit.level === 'privileged') return;
  const template = object === undefined ? undefined : getOwn(templates, resource)?.(object as Templated);
  if (template === undefined && resource === 'replicationcontrollers') return;
  judge(attributes, configuration, evaluated, { metadata: template?.metadata ?? {}, spec: template?.spec ?? ({} as PodSpec) }, false, noted);
}

type Evaluated = ReturnType<typeof policyOf>;

/** Throws StatusError for a pod that the policy does not allow, where it is enforced. */
function judge(
  attributes: AdmissionAttributes,
  configuration: PodSecurityConfiguration,
  evaluated: Evaluated,
  pod: CheckedPod,
  enforces: boolean,
  noted: Noted,
): void {
  const { annotate, warn, group, resource, name } = attributes;
  const { policy, faults } = evaluated;
  if (configuration.exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? '')) {
    noted.exempted();
    return annotate(`${labelPrefix}exempt`, 'runtimeClass');
  }
  if (faults.length > 0) noted.failed(false);
  if (faults.length > 0) annotate(`${labelPrefix}error`, `Failed to parse policy: ${aggregateText(faults)}`);
  const known: { readonly policy: LevelVersion; readonly findings: readonly Finding[] }[] = [];
  const findingsOf = (wanted: LevelVersion): readonly Finding[] => {
    const found = known.find((one) => isSame(one.policy, wanted))?.findings ?? evaluate(wanted, pod);
    known.push({ policy: wanted, findings: found });
    return found;
  };
  const violations = (wanted: LevelVersion): string | undefined => {
    const findings = findingsOf(wanted);
    return findings.length === 0 ? undefined : `violate PodSecurity ${goQuote(policyText(wanted))}: ${detailOf(findings)}`;
  };
  if (enforces) annotate(`${labelPrefix}enforce-policy`, policyText(policy.enforce));
  const refused = enforces ? findingsOf(policy.enforce) : [];
  if (enforces) noted.evaluated(refused.length > 0 ? 'deny' : 'allow', policy.enforce, 'enforce');
  const audited = violations(policy.audit);
  if (audited !== undefined) noted.evaluated('deny', policy.audit, 'audit');
  if (audited !== undefined) annotate(`${labelPrefix}audit-violations`, `would ${audited}`);
  if (refused.length > 0)
    throw newForbidden({ group, resource }, name, `violates PodSecurity ${goQuote(policyText(policy.enforce))}: ${detailOf(refused)}`);
  const warned = violations(policy.warn);
  if (warned !== undefined) noted.evaluated('deny', policy.warn, 'warn');
  if (warned !== undefined) warn(`would ${warned}`);
}

/** Images and containers are all that may change of a pod and that matters. */
function isSignificant({ spec: next }: Pod, { spec: last }: Pod): boolean {
  const imagesOf = (containers: readonly Container[] | null | undefined): readonly string[] => (containers ?? []).map(({ image = '' }) => image);
  const differ = (a: PodSpec['containers'] | undefined, b: PodSpec['containers'] | undefined): boolean => !deepEqual(imagesOf(a), imagesOf(b));
  if (differ(next?.containers, last?.containers) || differ(next?.initContainers, last?.initContainers)) return true;
  const images = new Map((last?.ephemeralContainers ?? []).map(({ name, image }) => [name, image ?? '']));
  return (next?.ephemeralContainers ?? []).some(({ name, image = '' }) => images.get(name) !== image);
}

function validateNamespace(attributes: AdmissionAttributes, configuration: PodSecurityConfiguration): void {
  const { verb, name, warn } = attributes;
  const { labels } = (attributes.object as Namespace).metadata;
  const { policy, faults } = policyOf(labels, configuration.defaults);
  const isExempted = configuration.exemptions.namespaces.has(attributes.namespace);
  const warnExempt = (): void => {
    const text = exemptWarning(name, policy, configuration.defaults, labels);
    if (text !== undefined) warn(text);
  };
  if (verb === 'CREATE') {
    if (faults.length > 0) throw newInvalid({ group: '', kind: 'Namespace' }, name, faults);
    if (isExempted) warnExempt();
    return;
  }
  const old = policyOf((attributes.oldObject as Namespace).metadata.labels, configuration.defaults);
  if (faults.length > 0 && !deepEqual(faults.map(errorText), old.faults.map(errorText)))
    throw newInvalid({ group: '', kind: 'Namespace' }, name, faults);
  const { enforce } = policy;
  const before = old.policy.enforce;
  if (isSame(enforce, before) || enforce.level === 'privileged') return;
  if (enforce.version === before.version && !isStricter(enforce.level, before.level)) return;
  if (isExempted) return warnExempt();
  const pods = attributes.stored(`pods/${name}`) as readonly Pod[];
  for (const text of warningsAbout(name, enforce, pods, configuration.exemptions.runtimeClasses)) warn(text);
}
