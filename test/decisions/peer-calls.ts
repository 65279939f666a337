/** How recorders ask a real API server. */
import { Buffer } from 'node:buffer';
import { Agent, request } from 'node:https';
import { type Reached, trustOf } from '../support/peer-kubeconfig.ts';

export interface PeerAnswer<T> {
  readonly code: number;
  readonly object: T;
}

/** Asks one request; patches are merge patches. */
export function peerCalls(reached: Reached): <T>(method: string, path: string, body?: unknown) => Promise<PeerAnswer<T>> {
  const agent = new Agent({ keepAlive: true, ...trustOf(reached) });
  return <T>(method: string, path: string, body?: unknown) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = { authorization: `Bearer ${reached.token}`, 'content-type': type, 'content-length': Buffer.byteLength(text) };
    return new Promise<PeerAnswer<T>>((resolve, reject) => {
      const call = request(reached.server + path, { method, agent, headers }, (response) => {
        let answer = '';
        response.on('data', (piece: Buffer) => (answer += piece.toString()));
        response.on('end', () => resolve({ code: response.statusCode ?? 0, object: JSON.parse(answer) as T }));
      });
      call.on('error', reject);
      call.end(text);
    });
  };
}

/** The same for recorders that need what they ask for: refusals are shown, but those of deletions. */
export function peerAsk(reached: Reached): <T>(method: string, path: string, body?: unknown) => Promise<T> {
  const call = peerCalls(reached);
  return async <T>(method: string, path: string, body?: unknown) => {
    const { code, object } = await call<T>(method, path, body);
    if (code >= 400 && method !== 'DELETE') console.error(method, path, JSON.stringify(object));
    return object;
  };
}
