import { describe, expect, it } from 'vitest';
import { secrets } from '../../client/resources.ts';
import { release } from '../../releases/1.13/release.ts';
import { ControllerBench } from '../testing/controller-bench.ts';
import { tokenCleanerController } from './controller.ts';

async function aBench(expiration: string | undefined, type = 'bootstrap.kubernetes.io/token', namespace = 'kube-system'): Promise<ControllerBench> {
  const bench = new ControllerBench();
  const data = expiration === undefined ? {} : { expiration: btoa(expiration) };
  bench.add(secrets, { metadata: { namespace, name: 'bootstrap-token-abcdef' }, type, data });
  await bench.run(tokenCleanerController);
  return bench;
}

const deleted = ['delete secrets kube-system/bootstrap-token-abcdef'];

describe('token-cleaner-controller', () => {
  it('deletes a token when its time is over, not before', async () => {
    const bench = await aBench('2026-01-01T00:01:00Z');
    await bench.advance(59_000);
    expect(bench.writes).toEqual([]);
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual(deleted);
  });

  it('takes an end that cannot be read as over', async () => {
    expect((await aBench('soon')).writeTexts()).toEqual(deleted);
  });

  it.each([
    ['without an end', undefined, undefined, undefined],
    ['of another type', '2025-01-01T00:00:00Z', 'Opaque', undefined],
    ['of another namespace', '2025-01-01T00:00:00Z', undefined, 'default'],
  ])('keeps one %s', async (_what, expiration, type, namespace) => {
    const bench = await aBench(expiration, type, namespace);
    await bench.advance(1e9);
    expect(bench.writes).toEqual([]);
  });

  it('in 1.13 looks only at a token that comes along: one is deleted after its end when its Secret changes', async () => {
    const bench = new ControllerBench({ options: { traits: release.controllers } });
    const metadata = { namespace: 'kube-system', name: 'bootstrap-token-abcdef' };
    bench.add(secrets, { metadata, type: 'bootstrap.kubernetes.io/token', data: { expiration: btoa('2026-01-01T00:01:00Z') } });
    await bench.run(tokenCleanerController);
    await bench.advance(600_000);
    expect(bench.writes).toEqual([]);
    bench.change(secrets, 'kube-system', 'bootstrap-token-abcdef', (token) => ({ ...token, data: { ...token.data, description: btoa('late') } }));
    await bench.advance(1_000);
    expect(bench.writeTexts()).toEqual(deleted);
  });
});
