/** The policies of the cases as they are sent, and what counts of the answers. */
import type { JsonObject } from '../../../engine/base/json.ts';
import type { TypedPolicy } from './cases.ts';

const head = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy' };

/** What is behind ` || ` at the end of a `messages` policy's line is its message. */
function validationOf(expression: string, hasMessages: boolean): JsonObject {
  const at = hasMessages ? expression.lastIndexOf(' || ') : -1;
  return at < 0 ? { expression } : { expression: expression.slice(0, at), messageExpression: expression.slice(at + 4) };
}

export function policyOf({ name, rules, paramKind, variables, expressions }: TypedPolicy): JsonObject {
  // Types are not asked for here, only names: whatever the expressions give is compared to something.
  const validations = expressions.map((one) => validationOf(name === 'messages' ? one : `dyn(${one}) == true`, name === 'messages'));
  return {
    ...head,
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, validations, ...(paramKind && { paramKind }), ...(variables && { variables }) },
  };
}

export function writtenPolicyOf(expression: string): JsonObject {
  return {
    ...head,
    metadata: { name: 'written' },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] },
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'v', expression: '1 == 1' }],
      validations: [{ expression }],
    },
  };
}

export interface Status {
  readonly observedGeneration?: number;
  readonly typeChecking?: { readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[] };
}

/** Upstream gives types names with the time in them. */
export function warningsOf(status: Status | undefined): readonly (readonly [string, string])[] | string {
  if (status?.observedGeneration === undefined) return 'not looked at';
  return (status.typeChecking?.expressionWarnings ?? []).map(
    ({ fieldRef, warning }) => [fieldRef, warning.replace(/\b([A-Z][A-Za-z]+)\d{3,}/g, '$1#')] as const,
  );
}

/** Empty for a policy that is accepted. */
export function refusalOf(answer: JsonObject): string {
  return answer['kind'] === 'Status' ? String(answer['message']) : '';
}
