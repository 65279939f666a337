/** The time at which a new cluster begins, beside the clock of the wall, and where it says that it is. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { HttpPlainResponse } from '../apiserver/http-types.ts';
import { defaultConfig } from '../cluster/config.ts';
import { adminIdentity } from '../cluster/identities.ts';
import { startEngine } from './engine.ts';
import { loadKeys } from './home.ts';

const hourMs = 3_600_000;

it.each([
  { followsWall: true, isAtWall: true },
  { followsWall: false, isAtWall: false },
])('a cluster that began an hour ago and follows the wall ($followsWall) is where the wall is: $isAtWall', async ({ followsWall, isAtWall }) => {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-engine-'));
  const [before, startMs] = [Date.now(), Date.now() - hourMs];
  const config = { ...defaultConfig, nodes: 0, startMs };
  const engine = await startEngine({
    config,
    keys: loadKeys(home),
    speed: 1,
    ports: [],
    followsWall,
    onFailure: (error) => expect.unreachable(error.message),
  });
  try {
    await expect
      .poll(() => {
        engine.branch.pacer.catchUp();
        return engine.branch.cluster.loop.nowMs() >= before;
      })
      .toBe(isAtWall);
  } finally {
    await engine.close();
    rmSync(home, { recursive: true });
  }
});

it('a cluster says where clients find it: at the port at which it listens', async () => {
  const home = mkdtempSync(join(tmpdir(), 'wavetank-engine-'));
  const onFailure = (error: Error): void => expect.unreachable(error.message);
  const engine = await startEngine({ config: { ...defaultConfig, nodes: 0, startMs: 0 }, keys: loadKeys(home), speed: 1, ports: [0], onFailure });
  try {
    const { host } = new URL(engine.endpoint.server);
    const read = (path: string): unknown => {
      const request = { method: 'GET', path, query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity };
      return JSON.parse(String((engine.branch.handleAtOnce(request) as HttpPlainResponse).body));
    };
    expect(read('/api')).toMatchObject({ serverAddressByClientCIDRs: [{ serverAddress: host }] });
    expect(read('/.well-known/openid-configuration')).toMatchObject({ jwks_uri: `https://${host}/openid/v1/jwks` });
  } finally {
    await engine.close();
    rmSync(home, { recursive: true });
  }
});
