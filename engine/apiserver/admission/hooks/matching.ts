/**
 * Whether webhooks and policies are about a request: rules, selectors, equivalent resources. Mirrors apiserver
 * pkg/admission/plugin/webhook/predicates and pkg/admission/plugin/policy/matching.
 */
import type { LabelSelector } from '../../../apimachinery/labels.ts';
import { labelSelectorAsSelector, type LabelSet, type Selector, SelectorError } from '../../../apimachinery/labels.ts';
import { newInternalError, newNotFound } from '../../../apimachinery/errors.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import type { RuleWithOperations } from '../../../api/admissionregistration/v1/types.gen.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';

const configurationGroup = 'admissionregistration.k8s.io';
const policyKinds: ReadonlySet<string> = new Set([
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);
const webhookKinds: ReadonlySet<string> = new Set(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']);

type Named = Pick<AdmissionAttributes, 'group' | 'kind'>;

/** What could shut itself out: webhooks of the API are never asked about it. */
export function isExemptFromWebhooks({ group, kind }: Named): boolean {
  return group === configurationGroup && (policyKinds.has(kind) || webhookKinds.has(kind));
}

/** The same of policies of the API, which may well be about webhooks. */
export function isExemptFromPolicies({ group, kind }: Named): boolean {
  return group === configurationGroup && policyKinds.has(kind);
}

const reviews: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** What no policy is asked about, those of files neither: without it nobody is let in. Mirrors pkg/kubeapiserver/admission/exclusion. */
export function isOutsidePolicies({ group, resource }: Pick<AdmissionAttributes, 'group' | 'resource'>): boolean {
  return reviews.has(`${resource}.${group}`);
}

export interface Selectors {
  readonly namespaceSelector?: LabelSelector | null;
  readonly objectSelector?: LabelSelector | null;
}

/** Throws StatusError where it cannot be told; a namespace that is not there is one that is not found. */
function selectsNamespace({ namespaceSelector }: Selectors, attributes: AdmissionAttributes): boolean {
  const { namespace, resource } = attributes;
  if (namespace === '' && resource !== 'namespaces') return true;
  const selector = parsed(namespaceSelector);
  return selector.isEmpty() || selector.matches(namespaceLabels(attributes));
}

function selectsObject({ objectSelector }: Selectors, { object, oldObject }: AdmissionAttributes): boolean {
  const selector = parsed(objectSelector);
  const isSelected = (one: KubeObject | undefined): boolean => one !== undefined && selector.matches(one.metadata?.labels);
  return selector.isEmpty() || isSelected(object) || isSelected(oldObject);
}

/** Both selectors, of which one that cannot be told matters only where the rules match: then `fault` is thrown. */
export function selects(selectors: Selectors, attributes: AdmissionAttributes): { readonly isSelected: boolean; readonly fault?: StatusError } {
  let fault: StatusError | undefined;
  for (const matches of [selectsNamespace, selectsObject]) {
    try {
      if (!matches(selectors, attributes)) return { isSelected: false };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      fault ??= error;
    }
  }
  return fault === undefined ? { isSelected: true } : { isSelected: true, fault };
}

function parsed(selector: LabelSelector | null | undefined): Selector {
  try {
    return labelSelectorAsSelector(selector ?? {});
  } catch (error) {
    if (error instanceof SelectorError) throw newInternalError(error.message);
    throw error;
  }
}

/** Of a namespace that is written, what it is to have: it is not stored yet. */
function namespaceLabels({ verb, resource, subresource, object, namespace, lookup }: AdmissionAttributes): LabelSet | undefined {
  if (resource === 'namespaces' && subresource === '' && (verb === 'CREATE' || verb === 'UPDATE')) return object?.metadata.labels;
  const found = lookup('', 'namespaces', undefined, namespace);
  if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
  return found.metadata.labels;
}

export type Asked = Pick<AdmittedResource, 'group' | 'version' | 'resource'>;

export function ruleMatches(rule: RuleWithOperations, attributes: AdmissionAttributes, asked: Asked): boolean {
  const { namespace, verb, subresource } = attributes;
  const isClusterWide = namespace === '' || (asked.group === '' && asked.resource === 'namespaces');
  if (rule.scope === 'Namespaced' && isClusterWide) return false;
  if (rule.scope === 'Cluster' && !isClusterWide) return false;
  return (
    names(rule.operations, verb) &&
    names(rule.apiGroups, asked.group) &&
    names(rule.apiVersions, asked.version) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, asked.resource, subresource))
  );
}

function names(list: readonly string[] | null | undefined, asked: string): boolean {
  return (list ?? []).some((one) => one === '*' || one === asked);
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [wanted, part] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (wanted === '*' || wanted === resource) && (part === '*' || part === subresource);
}

/**
 * In which of its forms the rules are about the object; undefined where they are about none. `isNamed`: whether a rule that names
 * objects names this one.
 */
export function matchedResource<R extends RuleWithOperations>(
  rules: readonly R[],
  matchPolicy: string | undefined,
  attributes: AdmissionAttributes,
  isNamed: (rule: R) => boolean = () => true,
): AdmittedResource | undefined {
  const { requested } = attributes.forms;
  if (rules.some((rule) => ruleMatches(rule, attributes, requested) && isNamed(rule))) return requested;
  if (matchPolicy !== 'Equivalent') return undefined;
  const others = attributes.forms.equivalents().filter(({ group, version }) => group !== requested.group || version !== requested.version);
  for (const rule of rules) {
    const found = others.find((other) => ruleMatches(rule, attributes, other) && isNamed(rule));
    if (found !== undefined) return found;
  }
  return undefined;
}
