/** Requests that clients made of the API server, and clients: computed, of this process alone. */
import type { KubeObject } from '../../../apimachinery/object.ts';

export interface APIRequestStatus {
  readonly username: string;
  readonly userAgent: string;
  readonly verb: string;
  /** Path and query; what is longer than 512 characters ends in `…`. */
  readonly requestURI: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** 0 while nobody has answered. */
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  /** In virtual time. */
  readonly requestReceivedTimestamp: string;
  /** In wall time, to the last byte; absent while it goes on. */
  readonly latencyMs?: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly change?: {
    /** As changes name it: `input:7`; absent of a component's, which is none. */
    readonly input?: number;
    readonly firstRevision: number;
    readonly lastRevision: number;
  };
}

export interface APIRequest extends KubeObject {
  readonly status: APIRequestStatus;
}

export interface APIClientStatus {
  readonly client: string;
  readonly type: 'Outside' | 'Component' | 'Webhook';
  readonly username?: string;
  readonly requests: number;
  readonly failed: number;
  readonly requestsPerSecond: number;
  readonly meanLatencyMs?: number;
  readonly slowestMs?: number;
  readonly lastRequestTime: string;
  readonly verbs: { readonly [verb: string]: number };
}

export interface APIClient extends KubeObject {
  readonly status: APIClientStatus;
}
