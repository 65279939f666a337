/** What release 1.13 writes at the head of its answers, and whom it takes the holder of a certificate for. */
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../engine/apiserver/http-types.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster } from '../../support/cluster.ts';
import { kinds } from '../../../engine/kinds/index.gen.ts';
import { benchSchemas } from '../../support/api-bench.ts';
import { sampleOf } from '../../support/samples.ts';

type Asking = (given: Partial<HttpRequest>) => { readonly headers: object; readonly body: { readonly spec?: object } };

async function asking(release: '1.13' | '1.36'): Promise<Asking> {
  const { door } = await aCluster({ seed: 1, nodes: 0, release });
  return (given) => {
    const answer = door.serveAtOnce({ method: 'GET', path: '/version', query: '', headers: {}, body: new Uint8Array(), ...given });
    if ('upgrade' in answer || 'open' in answer || typeof answer.body !== 'string') throw new Error('no answer of one piece');
    return { headers: answer.headers, body: JSON.parse(answer.body) as { readonly spec?: object } };
  };
}

describe.each([
  ['1.13', {}, {}],
  [
    '1.36',
    { 'audit-id': expect.any(String), 'cache-control': 'no-cache, private' },
    { extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab'] } },
  ],
] as const)('release %s', (release, marks, extra) => {
  it('marks its answers', async () => {
    const ask = await asking(release);
    for (const path of ['/version', '/api/v1/namespaces/none'])
      expect(withoutFlows(ask({ path, identity: adminIdentity }).headers)).toEqual({ 'content-type': 'application/json', ...marks });
  });

  it('knows who comes with a certificate', async () => {
    const ask = await asking(release);
    const version = release === '1.13' ? 'v1beta1' : 'v1';
    const kind = kinds.find((one) => one.kind === 'CertificateSigningRequest' && one.version === version);
    expect(kind).toBeDefined();
    const { name: _, ...sample } = sampleOf(kind as NonNullable<typeof kind>, benchSchemas);
    const { spec } = ask({
      method: 'POST',
      path: `/apis/certificates.k8s.io/${version}/certificatesigningrequests`,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify({ ...sample, metadata: { name: 'jane' } })),
      peer: { commonName: 'jane', organizations: ['system:masters'], fingerprint: 'ab' },
    }).body;
    const { username, groups, ...rest } = spec as { readonly username: string; readonly groups: object; readonly extra?: object };
    expect({ username, groups, ...('extra' in rest && { extra: rest.extra }) }).toEqual({
      username: 'jane',
      groups: ['system:masters', 'system:authenticated'],
      ...extra,
    });
  });
});

/** Flow schemas, which 1.36 names. */
function withoutFlows(headers: object): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-kubernetes-pf-')));
}
