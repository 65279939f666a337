import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startEngine } from '../engine.ts';
import { loadKeys } from '../home.ts';
import { kubeconfigText } from '../kubeconfig.ts';
import { Connection } from './connection.ts';
import { Settings } from '../../cluster/settings.ts';
import { startControllers } from './controller-manager.ts';
import { readKubeconfig } from './kubeconfig-reader.ts';
import { RemoteRuntime } from './runtime.ts';
import { defaultRelease } from '../../releases/releases.ts';

const folder = mkdtempSync(join(tmpdir(), 'wavetank-remote-'));
afterAll(() => rmSync(folder, { recursive: true }));

const replicaSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

test('a controller over HTTPS makes the pods that the cluster itself does not', async () => {
  const fail = (error: Error): never => {
    throw error;
  };
  const keys = loadKeys(folder);
  const config = { name: 'far', seed: 1, startMs: Date.now(), nodes: 1, zones: 1, options: { controllers: '*,-replicaset' } };
  const engine = await startEngine({ config, keys, speed: 1, ports: [0], onFailure: fail });
  const file = join(folder, 'config');
  writeFileSync(file, kubeconfigText('far', engine.endpoint.server, keys));
  const server = readKubeconfig(file);
  const log = (): void => undefined;
  const runtime = new RemoteRuntime({ server, userAgent: 'test', seed: 1, log, onFailure: fail });
  const settings = new Settings({ controllers: 'replicaset' }, defaultRelease);
  const { names } = await startControllers({ runtime, settings, release: defaultRelease, host: { rootCaPem: server.ca ?? '' }, log });
  const client = new Connection(server, 'test');
  try {
    expect(names).toEqual(['replicaset-controller']);
    await client.call('POST', '/apis/apps/v1/namespaces/default/replicasets', replicaSet);
    const read = () => client.call<{ status: { replicas?: number } }>('GET', '/apis/apps/v1/namespaces/default/replicasets/web');
    await expect.poll(async () => (await read()).status.replicas, { timeout: 10_000 }).toBe(3);
  } finally {
    client.close();
    await runtime.close();
    await engine.close();
  }
}, 30_000);
