/** Whom clients of this process believe: a server whose own certificate is named as its authority, as Go trusts its roots, and nobody else. */
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fields } from '../apiserver/configuration-reader.ts';
import { readIssuers } from '../apiserver/auth/jwt/configuration.ts';
import type { JsonObject } from '../base/json.ts';
import { createAuthority, issueCertificate } from '../serving/certificates.ts';
import { OidcIssuer } from './oidc.ts';
import { createAggregatedReach } from './reach-aggregated.ts';
import { agentFor } from './remote/agent.ts';

const issued = (): ReturnType<typeof issueCertificate> =>
  issueCertificate(createAuthority('authority'), { commonName: 'server', names: ['127.0.0.1', 'server.example'], usage: 'server', days: 1 });
const pair = issued();
let [url, port] = ['', 0];
const server = createServer({ cert: pair.certificatePem, key: pair.keyPem }, (request, response) => {
  response.end(JSON.stringify(request.url === '/keys' ? { keys: [] } : { issuer: url, jwks_uri: `${url}/keys` }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  url = `https://127.0.0.1:${port}`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

/** Settles once the server has answered; rejects where it is not believed. */
const asked: { readonly [who: string]: (authorityPem: string) => Promise<unknown> } = {
  'the server of an APIService': (authorityPem) => {
    const caBundle = Buffer.from(authorityPem).toString('base64');
    const place = { url, path: '/', serverName: 'server.example', host: '127.0.0.1', port };
    const call = { ...place, method: 'GET', headers: {}, body: '', caBundle, isTrusted: false, isStream: false };
    return createAggregatedReach(() => undefined).call(call, new AbortController().signal);
  },
  'the server of a kubeconfig': (ca) =>
    new Promise((resolve, reject) => {
      const agent = agentFor({ server: url, ca }, {});
      get(url, { agent }, (response) => {
        response.resume();
        response.on('end', () => {
          agent.destroy();
          resolve(response.statusCode);
        });
      }).on('error', reject);
    }),
  'an issuer of tokens': (certificateAuthority) => {
    const issuer = { url, audiences: ['me'], certificateAuthority };
    const jwt = [{ issuer, claimMappings: { username: { claim: 'sub', prefix: '' } } }];
    const [configuration] = readIssuers(new Fields({ jwt } as unknown as JsonObject, '', ['jwt']), []);
    if (configuration === undefined) throw new Error('one issuer');
    return new OidcIssuer(configuration, () => Date.now()).fetchKeys();
  },
};

describe.each(Object.entries(asked))('%s', (_who, ask) => {
  it('may stand for its authority itself', async () => {
    await expect(ask(pair.certificatePem)).resolves.not.toThrow();
  });

  it('is not believed because of another server', async () => {
    await expect(ask(issued().certificatePem)).rejects.toThrow();
  });
});
