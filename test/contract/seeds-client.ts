/** Asks a cluster in process as an HTTP client would, and reads its streams. */
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { Identity } from '../../engine/contracts/request.ts';
import type { TestCluster } from '../support/cluster.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly body: Tree;
}

/** JSON that a test looks into. */
export interface Tree {
  readonly [name: string]: Tree;
}

export interface Question {
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: { readonly [name: string]: string };
  /** The admin when absent. */
  readonly identity?: Identity;
}

export type Ask = (method: string, path: string, question?: Question) => Answer;

export function asker({ door }: TestCluster): Ask {
  return (method, path, { body, bytes, type = 'application/json', accept = 'application/json', headers = {}, identity = adminIdentity } = {}) => {
    const [route = '', query = ''] = path.split('?', 2);
    const sent = bytes ?? new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const response = door.serveAtOnce({
      method,
      path: route,
      query,
      headers: { accept, 'content-type': type, 'user-agent': 'seeds', ...headers },
      body: sent,
      identity,
    });
    if ('upgrade' in response) throw new Error(`${method} ${path} upgrades the connection`);
    const chunks: Uint8Array[] = [];
    const add = (chunk: string | Uint8Array): void => void chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    if ('open' in response) response.open({ write: (chunk) => add(typeof chunk === 'function' ? chunk() : chunk), end: () => {} })();
    else if (typeof response.body === 'string' || response.body instanceof Uint8Array) add(response.body);
    else for (const chunk of response.body) add(chunk);
    const joined = Buffer.concat(chunks);
    const text = joined.toString();
    const warning = response.headers['warning'] ?? [];
    const isJson = !('open' in response) && String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.status,
      type: String(response.headers['content-type']),
      warnings: typeof warning === 'string' ? [warning] : warning,
      text,
      bytes: joined,
      body: (isJson ? JSON.parse(text) : {}) as Tree,
    };
  };
}

/** The events of a JSON watch. */
export function eventsOf(answer: Answer): readonly { readonly type: string; readonly object: Tree }[] {
  return answer.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object: Tree });
}
