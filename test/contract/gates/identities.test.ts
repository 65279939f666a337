/** Gates that show in who is said to ask, each off and on. */
import { describe, expect, it } from 'vitest';
import type { AggregatedCall } from '../../../engine/apiserver/aggregation/backend.ts';
import type { PeerSubject } from '../../../engine/contracts/credentials.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { CommandError } from '../../../engine/host/command-error.ts';
import { readAuthentication } from '../../../engine/host/commands/authentication-options.ts';
import { parseUp } from '../../../engine/host/commands/program.ts';
import { aCluster } from '../../support/cluster.ts';
import { oursTo } from '../daemon-flags/judge.ts';

const apiService = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.sample.example.com' },
  spec: {
    ...{ group: 'sample.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
    ...{ insecureSkipTLSVerify: true, service: { name: 'sample', namespace: 'default', port: 443 } },
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'sample', annotations: { 'sim.wavetank.dev/host-port': '9443' } },
  spec: { ports: [{ port: 443 }] },
};

/** What the server of another API is told of one who has a uid. */
async function toldOf(gates: string): Promise<readonly [user: unknown, uid: unknown]> {
  let call: AggregatedCall | undefined;
  const ask = ({ body }: Question): Promise<Answer> => {
    call = body as unknown as AggregatedCall;
    return Promise.resolve({ outcome: 'answered', body: { code: 200, headers: {}, body: btoa('{}') } });
  };
  const tank = await aCluster({ nodes: 1, seed: 3, options: { 'feature-gates': gates } }, { ask });
  tank.call('POST', '/api/v1/namespaces/default/services', service);
  tank.call('POST', '/apis/apiregistration.k8s.io/v1/apiservices', apiService);
  for (let i = 0; i < 8; i++) {
    await tank.advance(1_000);
    await new Promise((resolve) => void setImmediate(() => setImmediate(() => setImmediate(resolve))));
  }
  const identity = { name: 'jane', uid: '42', groups: ['system:masters'] };
  await tank.door.serve({ method: 'GET', path: '/apis/sample.example.com/v1/gadgets', query: '', headers: {}, body: new Uint8Array(), identity });
  return [call?.headers['x-remote-user'], call?.headers['x-remote-uid']];
}

/** Why `wavetank up` does not start. */
function refusalOf(argv: readonly string[]): string | undefined {
  try {
    readAuthentication(parseUp(argv));
    return undefined;
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

describe('RemoteRequestHeaderUID', () => {
  it.each([
    [true, '42'],
    [false, undefined],
  ])('%s: servers of other APIs are told the uid %s', async (isOn, uid) => {
    expect(await toldOf(`RemoteRequestHeaderUID=${isOn}`)).toEqual(['jane', uid]);
  });

  const off = '--feature-gates=RemoteRequestHeaderUID=false';
  const needed = '--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled';
  const other = '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work';

  it.each<[readonly string[], string | undefined]>([
    [['--requestheader-uid-headers=X-My-Uid,x-remote-uid'], undefined],
    [['--requestheader-uid-headers=X-My-Uid'], other],
    [[off, '--requestheader-uid-headers=X-Remote-Uid'], needed],
    [[off, '--requestheader-uid-headers='], undefined],
    [['--emulate=1.13', '--requestheader-uid-headers=X-Remote-Uid'], needed],
  ])('the option is refused where headers cannot name it: %j', (argv, want) => {
    expect(refusalOf(argv)).toBe(want);
  });

  it.each(['kube-controller-manager', 'kube-scheduler'])('so by %s', (daemon) => {
    const said = (...args: readonly string[]): unknown => oursTo({ release: '1.36', daemon, args, said: undefined });
    expect(said(off, '--requestheader-uid-headers=X-Remote-Uid')).toEqual({ code: 1, words: needed });
    expect(said('--requestheader-uid-headers=X-Remote-Uid')).toBeUndefined();
  });
});

describe('AllowParsingUserUIDFromCertAuth', () => {
  const peer: PeerSubject = { commonName: 'ann', organizations: ['dev'], uids: ['42'] };

  it.each([
    [true, { username: 'ann', uid: '42', groups: ['dev', 'system:authenticated'] }],
    [false, { username: 'ann', groups: ['dev', 'system:authenticated'] }],
  ])('%s: a certificate makes its holder %j', async (isOn, want) => {
    const tank = await aCluster({ nodes: 0, seed: 1, options: { 'feature-gates': `AllowParsingUserUIDFromCertAuth=${isOn}` } });
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const response = await tank.door.serve({
      ...{ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', query: '', peer },
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(body)),
    });
    const { body: told } = response as { readonly body: unknown };
    const text = typeof told === 'string' ? told : new TextDecoder().decode(told as Uint8Array);
    expect((JSON.parse(text) as { readonly status: { readonly userInfo: object } }).status.userInfo).toEqual(want);
  });
});
