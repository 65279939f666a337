/** Sends requests to a cluster in this process, as the administrator. */
import type { HttpResponse } from '../../../engine/apiserver/http-types.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { TestCluster } from '../../support/cluster.ts';
import type { Answered, Send } from './play.ts';

export function sender(tank: () => TestCluster): Send {
  return async ({ method, path, body, contentType = 'application/json' }) => {
    const [route = '', query = ''] = path.split('?', 2);
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const headers = { accept: 'application/json', 'content-type': contentType, 'user-agent': 'test' };
    return answeredBy(await tank().door.serve({ method, path: route, query, headers, body: bytes, identity: adminIdentity }));
  };
}

function answeredBy(response: HttpResponse): Answered {
  if (!('body' in response)) return { code: 101, body: '', warnings: [] };
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const text = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join('');
  const { warning } = response.headers as { readonly warning?: string | readonly string[] };
  const warnings = warning === undefined ? [] : typeof warning === 'string' ? [warning] : warning;
  return { code: response.status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text, warnings };
}
