/**
 * The API `Status` object, the one error shape of Kubernetes. `errors.ts` has one constructor per reason; everything that fails
 * for a client is thrown or returned as a `StatusError`. Mirrors k8s.io/apimachinery pkg/api/errors.
 */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** Thrown by the API pipeline and by clients. `status.code` is the HTTP status. */
export class StatusError extends Error {
  readonly status: Status;
  /** Texts for `Warning` headers that the answer carries too. */
  warnings: readonly string[] = [];
  /** Whether the answer tells browsers to take it for what it says it is: upstream does so of what its filters refuse. */
  isUnsniffed = false;
  /** Whether somebody answers who waited for the handler in vain: as text, in no form that was asked for, and without what kind it is. */
  isBare = false;

  constructor(status: Status) {
    super(status.message ?? status.reason ?? 'unknown error');
    this.name = 'StatusError';
    this.status = status;
  }
}
