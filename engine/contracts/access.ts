/**
 * What the authorizer is asked and answers, and the door through which the kinds of review (SubjectAccessReview, TokenReview …) ask
 * it. Mirrors apiserver pkg/authorization/authorizer/interfaces.go.
 */
import { goQuote } from '../apimachinery/quote.ts';
import type { Ask } from './questions.ts';
import type { Identity } from './request.ts';
import type { Authenticated } from './tokens.ts';

/** Who is in it may do everything, and is asked about nothing. */
export const superuserGroup = 'system:masters';

export interface AccessAttributes {
  readonly verb: string;
  readonly isResource: boolean;
  /** For requests that are none for a resource. */
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** Nobody else is asked. */
  readonly denied?: boolean;
  /** Why somebody who was asked could not tell; a no with it is a failure. */
  readonly error?: string;
}

/** A rule as roles write it; one of resources and nonResourceURLs. */
export interface AccessRule {
  /** Null where a role was written without. */
  readonly verbs: readonly string[] | null;
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Whose token it is and which of the audiences asked for it serves, or what is wrong with it. */
export type KnownToken = NonNullable<Authenticated<Identity>>;

export interface MissingRole {
  readonly kind: 'ClusterRole' | 'Role';
  readonly name: string;
}

/** As a lister says it. */
export function missingText({ kind, name }: MissingRole): string {
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`;
}

/** Go's aggregate of errors: each text once, several in brackets. */
export function allOf(texts: readonly string[]): string {
  const once = [...new Set(texts)];
  return once.length === 1 ? (once[0] as string) : `[${once.join(', ')}]`;
}

/** Answers reviews; may have to ask whom the API server asks. */
export interface AccessReviewer {
  authorize(identity: Identity, attributes: AccessAttributes, ask: Ask): AccessDecision;
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[];
  rulesMissing?(identity: Identity): readonly string[];
  rolesMissing?(identity: Identity, namespace: string): readonly MissingRole[];
  knownToken(token: string, audiences: readonly string[], ask: Ask): KnownToken;
}

/** The same, within one attempt. */
export interface AccessOracle {
  authorize(identity: Identity, attributes: AccessAttributes): AccessDecision;
  /** Everything bound to the identity cluster-wide and in the namespace. */
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[];
  /** Why `rulesOf` cannot tell all that the identity may do. */
  rulesMissing?(identity: Identity): readonly string[];
  /** What is bound to the identity, cluster-wide and in the namespace, and is not there. */
  rolesMissing?(identity: Identity, namespace: string): readonly MissingRole[];
  /** `audiences` are those that would do; none: the API server's own. */
  knownToken(token: string, audiences: readonly string[]): KnownToken;
}
