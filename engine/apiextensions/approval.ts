/** What a definition in a group of the Kubernetes community says of its approval. Mirrors apiextensions-apiserver pkg/controller/apiapproval. */
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import { type Approval, approvalOf, isProtectedGroup } from '../component-helpers/definition-approval.ts';
import type { Condition } from '../component-helpers/definition-conditions.ts';

const reasons: { readonly [state in Approval['state']]: string } = {
  missing: 'MissingAnnotation',
  bypassed: 'UnapprovedAnnotation',
  approved: 'ApprovedAnnotation',
  invalid: 'InvalidAnnotation',
};

/** Undefined for groups that need no approval. */
export function approvalConditionOf({ metadata, spec }: CustomResourceDefinition): Condition | undefined {
  if (!isProtectedGroup(spec.group)) return undefined;
  const { state, reason } = approvalOf(metadata.annotations);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: reasons[state], message: reason };
}
