/**
 * Tells by the status of a ValidatingAdmissionPolicy that it was looked at, and which of its expressions do not fit the kinds that it
 * matches. Mirrors pkg/controller/validatingadmissionpolicystatus/controller.go.
 */
import type { ValidatingAdmissionPolicy } from '../../api/admissionregistration/v1/types.gen.ts';
import { type Informer, type InformerEvent, keyOf } from '../../client/informer.ts';
import { resourceType } from '../../client/resources.ts';
import { type Controller, type ReconcileContext, watchOf } from '../../controller-runtime/controller.ts';
import { type ControllerEnvironment, defineController } from '../controller.ts';
import { warningsOf } from './type-check.ts';

type Policy = ValidatingAdmissionPolicy;
const fieldManager = 'validatingadmissionpolicy-status';
const policies = resourceType<Policy>('admissionregistration.k8s.io', 'v1', 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false);

class PolicyStatusController implements Controller {
  readonly #environment: ControllerEnvironment;
  readonly #policies: Informer<Policy>;

  constructor(environment: ControllerEnvironment) {
    this.#environment = environment;
    this.#policies = environment.informer(policies);
  }

  async reconcile({ client }: ReconcileContext, key: string): Promise<void> {
    const policy = this.#policies.get(undefined, key);
    if (policy === undefined || isObserved(policy)) return;
    const warnings = warningsOf(policy, this.#environment.types);
    const wanted = {
      kind: 'ValidatingAdmissionPolicy',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name: key },
      status: { observedGeneration: policy.metadata.generation ?? 0, typeChecking: warnings.length === 0 ? {} : { expressionWarnings: warnings } },
    };
    await client.patch(policies, undefined, key, 'apply', wanted, { subresource: 'status', fieldManager, force: true });
  }
}

function isObserved({ metadata, status }: Policy): boolean {
  return (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
}

export const validatingAdmissionPolicyStatusController = defineController<PolicyStatusController>({
  name: 'validatingadmissionpolicy-status-controller',
  aliases: ['validatingadmissionpolicy-status'],
  serviceAccount: 'validatingadmissionpolicy-status-controller',
  eventSource: 'validatingadmissionpolicy-status-controller',
  workers: () => 5,
  watches: [watchOf(policies, ({ type, object }: InformerEvent<Policy>) => (type === 'delete' || isObserved(object) ? [] : [keyOf(object)]))],
  create: (environment) => new PolicyStatusController(environment),
});
