/** Certificates and tokens over HTTPS: whom they name, where they open, and when they stop. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttributeTypeAndValue, AttributeValue, Name, RelativeDistinguishedName, Validity } from '@peculiar/asn1-x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig, documentedStartMs } from '../cluster/config.ts';
import { certify, createAuthority, type KeyPair } from '../serving/certificates.ts';
import { Branch } from './branch.ts';
import { Endpoint } from './endpoint.ts';
import { type Keys, loadKeys } from './home.ts';

interface Answer {
  readonly code: number;
  readonly body: { readonly message?: string; readonly status: { readonly [key: string]: unknown }; readonly metadata: { readonly uid: string } };
}

interface Caller {
  readonly token?: string;
  readonly certificate?: KeyPair;
}

const home = mkdtempSync(join(tmpdir(), 'wavetank-credentials-'));
const core = '/api/v1/namespaces/default';
const selfReviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const issuer = 'https://kubernetes.default.svc.cluster.local';
let keys: Keys;
let first: Running;
let second: Running;

interface Running {
  readonly branch: Branch;
  readonly endpoint: Endpoint;
}

beforeAll(async () => {
  keys = loadKeys(home);
  [first, second] = [await start(), await start()];
});

afterAll(async () => {
  for (const { branch, endpoint } of [first, second]) {
    await endpoint.close();
    await branch.close();
  }
  rmSync(home, { recursive: true });
});

async function start(): Promise<Running> {
  const config = { ...defaultConfig, seed: 7, nodes: 1, startMs: documentedStartMs };
  const branch = await Branch.start({ config, keys, speed: 'paused', onFailure: () => undefined });
  const endpoint = new Endpoint(keys, 'main', branch);
  await endpoint.listen([0]);
  branch.run();
  return { branch, endpoint };
}

function call(method: string, path: string, body: object | undefined, { token, certificate }: Caller, to = first): Promise<Answer> {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const client = certificate === undefined ? {} : { cert: certificate.certificatePem, key: certificate.keyPem };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${to.endpoint.server}${path}`,
      { method, agent: false, ca: keys.authority.certificatePem, headers, ...client },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const admin = (): Caller => ({ token: keys.adminToken });

async function whoIs(caller: Caller, to = first): Promise<unknown> {
  const { code, body } = await call('POST', selfReviews, { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }, caller, to);
  return code === 201 ? body.status['userInfo'] : code;
}

const oids = { cn: '2.5.4.3', o: '2.5.4.10', uid: '1.3.6.1.4.1.57683.2' } as const;
type Attribute = readonly [keyof typeof oids, ConstructorParameters<typeof AttributeValue>[0] | string];

function subject(...attributes: readonly Attribute[]): Name {
  const value = (given: Attribute[1]): AttributeValue => new AttributeValue(typeof given === 'string' ? { utf8String: given } : given);
  return new Name(
    attributes.map(([type, given]) => new RelativeDistinguishedName([new AttributeTypeAndValue({ type: oids[type], value: value(given) })])),
  );
}

const hourMs = 3_600_000;

function certificate(name: Name, given: { usage?: 'client' | 'server'; authority?: KeyPair; endsInMs?: number } = {}): Caller {
  const { usage = 'client', authority = keys.authority, endsInMs = hourMs } = given;
  const validity = new Validity({ notBefore: new Date(Date.now() - 2 * hourMs), notAfter: new Date(Date.now() + endsInMs) });
  return { certificate: certify(authority, { subject: name, usage, validity }) };
}

describe('a client certificate', () => {
  const credential = { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)] };

  it.each<[string, readonly Attribute[], object]>([
    [
      'names its user and groups',
      [
        ['o', 'dev'],
        ['o', 'ops'],
        ['cn', 'ann'],
      ],
      { username: 'ann', groups: ['dev', 'ops', 'system:authenticated'] },
    ],
    [
      'with two common names is the last one, as text',
      [
        ['cn', 'eve'],
        ['cn', 'ann'],
      ],
      { username: 'ann', groups: ['system:authenticated'] },
    ],
    [
      'tells the uid in its own attribute',
      [
        ['uid', '42'],
        ['cn', 'ann'],
      ],
      { username: 'ann', uid: '42', groups: ['system:authenticated'] },
    ],
    [
      'may be written in other alphabets',
      [
        ['cn', { bmpString: 'änne' }],
        ['o', { printableString: 'dev' }],
      ],
      { username: 'änne', groups: ['dev', 'system:authenticated'] },
    ],
    [
      'keeps commas and slashes of a name',
      [['cn', 'ann, o=system:masters/x']],
      { username: 'ann, o=system:masters/x', groups: ['system:authenticated'] },
    ],
  ])('%s', async (_name, attributes, want) => {
    expect(await whoIs(certificate(subject(...attributes)))).toEqual({ ...want, extra: credential });
  });

  it('without a common name says nothing: its holder is anonymous', async () => {
    for (const name of [subject(['o', 'system:masters']), subject(['cn', ''])]) {
      expect(await whoIs(certificate(name))).toBe(403);
      expect((await call('GET', '/version', undefined, certificate(name))).code).toBe(200);
    }
  });

  it.each<[string, () => Caller]>([
    ['has expired', () => certificate(subject(['cn', 'ann']), { endsInMs: -hourMs })],
    ['is a server certificate', () => certificate(subject(['cn', 'ann']), { usage: 'server' })],
    ['is of another authority', () => certificate(subject(['cn', 'ann']), { authority: createAuthority('other') })],
    ['has two uids', () => certificate(subject(['cn', 'ann'], ['uid', '1'], ['uid', '2']))],
    ['has an empty uid', () => certificate(subject(['cn', 'ann'], ['uid', '']))],
  ])('that %s is refused, and not taken for nobody', async (_name, caller) => {
    expect((await call('GET', '/version', undefined, caller())).code).toBe(401);
    expect((await call('GET', '/version', undefined, { ...caller(), ...admin() })).code).toBe(200);
  });
});

describe('a token of a service account', () => {
  async function mint(spec: object, to = first): Promise<string> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
    const { body: made } = await call('POST', `${core}/serviceaccounts/default/token`, body, admin(), to);
    return String(made.status['token']);
  }

  function review(token: string, audiences?: readonly string[]): Promise<Answer['body']['status']> {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token, ...(audiences === undefined ? {} : { audiences }) } };
    return call('POST', tokenReviews, body, admin()).then((answer) => answer.body.status);
  }

  async function makePod(name: string): Promise<string> {
    const spec = { containers: [{ name: 'c', image: 'nginx' }], nodeName: 'node-0' };
    return (await call('POST', `${core}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }, admin())).body.metadata.uid;
  }

  it('says whose it is, which pod holds it, and which token it is', async () => {
    const uid = await makePod('holder');
    const token = await mint({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'holder' } });
    const node = (await call('GET', '/api/v1/nodes/node-0', undefined, admin())).body.metadata.uid;
    expect(await whoIs({ token })).toEqual({
      username: 'system:serviceaccount:default:default',
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
        'authentication.kubernetes.io/node-name': ['node-0'],
        'authentication.kubernetes.io/node-uid': [node],
        'authentication.kubernetes.io/pod-name': ['holder'],
        'authentication.kubernetes.io/pod-uid': [uid],
      },
    });
  });

  it('opens no other cluster, though home, seed and accounts are the same', async () => {
    const token = await mint({});
    expect(await whoIs({ token })).toMatchObject({ username: 'system:serviceaccount:default:default' });
    expect(await whoIs({ token }, second)).toBe(401);
    expect(await whoIs({ token: await mint({}, second) }, second)).toMatchObject({ username: 'system:serviceaccount:default:default' });
  });

  it('for another audience does not open the API', async () => {
    const token = await mint({ audiences: ['vault'] });
    expect(await whoIs({ token })).toBe(401);
    expect(await review(token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["vault"] is invalid for the target audiences ["${issuer}"]]`,
    });
    expect(await review(token, ['other', 'vault'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await review(await mint({ audiences: ['vault', issuer] }), ['vault'])).toMatchObject({ authenticated: true, audiences: ['vault'] });
    expect(await review(keys.adminToken, ['vault'])).toEqual({ user: {}, error: 'invalid bearer token' });
    expect(await review(keys.adminToken)).toMatchObject({ authenticated: true, audiences: [issuer] });
  });

  it('ends with the pod, the secret and the node it is bound to', async () => {
    const bound: readonly (readonly [kind: string, path: string, body: object])[] = [
      ['Pod', `${core}/pods`, { spec: { containers: [{ name: 'c', image: 'nginx' }] } }],
      ['Secret', `${core}/secrets`, {}],
      ['Node', '/api/v1/nodes', {}],
    ];
    for (const [kind, path, body] of bound) {
      await call('POST', path, { apiVersion: 'v1', kind, metadata: { name: 'bound' }, ...body }, admin());
      const token = await mint({ boundObjectRef: { apiVersion: 'v1', kind, name: 'bound' } });
      expect(await whoIs({ token })).toMatchObject({ username: 'system:serviceaccount:default:default' });
      await call('DELETE', `${path}/bound`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 }, admin());
      expect((await review(token))['error']).toBe('[invalid bearer token, service account token has been invalidated]');
      await call('POST', path, { apiVersion: 'v1', kind, metadata: { name: 'bound' }, ...body }, admin());
      expect((await review(token))['error']).toMatch(/UID \(.*\) does not match service account .* ref claim/);
    }
  });

  it('ends with its account', async () => {
    const accounts = `${core}/serviceaccounts`;
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    await call('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'brief' } }, admin());
    const token = String((await call('POST', `${accounts}/brief/token`, body, admin())).body.status['token']);
    await call('DELETE', `${accounts}/brief`, undefined, admin());
    expect((await review(token))['error']).toBe('[invalid bearer token, serviceaccounts "brief" not found]');
    await call('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'brief' } }, admin());
    expect((await review(token))['error']).toMatch(/service account UID \(.*\) does not match claim/);
    expect((await call('POST', `${accounts}/brief/token`, { ...body, metadata: { uid: 'other' } }, admin())).body.message).toContain(
      'the UID in the token request (other) does not match the UID of the service account',
    );
  });

  it('is no other text: changed, cut or signed by nobody', async () => {
    const token = await mint({});
    const [head = '', body = '', signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    for (const text of [`${head}.${body}.`, `${forged}.${body}.`, `${head}.${body}.${signature}.x`, `${head}.${body}x.${signature}`, 'x.y.z', '..'])
      expect(await whoIs({ token: text })).toBe(401);
  });

  it('ends with its time on the clock of the cluster; one mounted into a pod goes on for a year', async () => {
    const mounted = await mint({ expirationSeconds: 3607, boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'holder' } });
    const short = await mint({ expirationSeconds: 600 });
    const { loop } = first.branch.cluster;
    await first.branch.pacer.close();
    await loop.run(loop.nowMs() + 630_000);
    expect(await whoIs({ token: short })).toMatchObject({ username: 'system:serviceaccount:default:default' });
    await loop.run(loop.nowMs() + 60_000);
    expect((await review(short))['error']).toBe('[invalid bearer token, service account token has expired]');
    await loop.run(loop.nowMs() + 3_600_000);
    expect(await whoIs({ token: mounted })).toMatchObject({ username: 'system:serviceaccount:default:default' });
  });
});
