/** Requests as somebody in particular, answered with code and body. */
import type { Identity } from '../../../engine/contracts/request.ts';
import type { TestCluster } from '../../support/cluster.ts';

export interface Answer {
  readonly code: number;
  /** Of a failure. */
  readonly message: string;
  readonly body: { readonly [key: string]: unknown };
}

export type Ask = (method: string, path: string, body?: unknown, contentType?: string) => Answer;

/** A user of no groups but those that everybody who is known has. */
export function user(name: string, ...groups: readonly string[]): Identity {
  return { name, groups: [...groups, 'system:authenticated'] };
}

export function nodeUser(node: string): Identity {
  return { name: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'] };
}

export function asking(test: TestCluster, identity: Identity): Ask {
  return (method, path, body, contentType = 'application/json') => {
    const [route = '', query = ''] = path.split('?', 2);
    const response = test.door.serveAtOnce({
      method,
      path: route,
      query,
      headers: { accept: 'application/json', 'content-type': contentType, 'user-agent': 'test' },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      identity,
    });
    if (!('body' in response)) return { code: 'status' in response ? response.status : 101, message: '', body: {} };
    const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
    const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
    const value = JSON.parse(text) as { readonly message?: string };
    return { code: response.status, message: response.status >= 400 ? (value.message ?? '') : '', body: value };
  };
}

export const apply = 'application/apply-patch+yaml';
export const merge = 'application/merge-patch+json';
