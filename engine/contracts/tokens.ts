/**
 * Service account tokens: what the registry wants signed, the host's capability to sign it, and what the host says of a token that it
 * was shown. Keys are the host's; what the claims mean is the API server's affair.
 */
export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

export interface TokenClaims {
  /** Tells this token from every other (`jti`). */
  readonly id: string;
  readonly namespace: string;
  readonly serviceAccount: ObjectClaim;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly nowMs: number;
  /** Seconds after which a use of the token is worth a remark, though it is still good. */
  readonly warnAfterSeconds?: number;
  readonly pod?: ObjectClaim;
  readonly node?: ObjectClaim;
  readonly secret?: ObjectClaim;
}

/** Of a token that a Secret holds: no time runs out for it, and it is good as long as the Secret has it. */
export interface SecretTokenClaims {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly secret: string;
  readonly serviceAccount: ObjectClaim;
}

/** What others need to check tokens by themselves. */
export interface PublishedIssuer {
  readonly issuer: string;
  /** As JSON Web Keys write it: `ES256`. */
  readonly algorithm: string;
  /** The public key, a JSON Web Key (RFC 7517). */
  readonly key: { readonly [member: string]: string };
}

export interface TokenSigner {
  /** Absent: nobody is told. */
  readonly published?: PublishedIssuer;
  /** The API server's own audiences: of a request that names none, and of tokens that open it. */
  readonly audiences: readonly string[];
  /** The same claims give the same text. */
  sign(claims: TokenClaims): string;
}

/** What a kubelet asks for in the name of one of its pods, to show it in a volume. */
export interface PodTokenRequest {
  readonly namespace: string;
  readonly serviceAccount: ObjectClaim;
  readonly pod: ObjectClaim;
  readonly node: ObjectClaim;
  /** The API server's own when absent. */
  readonly audience?: string;
  readonly expirationSeconds: number;
  /** When it was asked for: the same request at the same instant has the same token. */
  readonly nowMs: number;
}

export interface PodTokens {
  /** Undefined where there is no such account. */
  accountUid(namespace: string, name: string): string | undefined;
  issue(request: PodTokenRequest): string;
}

/** The same claims give the same text, whenever they are signed: it is stored, and a replay stores it again. */
export type SecretTokenSigner = (claims: SecretTokenClaims) => string;

/** The claims of a token whose signature is right, as they stand in it: times are seconds. */
export interface VerifiedClaims {
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly sub?: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: ObjectClaim;
    readonly pod?: ObjectClaim;
    readonly node?: { readonly name: string; readonly uid?: string };
    readonly secret?: ObjectClaim;
    readonly warnafter?: number;
  };
}

/** The claims of a Secret's token whose signature is right, as they stand in it; whoever signed it may have left out any. */
export interface VerifiedSecretClaims {
  readonly sub?: string;
  readonly 'kubernetes.io/serviceaccount/namespace'?: string;
  readonly 'kubernetes.io/serviceaccount/secret.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid'?: string;
}

/** What an authenticator says of a credential: whose it is, or what is wrong with it. Undefined: not one of mine. */
export type Authenticated<I> = { readonly identity: I; readonly audiences: readonly string[] } | { readonly error: string } | undefined;
