/** ValidatingAdmissionPolicy: policies, where a binding asks for them. Mirrors apiserver pkg/admission/plugin/policy/validating/dispatcher.go. */
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '../../../api/admissionregistration/v1/types.gen.ts';
import { refusal } from '../refusal.ts';
import { getOwn } from '../../../base/dictionary.ts';
import { encodeJson } from '../../../apimachinery/serializer/json.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';
import { activationOf } from '../hooks/expressions.ts';
import { isExemptFromPolicies, isOutsidePolicies } from '../hooks/matching.ts';
import type { Placed } from '../hooks/sources.ts';
import type { AdmissionMeter, PolicyErrorType } from '../meter.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import { Versions } from '../webhooks/webhooks.ts';
import { layeredPolicies, type PolicyObjects } from './bound.ts';
import { ConfigurationFault, parametersOf, unknownKind } from './parameters.ts';
import { matches, namespaceOf } from './selection.ts';
import { CompiledPolicy, type PolicyVerdict, type Violation } from './validating-policy.ts';

const failureKey = 'validation.policy.admission.k8s.io/validation_failure';
const annotationCharactersMax = 10 * 1024;
const codes: { readonly [reason: string]: number } = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };
const invalidCode = 422;

export function createValidatingPolicies(objects: Placed<PolicyObjects>, meter: AdmissionMeter): AdmissionPlugin {
  const policies = layeredPolicies<CompiledPolicy, ValidatingAdmissionPolicyBinding>(
    objects,
    (object) => new CompiledPolicy(object as ValidatingAdmissionPolicy),
  );
  return defineAdmissionPlugin({
    name: 'ValidatingAdmissionPolicy',
    verbs: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    seesAll: true,
    validate(attributes) {
      if (isOutsidePolicies(attributes)) return;
      const all = policies.list(isExemptFromPolicies(attributes));
      if (all.length === 0) return;
      const evaluation = new Evaluation(attributes, meter);
      for (const { policy, bindings } of all) evaluation.add(policy, bindings);
      const [first] = evaluation.denials;
      if (first !== undefined) throw denial(attributes, first);
    },
  });
}

interface Denial {
  readonly message: string;
  readonly reason: string;
}

function denial(attributes: AdmissionAttributes, { message, reason }: Denial): StatusError {
  const { status } = refusal(attributes, message);
  const causes = [...(status.details?.causes ?? []), { message }];
  return new StatusError({ ...status, reason, details: { ...status.details, causes }, code: getOwn(codes, reason) ?? invalidCode });
}

class Evaluation {
  readonly denials: Denial[] = [];
  readonly #attributes: AdmissionAttributes;
  readonly #meter: AdmissionMeter;
  readonly #versions: Versions;

  constructor(attributes: AdmissionAttributes, meter: AdmissionMeter) {
    this.#attributes = attributes;
    this.#meter = meter;
    this.#versions = new Versions(attributes);
  }

  add(policy: CompiledPolicy, bindings: readonly ValidatingAdmissionPolicyBinding[]): void {
    const { metadata, spec } = policy.policy;
    const matched = this.#guarded(policy, undefined, () => matches(spec?.matchConstraints ?? {}, this.#attributes));
    if (matched === undefined) return;
    const { paramKind } = spec ?? {};
    const { forms } = this.#attributes;
    if (paramKind && forms.objectsOf(paramKind.apiVersion ?? '', paramKind.kind ?? '') === undefined)
      return this.#misconfigured(policy, undefined, unknownKind(paramKind));
    const annotations = new Map<string, string[]>();
    for (const binding of bindings) this.#bind(policy, binding, matched, annotations);
    for (const [key, values] of annotations) this.#attributes.annotate(`${metadata.name}/${key}`, values.join(', '));
  }

  #bind(policy: CompiledPolicy, binding: ValidatingAdmissionPolicyBinding, matched: AdmittedResource, annotations: Map<string, string[]>): void {
    const attributes = this.#attributes;
    const { paramRef, matchResources } = binding.spec ?? {};
    const isBound = this.#guarded(policy, binding, () => !matchResources || matches(matchResources, attributes) !== undefined);
    if (isBound !== true) return;
    const found = this.#guarded(policy, binding, () => parametersOf(policy.policy.spec?.paramKind, paramRef, attributes));
    if (found === undefined || found.length === 0) return;
    const namespace = namespaceOf(attributes);
    const { object, oldObject } = this.#versions.in(matched);
    for (const params of found) {
      const values = activationOf({ attributes, matched, object, oldObject, params: params ?? null, namespace });
      const beganMs = this.#meter.nowMs();
      const verdict = policy.evaluate(values);
      this.#judge(policy, binding, verdict, annotations, (this.#meter.nowMs() - beganMs) / 1000);
    }
  }

  #judge(
    policy: CompiledPolicy,
    binding: ValidatingAdmissionPolicyBinding,
    verdict: PolicyVerdict,
    annotations: Map<string, string[]>,
    seconds: number,
  ): void {
    const { violations, annotations: made, annotationFaults } = verdict;
    for (const violation of violations) {
      this.#act(policy, binding, violation);
      for (const action of binding.spec?.validationActions ?? []) this.#count(policy, binding, violation, action.toLowerCase(), seconds);
    }
    for (const message of annotationFaults) this.#deny(policy, binding, message, '');
    for (const [key, value] of made) {
      const cut = value.slice(0, annotationCharactersMax);
      const known = annotations.get(key) ?? [];
      annotations.set(key, known);
      if (!known.includes(cut)) known.push(cut);
    }
  }

  #act({ policy }: CompiledPolicy, binding: ValidatingAdmissionPolicyBinding, { index, message, reason }: Violation): void {
    const { metadata, spec } = binding;
    const actions = spec?.validationActions ?? [];
    for (const action of actions) {
      if (action === 'Deny') this.#deny({ policy }, binding, message, reason);
      else if (action === 'Warn')
        this.#attributes.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${metadata.name}': ${message}`,
        );
      else {
        const failure = { message, policy: spec?.policyName, binding: metadata.name, expressionIndex: index, validationActions: actions };
        this.#attributes.annotate(failureKey, encodeJson([failure]));
      }
    }
  }

  /** The time is that of all expressions of the policy together. */
  #count({ policy }: CompiledPolicy, binding: ValidatingAdmissionPolicyBinding, { message }: Violation, action: string, seconds: number): void {
    const error = errorTypeOf(message);
    this.#meter.checked('validating', { policy: policy.metadata.name ?? '', binding: binding.metadata.name ?? '', error, action }, seconds);
  }

  /** Undefined where the configuration cannot be used. */
  #guarded<T>(policy: CompiledPolicy, binding: ValidatingAdmissionPolicyBinding | undefined, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof ConfigurationFault) && !(error instanceof StatusError)) throw error;
      this.#misconfigured(policy, binding, error.message);
      return undefined;
    }
  }

  #misconfigured(policy: CompiledPolicy, binding: ValidatingAdmissionPolicyBinding | undefined, why: string): void {
    if (policy.failsOpen) return;
    this.#deny(policy, binding, `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${why}`, '');
  }

  #deny({ policy }: Pick<CompiledPolicy, 'policy'>, binding: ValidatingAdmissionPolicyBinding | undefined, why: string, reason: string): void {
    const by = binding === undefined ? '' : ` with binding '${binding.metadata.name}'`;
    this.denials.push({ message: `ValidatingAdmissionPolicy '${policy.metadata.name}'${by} denied request: ${why}`, reason: reason || 'Invalid' });
  }
}

/** By the text, as upstream: what was not allowed counts as invalid too. */
function errorTypeOf(message: string): PolicyErrorType {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith('validation failed due to running out of cost budget') ? 'out_of_budget' : 'invalid_error';
}
