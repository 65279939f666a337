/** The token that a container finds in its volume: whose it is, how long it is good, and that a replay finds the same. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCluster, type TestCluster } from '../../test/support/cluster.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { createClusterTokens, issuer } from './tokens.ts';

const newKeys = (): Parameters<typeof createClusterTokens>[0] => ({
  tokens: {
    keyPem: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificatePem: '',
  },
  adminToken: 'admin',
});
const pods = '/api/v1/namespaces/default/pods';
const mounted = '/var/run/secrets/kubernetes.io/serviceaccount/token';

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly iss: string;
  readonly sub: string;
  readonly 'kubernetes.io': { readonly pod: object; readonly node: object; readonly serviceaccount: object; readonly warnafter?: number };
}

interface Known extends TestCluster {
  /** What the container wrote, line by line. */
  said(name: string): readonly string[];
  review(token: string, audiences?: readonly string[]): ReturnType<ReturnType<typeof createClusterTokens>['known']>;
}

async function aTank(keys = newKeys()): Promise<Known> {
  const tokens = createClusterTokens(keys, 'one');
  const made = await aCluster({ nodes: 1 }, { tokenSigner: tokens.signer });
  await made.advance(20_000);
  return {
    ...made,
    said: (name) => made.ask('GET', `${pods}/${name}/log`).object.message?.trimEnd().split('\n') ?? [],
    review: (token, audiences = []) => tokens.known(made.cluster, token, audiences, () => ({ ok: false, error: '' }) as never),
  };
}

/** It tells its token every so many seconds. */
function reader(name: string, path = mounted, seconds = 3600, source?: object): object {
  const volumes = source === undefined ? [] : [{ name: 'own', projected: { sources: [{ serviceAccountToken: source }] } }];
  const volumeMounts = source === undefined ? [] : [{ name: 'own', mountPath: '/own' }];
  const command = ['sh', '-c', `while true; do cat ${path}; echo; sleep ${seconds}; done`];
  return {
    metadata: { name },
    spec: { terminationGracePeriodSeconds: 0, volumes, containers: [{ name: 'c', image: 'busybox', command, volumeMounts }] },
  };
}

function claimsOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Claims;
}

describe('the token of a pod', () => {
  it('is one of the account, bound to the pod and its node, and ends with the pod', async () => {
    const tank = await aTank();
    tank.call('POST', pods, reader('a'));
    await tank.advance(20_000);
    const { metadata } = tank.call<Pod>('GET', `${pods}/a`);
    const node = tank.call('GET', '/api/v1/nodes/node-0').metadata;
    const account = tank.call('GET', '/api/v1/namespaces/default/serviceaccounts/default').metadata;
    const token = tank.said('a')[0] ?? '';
    const { iat, exp, ...claims } = claimsOf(token);
    expect(claims).toMatchObject({
      aud: [issuer],
      iss: issuer,
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': {
        namespace: 'default',
        pod: { name: 'a', uid: metadata.uid },
        node: { name: 'node-0', uid: node.uid },
        serviceaccount: { name: 'default', uid: account.uid },
        warnafter: iat + 3607,
      },
    });
    expect(exp - iat).toBe(365 * 24 * 3600);
    expect(tank.review(token)).toMatchObject({
      identity: {
        name: 'system:serviceaccount:default:default',
        extra: {
          'authentication.kubernetes.io/pod-name': ['a'],
          'authentication.kubernetes.io/pod-uid': [metadata.uid],
          'authentication.kubernetes.io/node-name': ['node-0'],
        },
      },
    });
    expect(tank.review(token, ['vault'])).toHaveProperty('error');
    tank.call('DELETE', `${pods}/a`);
    await tank.advance(10_000);
    expect(tank.review(token)).toHaveProperty('error', expect.stringContaining('service account token has been invalidated'));
  });

  it('has the audience and the life that its source asks for, and is another after four fifths of it', async () => {
    const tank = await aTank();
    tank.call('POST', pods, reader('b', '/own/vault', 120, { path: 'vault', audience: 'vault', expirationSeconds: 600 }));
    await tank.advance(30 * 60_000);
    const said = tank.said('b');
    const { aud, exp, iat } = claimsOf(said[0] ?? '');
    expect([aud, exp - iat]).toEqual([['vault'], 600]);
    expect(tank.review(said[0] ?? '', ['vault'])).toHaveProperty('error');
    expect(tank.review(said.at(-1) ?? '', ['vault'])).toHaveProperty('identity.name', 'system:serviceaccount:default:default');
    const issued = [...new Set(said)].map((token) => claimsOf(token).iat - iat);
    expect(issued).toEqual([0, 480, 960, 1440]);
  });

  it('keeps a pod waiting whose account is gone', async () => {
    const tank = await aTank();
    tank.call('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'short' } });
    const pod = reader('c') as { readonly spec: object };
    tank.call('POST', pods, { ...pod, spec: { ...pod.spec, serviceAccountName: 'short', schedulerName: 'nobody' } });
    tank.call('DELETE', '/api/v1/namespaces/default/serviceaccounts/short');
    tank.call('POST', `${pods}/c/binding`, { metadata: { name: 'c' }, target: { kind: 'Node', name: 'node-0' } });
    await tank.advance(20_000);
    expect(tank.call<Pod>('GET', `${pods}/c`).status?.phase).toBe('Pending');
    const events = tank.call<{ readonly items: readonly { readonly reason: string; readonly message: string }[] }>(
      'GET',
      '/api/v1/namespaces/default/events',
    );
    const told = events.items.find(({ reason }) => reason === 'FailedMount')?.message;
    expect(told).toMatch(/^MountVolume\.SetUp failed for volume "kube-api-access-.*" : failed to fetch token: serviceaccounts "short" not found$/);
  });

  it('is the same in a replay, and a history that tells it is the same under other keys', async () => {
    const play = async (keys: ReturnType<typeof newKeys>): Promise<readonly [token: string, digest: string]> => {
      const tank = await aTank(keys);
      tank.call('POST', pods, reader('d'));
      await tank.advance(20_000);
      return [tank.said('d')[0] ?? '', tank.cluster.digest];
    };
    const keys = newKeys();
    const [first, again, other] = [await play(keys), await play(keys), await play(newKeys())];
    expect(again).toEqual(first);
    expect(other[0]).not.toBe(first[0]);
    expect(other[1]).toBe(first[1]);
  });
});
