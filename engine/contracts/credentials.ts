/** What a connection tells of who is at its other end. */

/** The subject of a client certificate that the other end has proved to hold, or why the certificate proves nothing. */
export type PeerSubject =
  | {
      /** Empty where the certificate has none; the last where it has several. */
      readonly commonName: string;
      readonly organizations: readonly string[];
      /** Values of Kubernetes' own attribute for a user's uid. */
      readonly uids?: readonly string[];
      /** SHA-256 of the certificate, as hex. */
      readonly fingerprint?: string;
      /** Of the authority that stands behind it, as hex; only where there are several. */
      readonly authority?: string;
    }
  | { readonly problem: string };
