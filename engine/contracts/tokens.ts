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
  /** `algorithm` as JSON Web Keys write it (`ES256`), and the public key itself, a JSON Web Key (RFC 7517). */
  readonly keys: readonly { readonly algorithm: string; readonly jwk: { readonly [member: string]: string } }[];
  /** Where the keys are found; at the API server when absent. */
  readonly keysUrl?: string;
}

export interface TokenSigner {
  /** Absent: nobody is told. */
  readonly published?: PublishedIssuer;
  /** The API server's own audiences: of a request that names none, and of tokens that open it. */
  readonly audiences: readonly string[];
  /** No token that is asked for lives longer. */
  readonly expirationSecondsMax?: number;
  /** Tokens that pods mount go on working for a year. */
  readonly extendsExpiration?: boolean;
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

/** The claims of a token whose signature is right, as they stand in it: times are whole seconds; what nobody says is empty. */
export interface VerifiedClaims {
  readonly iss?: string;
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
  readonly iss?: string;
  readonly aud?: readonly string[];
  readonly sub?: string;
  readonly 'kubernetes.io/serviceaccount/namespace'?: string;
  readonly 'kubernetes.io/serviceaccount/secret.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.name'?: string;
  readonly 'kubernetes.io/serviceaccount/service-account.uid'?: string;
}

/** What there is to say of the use of a token beside whose it is. */
export interface TokenRemarks {
  /** For the audit log, where the token is good. */
  readonly annotations?: { readonly [key: string]: string };
  /** For who uses it. */
  readonly warnings?: readonly string[];
  /** Metrics that count it, by upstream's names. */
  readonly counts?: readonly TokenCount[];
  /** The Secret that holds it. */
  readonly secret?: { readonly namespace: string; readonly name: string; readonly uid: string };
}

export type TokenCount =
  | 'legacy_tokens'
  | 'stale_tokens'
  | 'valid_tokens'
  | 'legacy_manual_token_uses'
  | 'legacy_auto_token_uses'
  | 'invalid_legacy_auto_token_uses';

/** What an authenticator says of a credential: whose it is, or what is wrong with it. Undefined: not one of mine. */
export type Authenticated<I> =
  | { readonly identity: I; readonly audiences: readonly string[]; readonly remarks?: TokenRemarks }
  | { readonly error: string; readonly remarks?: TokenRemarks }
  | undefined;
