/** What a real API server answered to requests through its proxies (`record.ts`), asked here; and what replays and restores make of it. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { objects, type ProxyFact, redirects, routes, serverPort } from './cases.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as readonly ProxyFact[];
const config = { seed: 11, nodes: 2 };
const pods = '/api/v1/namespaces/default/pods';

/** As in the recorder's server; what it leads on to is a header that profiles do not have, so those are asked elsewhere. */
const profile = {
  apiVersion: 'sim.wavetank.dev/v1alpha1',
  kind: 'ImageProfile',
  metadata: { name: 'web' },
  spec: {
    image: 'acme/web',
    log: ['up'],
    ports: [{ port: serverPort, routes: [...routes, { path: '*', status: 404, contentType: 'text/plain', body: 'no {path}' }] }],
  },
};

async function aServer(): Promise<TestCluster> {
  const made = await aCluster(config);
  await made.advance(60_000);
  made.call('POST', '/apis/sim.wavetank.dev/v1alpha1/imageprofiles', profile);
  for (const { path, body } of objects(undefined)) made.call('POST', path, body);
  await made.advance(30_000);
  return made;
}

interface Answered {
  readonly status: number;
  readonly location?: string;
  readonly contentType?: string;
  readonly body: string;
}

function ask({ door }: TestCluster, method: string, path: string): Answered {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = { accept: 'application/json', host: 'localhost:6443', 'user-agent': 'test' };
  const response = door.serveAtOnce({ method, path: route, query, headers, body: new Uint8Array(0), identity: adminIdentity });
  if (!('body' in response)) throw new Error(`${method} ${path} is a stream`);
  const chunks = typeof response.body === 'string' || response.body instanceof Uint8Array ? [response.body] : [...response.body];
  const { location, 'content-type': type } = response.headers;
  return {
    status: response.status,
    ...(location === undefined ? {} : { location: String(location) }),
    ...(type === undefined ? {} : { contentType: String(type) }),
    body: chunks.map((chunk) => (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk))).join(''),
  };
}

/** What a real server breaks down at: here a port that is no number is told so. */
const broken = facts.filter(({ status }) => status === 0);
const led = (path: string): boolean => Object.keys(redirects).some((one) => path.endsWith(one));

describe('the proxies of pods and services', () => {
  let made: TestCluster;
  let addresses: readonly string[] = [];
  beforeAll(async () => {
    made = await aServer();
    addresses = made
      .call<{ items: readonly Pod[] }>('GET', pods)
      .items.map(({ status }) => status?.podIP ?? '')
      .filter((ip) => ip !== '');
  });
  const neutral = (text: string): string => addresses.reduce((told, ip) => told.replaceAll(ip, 'POD'), text);

  it.each(facts.filter(({ status, path }) => status !== 0 && !led(path)).map((fact) => [`${fact.method} ${fact.path}`, fact] as const))(
    '%s',
    (_, { method, path, ...want }) => {
      const found = ask(made, method, path);
      // The body of an unknown path is the server's own.
      const body = want.status === 404 && want.contentType === 'text/plain' ? want.body : neutral(found.body);
      expect({ ...found, body: bodyOf(body) }).toEqual({ ...want, body: bodyOf(want.body) });
    },
  );

  it.each(broken.map(({ path }) => path))('%s has no such port', (path) => {
    expect(ask(made, 'GET', path)).toMatchObject({
      status: 503,
      body: expect.stringContaining('error trying to reach service: dial tcp: lookup tcp/'),
    });
  });
});

/** Of a Status what it says; the order of its fields is another matter. */
function bodyOf(body: string): unknown {
  return body.startsWith('{"kind":"Status"') ? JSON.parse(body) : body;
}
