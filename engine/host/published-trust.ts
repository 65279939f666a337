/**
 * Tells servers of other APIs which clients and proxies this one believes, in the ConfigMap that says so. What it says already stays, as where several
 * API servers write. Mirrors pkg/controlplane/controller/clusterauthenticationtrust.
 */
import type { ConfigMap } from '../api/core/v1/types.gen.ts';
import type { HttpRequest, HttpResponse } from '../apiserver/http-types.ts';
import { apiServerIdentity } from '../cluster/identities.ts';
import type { Ways } from './authentication.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const clients = 'client-ca-file';
const authorities = 'requestheader-client-ca-file';

/** `serve` answers at once. Does nothing where nobody is told of, or all is said. */
export function publishTrust(
  serve: (request: HttpRequest) => HttpResponse,
  { requestHeader: trust, clientAuthoritiesPem = '' }: Pick<Ways, 'requestHeader' | 'clientAuthoritiesPem'>,
): void {
  if (trust === undefined && clientAuthoritiesPem === '') return;
  const known = read(serve(request('GET', '')));
  if (known === undefined) return;
  const more = new Map([
    ...newLists(known, trust),
    ...newAuthorities(known, clients, clientAuthoritiesPem),
    ...newAuthorities(known, authorities, trust?.authoritiesPem ?? ''),
  ]);
  if (more.size > 0) serve(request('PATCH', JSON.stringify({ data: Object.fromEntries(more) })));
}

type Data = { readonly [key: string]: string };

function newLists(known: Data, trust: Ways['requestHeader']): ReadonlyMap<string, string> {
  if (trust === undefined) return new Map();
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
  return more;
}

function newAuthorities(known: Data, key: string, added: string): ReadonlyMap<string, string> {
  const pem = known[key] ?? '';
  if (pem.includes(added.trim())) return new Map();
  return new Map([[key, `${pem}${pem === '' || pem.endsWith('\n') ? '' : '\n'}${added}`]]);
}

function request(method: string, body: string): HttpRequest {
  const headers = { accept: 'application/json', 'content-type': 'application/merge-patch+json', 'user-agent': 'kube-apiserver' };
  return { method, path, query: '', headers, body: new TextEncoder().encode(body), identity: apiServerIdentity };
}

/** Undefined where somebody has taken it away. */
function read(response: HttpResponse): Data | undefined {
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
