/** Whether a definition in a group of the Kubernetes community may be there. Mirrors apiextensions-apiserver pkg/controller/apiapproval and pkg/apihelpers. */
import type { CustomResourceDefinition } from '../api/apiextensions/v1/types.gen.ts';
import { goQuote } from '../apimachinery/quote.ts';
import { type Condition } from './conditions.ts';

const annotation = 'api-approved.kubernetes.io';
const url = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/;

/** Undefined for groups that need no approval. */
export function approvalOf({ metadata, spec }: CustomResourceDefinition): Condition | undefined {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(spec.group)) return undefined;
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const value = metadata.annotations?.[annotation] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(annotation)}`;
  if (value === '')
    return { type, status: 'False', reason: 'MissingAnnotation', message: `${must}, see https://github.com/kubernetes/enhancements/pull/1111` };
  if (value.startsWith('unapproved')) return { type, status: 'False', reason: 'UnapprovedAnnotation', message: `not approved: ${goQuote(value)}` };
  if (url.test(value)) return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${value}` };
  const message = `${must} with either a URL or a reason starting with "unapproved"`;
  return { type, status: 'False', reason: 'InvalidAnnotation', message };
}
