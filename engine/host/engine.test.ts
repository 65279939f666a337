/** The time at which a new cluster begins, beside the clock of the wall. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultConfig } from '../cluster/config.ts';
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
