/**
 * The question every request puts to the authorizer, and upstream's words for a no. Mirrors apiserver
 * pkg/authorization/authorizer/interfaces.go and pkg/endpoints/handlers/responsewriters/errors.go.
 */
import type { AccessAttributes, AccessDecision } from '../contracts/access.ts';
import { goQuote } from '../apimachinery/quote.ts';
import type { Ask } from '../contracts/questions.ts';
import type { Identity } from '../contracts/request.ts';

export type AuthorizationAttributes = AccessAttributes;
export type Decision = AccessDecision;

export interface Authorizer {
  /** `ask` reaches whom only the outside knows: a webhook. */
  authorize(identity: Identity, attributes: AuthorizationAttributes, ask: Ask): Decision;
}

export const allowAll: Authorizer = { authorize: () => ({ allowed: true, reason: '' }) };

/** The text behind `pods is forbidden: ` (or `pods "x" is forbidden: `). */
export function forbiddenText(identity: Identity, attributes: AuthorizationAttributes, reason: string): string {
  const tail = reason === '' ? '' : `: ${reason}`;
  return escapeMarkup(describe(identity, attributes)) + tail;
}

function describe(identity: Identity, attributes: AuthorizationAttributes): string {
  const user = `User ${goQuote(identity.name)}`;
  if (!attributes.isResource) return `${user} cannot ${attributes.verb} path ${goQuote(attributes.path)}`;
  const resource = attributes.subresource === '' ? attributes.resource : `${attributes.resource}/${attributes.subresource}`;
  const what = `${user} cannot ${attributes.verb} resource ${goQuote(resource)} in API group ${goQuote(attributes.group)}`;
  return attributes.namespace === '' ? `${what} at the cluster scope` : `${what} in the namespace ${goQuote(attributes.namespace)}`;
}

/** Names that came from outside make no markup. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
