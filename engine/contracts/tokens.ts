/** Service account tokens: what the registry wants signed, and the host's capability to sign it. */
export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly nowMs: number;
  readonly pod?: { readonly name: string; readonly uid: string };
  readonly node?: { readonly name: string; readonly uid: string };
  readonly secret?: { readonly name: string; readonly uid: string };
}

export interface TokenSigner {
  /** Audiences of a request that names none. */
  readonly audiences: readonly string[];
  sign(claims: TokenClaims): string;
}
