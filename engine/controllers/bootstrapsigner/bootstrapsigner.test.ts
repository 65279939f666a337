import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { configMaps, secrets } from '../../client/resources.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { bootstrapSignerController } from './controller.ts';

const hmacSha256 = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');
/** Of upstream's jws_test.go: content, id and secret of a token, and the signature. */
const signature = 'eyJhbGciOiJIUzI1NiIsImtpZCI6Impvc2h1YSJ9..VShe2taLd-YTrmWuRkcL_8QTNDHYxQIEBsAYYiIj1_8';

function aToken(id: string, changes: Readonly<Record<string, string>> = {}) {
  const values = { 'token-id': id, 'token-secret': 'my voice is my passcode', 'usage-bootstrap-signing': 'true', ...changes };
  const data = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, btoa(value)]));
  return { metadata: { namespace: 'kube-system', name: `bootstrap-token-${id}` }, type: 'bootstrap.kubernetes.io/token', data };
}

async function aBench(...tokens: readonly object[]): Promise<ControllerBench> {
  const bench = new ControllerBench({ options: { hmacSha256 } });
  bench.add(configMaps, {
    metadata: { namespace: 'kube-public', name: 'cluster-info' },
    data: { kubeconfig: 'Hello from the other side. I must have called a thousand times.' },
  });
  for (const token of tokens) bench.add(secrets, token as never);
  await bench.run(bootstrapSignerController);
  return bench;
}

const signatures = (bench: ControllerBench): readonly (readonly [string, string])[] =>
  Object.entries(bench.get(configMaps, 'kube-public', 'cluster-info')?.data ?? {}).filter(([name]) => name !== 'kubeconfig');

describe('bootstrap-signer-controller', () => {
  it('signs with every token that may, as upstream does', async () => {
    const bench = await aBench(
      aToken('joshua'),
      aToken('abcdef', { 'usage-bootstrap-signing': 'false' }),
      aToken('fedcba', { expiration: '2020-01-01T00:00:00Z' }),
    );
    expect(signatures(bench)).toEqual([['jws-kubeconfig-joshua', signature]]);
  });

  it('takes a signature away with its token, and mends one that somebody changed', async () => {
    const bench = await aBench(aToken('joshua'));
    bench.change(configMaps, 'kube-public', 'cluster-info', (map) => ({
      ...map,
      data: { ...map.data, 'jws-kubeconfig-joshua': 'x', 'jws-kubeconfig-other': 'y' },
    }));
    await bench.settle();
    expect(signatures(bench)).toEqual([['jws-kubeconfig-joshua', signature]]);
    bench.remove(secrets, 'kube-system', 'bootstrap-token-joshua');
    await bench.settle();
    expect(signatures(bench)).toEqual([]);
  });

  it('does not sign with a token whose name is another', async () => {
    expect(signatures(await aBench(aToken('joshua', { 'token-id': 'abcdef' })))).toEqual([]);
  });
});
