/** A cluster that runs as fast as it can has restore points too: it is quiet between two tasks, and nobody asks it to. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { Branch } from '../../engine/host/branch.ts';
import { loadKeys } from '../../engine/host/home.ts';
import { aDeployment, testConfig } from '../support/cluster.ts';

it('writes restore points at --speed max while clients do nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wavetank-speed-max-'));
  const path = join(folder, 'session');
  const config = { ...testConfig({ seed: 7 }), name: 'max' };
  const options = { config, keys: loadKeys(folder), session: path, onFailure: (error: Error) => expect(error).toBeUndefined() };
  const branch = await Branch.start({ ...options, speed: 'max' });
  const body = new TextEncoder().encode(JSON.stringify(aDeployment('web', 60)));
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  branch.handleAtOnce({ method: 'POST', path: '/apis/apps/v1/namespaces/default/deployments', query: '', headers, body, identity: adminIdentity });
  branch.run();
  const points = (): number => readFileSync(path, 'latin1').split('{"t":"checkpoint"').length - 1;
  await vi.waitFor(() => expect(points()).toBeGreaterThan(3), { timeout: 60_000, interval: 200 });
  await branch.close();
  const { digest } = branch.cluster;
  const again = await Branch.start({ ...options, speed: 'paused' });
  expect(again.cluster.digest).toBe(digest);
  await again.close();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
