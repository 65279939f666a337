/** MutatingAdmissionPolicy: policies, where a binding asks for them, one after the other. Mirrors apiserver pkg/admission/plugin/policy/mutating/dispatcher.go. */
import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from '../../../api/admissionregistration/v1/types.gen.ts';
import type { Namespace } from '../../../api/core/v1/types.gen.ts';
import { newForbidden } from '../../../apimachinery/errors.ts';
import type { KubeObject } from '../../../apimachinery/object.ts';
import { StatusError } from '../../../apimachinery/status.ts';
import { deepEqual } from '../../../base/equal.ts';
import type { AdmissionAttributes, AdmittedResource } from '../../admission.ts';
import { type Activation, activationOf } from '../hooks/expressions.ts';
import { isExemptFromPolicies, isOutsidePolicies } from '../hooks/matching.ts';
import type { Placed } from '../hooks/sources.ts';
import type { AdmissionMeter, PolicyErrorType } from '../meter.ts';
import { type AdmissionPlugin, defineAdmissionPlugin } from '../plugin.ts';
import type { Reinvocation, Reinvoked } from '../reinvocation.ts';
import { type VersionedObjects, versionedObjects } from '../webhooks/webhooks.ts';
import { type BoundPolicy, layeredPolicies, type PolicyObjects } from './bound.ts';
import { CompiledMutatingPolicy, MutationFault } from './mutating-policy.ts';
import { ConfigurationFault, parametersOf, unknownKind } from './parameters.ts';
import { matches, namespaceOf } from './selection.ts';

const name = 'MutatingAdmissionPolicy';

type Bound = BoundPolicy<CompiledMutatingPolicy, MutatingAdmissionPolicyBinding>;

export function createMutatingPolicies(objects: Placed<PolicyObjects>, meter: AdmissionMeter): AdmissionPlugin {
  const policies = layeredPolicies<CompiledMutatingPolicy, MutatingAdmissionPolicyBinding>(
    objects,
    (object) => new CompiledMutatingPolicy(object as MutatingAdmissionPolicy),
  );
  return defineAdmissionPlugin({
    name,
    verbs: ['CREATE', 'UPDATE', 'CONNECT'],
    seesAll: true,
    mutate(attributes, reinvocation) {
      if (isOutsidePolicies(attributes)) return attributes.object;
      const all = policies.list(isExemptFromPolicies(attributes));
      if (all.length === 0) return attributes.object;
      return new Round(attributes, reinvocation, meter).run(all);
    },
  });
}

interface Invocation {
  readonly policy: CompiledMutatingPolicy;
  readonly binding: MutatingAdmissionPolicyBinding;
  readonly matched: AdmittedResource;
  readonly params: KubeObject | undefined;
}

interface PolicyFault {
  readonly message: string;
  readonly reason: string;
}

/** One pass over all policies with one object. */
class Round {
  readonly #attributes: AdmissionAttributes;
  readonly #reinvocation: Reinvocation;
  readonly #again: Reinvoked;
  readonly #faults: PolicyFault[] = [];
  readonly #meter: AdmissionMeter;
  #current: VersionedObjects;
  #isPatched = false;

  constructor(attributes: AdmissionAttributes, reinvocation: Reinvocation, meter: AdmissionMeter) {
    this.#attributes = attributes;
    this.#meter = meter;
    this.#reinvocation = reinvocation;
    this.#again = reinvocation.of(name);
    this.#current = versionedObjects(attributes, attributes.forms.requested);
  }

  run(policies: readonly Bound[]): KubeObject | undefined {
    const { forms, object } = this.#attributes;
    const invocations = policies.flatMap((bound) => [...this.#invocationsOf(bound)]);
    if (this.#reinvocation.isSecond) this.#again.beginSecond(object);
    if (invocations.length > 0) {
      const namespace = namespaceOf(this.#attributes);
      for (const one of invocations) this.#invoke(one, namespace);
    }
    if (this.#isPatched) {
      this.#reinvocation.isAskedFor = true;
      // Also who made the last change.
      this.#again.requireAgain();
    }
    this.#refuse();
    const { form, object: made } = this.#current;
    const result = made === undefined ? undefined : forms.convert(made, form, forms.requested);
    this.#again.ended(result);
    return result;
  }

  *#invocationsOf({ policy, bindings }: Bound): Generator<Invocation> {
    const { spec } = policy.policy;
    const attributes = this.#attributes;
    const matched = this.#guarded(policy, undefined, () => matches(spec?.matchConstraints ?? {}, attributes));
    if (matched === undefined) return;
    const { paramKind } = spec ?? {};
    if (paramKind && attributes.forms.objectsOf(paramKind.apiVersion ?? '', paramKind.kind ?? '') === undefined)
      return this.#fault(policy, undefined, `failed to configure policy: ${unknownKind(paramKind)}`);
    for (const binding of bindings) {
      const { paramRef, matchResources } = binding.spec ?? {};
      const isBound = this.#guarded(policy, binding, () => !matchResources || matches(matchResources, attributes) !== undefined);
      if (isBound !== true) continue;
      const found = this.#guarded(policy, binding, () => parametersOf(paramKind, paramRef, attributes)) ?? [];
      for (const params of found) yield { policy, binding, matched, params };
    }
  }

  #invoke({ policy, binding, matched, params }: Invocation, namespace: Namespace | undefined): void {
    const values = (): Activation => {
      const { object, oldObject } = this.#current;
      return activationOf({ attributes: this.#attributes, matched, object, oldObject, params: params ?? null, namespace });
    };
    this.#current = this.#inForm(matched);
    const met = policy.isMet(values());
    if (met.type === 'unmet') return;
    if (met.type === 'failed') return this.#fault(policy, binding, met.message, 'Invalid');
    const id = [policy.policy, binding, params].map((one) => `${one?.metadata.namespace ?? ''}/${one?.metadata.name ?? ''}`).join(' ');
    if (this.#reinvocation.isSecond && !this.#again.isAgain(id)) return;
    const before = this.#current.object;
    const beganMs = this.#meter.nowMs();
    let error: PolicyErrorType = 'no_error';
    for (const mutation of policy.mutations) {
      const { object } = this.#current;
      if (object === undefined) continue;
      try {
        this.#current = { ...this.#current, object: policy.mutated(mutation, object, values(), matched, this.#attributes.forms) };
        this.#isPatched = true;
      } catch (fault) {
        if (!(fault instanceof MutationFault)) throw fault;
        error = 'invalid_error';
        this.#fault(policy, binding, fault.message, 'Invalid');
      }
    }
    const named = { policy: policy.policy.metadata.name ?? '', binding: binding.metadata.name ?? '', error };
    this.#meter.checked('mutating', named, (this.#meter.nowMs() - beganMs) / 1000);
    if (!deepEqual(before, this.#current.object)) this.#again.requireAgain();
    if (policy.isReinvoked) this.#again.invoked(id);
  }

  #inForm(form: AdmittedResource): VersionedObjects {
    const { form: from, object, oldObject } = this.#current;
    if (form.group === from.group && form.version === from.version) return this.#current;
    const convert = (value: KubeObject | undefined): KubeObject | undefined => value && this.#attributes.forms.convert(value, from, form);
    return { form, object: convert(object), oldObject: convert(oldObject) };
  }

  /** Undefined where the configuration cannot be used. */
  #guarded<T>(policy: CompiledMutatingPolicy, binding: MutatingAdmissionPolicyBinding | undefined, act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof ConfigurationFault) && !(error instanceof StatusError)) throw error;
      this.#fault(policy, binding, `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${error.message}`);
      return undefined;
    }
  }

  #fault(policy: CompiledMutatingPolicy, binding: MutatingAdmissionPolicyBinding | undefined, why: string, reason = ''): void {
    if (policy.failsOpen) return;
    const { name: called } = policy.policy.metadata;
    const by = binding === undefined ? `policy "${called ?? ''}"` : `policy '${called ?? ''}' with binding '${binding.metadata.name ?? ''}'`;
    this.#faults.push({ message: `${by} denied request: ${why}`, reason });
  }

  /** The first is told, all are causes; upstream leaves the code as it is. */
  #refuse(): void {
    const [first] = this.#faults;
    if (first === undefined) return;
    const { group, resource, name: object } = this.#attributes;
    const { status } = newForbidden({ group, resource }, object, 'admission request denied by policy');
    const causes = this.#faults.map(({ message }) => ({ message }));
    throw new StatusError({ ...status, message: first.message, reason: first.reason || status.reason || '', details: { ...status.details, causes } });
  }
}
