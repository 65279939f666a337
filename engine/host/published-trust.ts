/**
 * Tells servers of other APIs which proxies this one believes, in the ConfigMap that says so. What it says already stays, as where several
 * API servers write. Mirrors pkg/controlplane/controller/clusterauthenticationtrust.
 */
import type { ConfigMap } from '../api/core/v1/types.gen.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { apiServerIdentity } from '../cluster/identities.ts';
import type { Ways } from './authentication.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const authorities = 'requestheader-client-ca-file';

/** `serve` answers at once. Does nothing where nobody is told of a proxy, or all is said. */
export function publishTrust(serve: (request: HttpRequest) => HttpResponse, trust: Ways['requestHeader']): void {
  if (trust === undefined) return;
  const known = read(serve(request('GET', '')));
  if (known === undefined) return;
  const lists: { readonly [key: string]: readonly string[] } = {
    'requestheader-allowed-names': trust.allowedNames,
    'requestheader-extra-headers-prefix': trust.extraPrefixes.map(canonical),
    'requestheader-group-headers': trust.groupHeaders.map(canonical),
    ...(trust.uidHeaders.length === 0 ? {} : { 'requestheader-uid-headers': trust.uidHeaders.map(canonical) }),
    'requestheader-username-headers': trust.userHeaders.map(canonical),
  };
  const more = new Map<string, string>();
  for (const [key, values] of Object.entries(lists)) {
    const said = listIn(known[key]);
    const all = [...new Set([...said, ...values])];
    if (all.length > said.length || known[key] === undefined) more.set(key, JSON.stringify(all));
  }
  const pem = known[authorities] ?? '';
  if (!pem.includes(trust.authoritiesPem.trim()))
    more.set(authorities, `${pem}${pem === '' || pem.endsWith('\n') ? '' : '\n'}${trust.authoritiesPem}`);
  if (more.size > 0) serve(request('PATCH', JSON.stringify({ data: Object.fromEntries(more) })));
}

function request(method: string, body: string): HttpRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/merge-patch+json', 'user-agent': 'kube-apiserver' };
  return { method, path, query: '', headers, body: new TextEncoder().encode(body), identity: apiServerIdentity };
}

/** Undefined where somebody has taken it away. */
function read(response: HttpResponse): { readonly [key: string]: string } | undefined {
  if (!('body' in response) || response.status !== 200) return undefined;
  const { body } = response;
  const text = typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : [...body].map(String).join('');
  return (JSON.parse(text) as ConfigMap).data ?? {};
}

/** Whatever else stands there is replaced. */
function listIn(text: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** `x-remote-user` as headers are usually written: `X-Remote-User`. */
function canonical(header: string): string {
  return header.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`);
}
