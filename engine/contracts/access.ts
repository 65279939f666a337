/**
 * What the authorizer is asked and answers, and the door through which the kinds of review (SubjectAccessReview, TokenReview …) ask
 * it. Mirrors apiserver pkg/authorization/authorizer/interfaces.go.
 */
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

/** Answers reviews; may have to ask whom the API server asks. */
export interface AccessReviewer {
  authorize(identity: Identity, attributes: AccessAttributes, ask: Ask): AccessDecision;
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[];
  rulesMissing?(identity: Identity): string | undefined;
  knownToken(token: string, audiences: readonly string[], ask: Ask): KnownToken;
}

/** The same, within one attempt. */
export interface AccessOracle {
  authorize(identity: Identity, attributes: AccessAttributes): AccessDecision;
  /** Everything bound to the identity cluster-wide and in the namespace. */
  rulesOf(identity: Identity, namespace: string): readonly AccessRule[];
  /** Why `rulesOf` cannot tell all that the identity may do; absent when it does. */
  rulesMissing?(identity: Identity): string | undefined;
  /** `audiences` are those that would do; none: the API server's own. */
  knownToken(token: string, audiences: readonly string[]): KnownToken;
}
