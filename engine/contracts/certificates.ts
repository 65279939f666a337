/** Certificates as controllers need them: what a request says, and what the cluster's authority signs. The host lends it. */

/** What a certificate signing request asks for (PKCS #10). */
export interface CertificateRequestFacts {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

export interface SigningOrder {
  /** PEM of the request. */
  readonly request: string;
  /** 32 hex digits. */
  readonly serial: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Names of `spec.usages`. */
  readonly usages: readonly string[];
}

export interface CertificateSigner {
  /** PEM. The same order gives the same certificate: signatures are deterministic. Throws an Error for what cannot be signed. */
  sign(order: SigningOrder): string;
  /** Until when the authority itself is good. */
  readonly notAfterMs: number;
}

/** Certificates without the authority's key, for everybody. */
export interface CertificateReader {
  /** Throws an Error that says what is wrong with the PEM text of a request. */
  read(request: string): CertificateRequestFacts;
  /** When the certificate of a status (base64 of PEM) ends; undefined for what is none. */
  expiryMs(certificate: string): number | undefined;
  /** Who signs for a `spec.signerName`; undefined where nobody does. Absent where nobody signs anything. */
  readonly signerFor?: (signerName: string) => CertificateSigner | undefined;
}

/** Whom a client believes that a server is. */
export interface ServerTrust {
  /** PEM. */
  readonly authorities: string;
  readonly name: string;
  readonly nowMs: number;
}

/** A public key (PKIX), and what its holder has signed with the other half. */
export interface KeyProof {
  readonly key: Uint8Array;
  readonly proof: Uint8Array;
  readonly signed: Uint8Array;
}

/** What is wrong with the key or the proof, and what is shown of it, if not itself. */
export interface KeyFault {
  readonly of: 'key' | 'proof';
  readonly shown?: string;
  readonly text: string;
}

/** What stands in a certificate, of what is looked at once it is issued. */
export interface IssuedFacts {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** PKIX. */
  readonly key: Uint8Array;
}

/** Judges DER as the API server must before it stores it. Pure: the same bytes are judged the same everywhere. */
export interface CertificateJudge {
  /** Why a PKCS #10 request cannot be read, or that its signature is not its key's; undefined for a good one. */
  requestFault(der: Uint8Array): string | undefined;
  /** Of a request that can be read: why its key is none that pods may have. */
  requestKeyFault(der: Uint8Array): Omit<KeyFault, 'of'> | undefined;
  /** The key of a request that can be read (PKIX). */
  requestKey(der: Uint8Array): Uint8Array | undefined;
  /** Of a certificate without fault. */
  issued(der: Uint8Array): IssuedFacts;
  /** Whether a key (PKIX) is the same as another, however they are written. */
  isSameKey(one: Uint8Array, other: Uint8Array): boolean;
  /** Why a key is not taken, or not believed to be held; undefined where it is. */
  keyFault(proof: KeyProof): KeyFault | undefined;
  /** Why this is no one certificate; undefined for a good one. */
  certificateFault(der: Uint8Array): string | undefined;
  /** Of a certificate without fault and a private key (DER): why they do not belong together, in Go's words. */
  pairFault(certificate: Uint8Array, key: Uint8Array): string | undefined;
  /** Whether a good certificate may sign others. */
  isAuthority(der: Uint8Array): boolean;
  /** Why nobody believes a server that shows these certificates (PEM), in Go's words; undefined where everybody does. */
  serverFault(chain: string, trust: ServerTrust): string | undefined;
}
