/** `wavetank controller-manager` and `wavetank scheduler` as processes beside a cluster that has neither. */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Home, type Up } from './wavetank.ts';

let home: Home;
let up: Up;
beforeEach(() => {
  home = new Home();
});
afterEach(() => home.remove());

const noPorts = ['--secure-port=0', '--port=0'];

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: { readonly phase: string };
}

const deployment = (name: string, replicas: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
});

/** Resolves when so many pods of the default namespace run. */
async function running(count: number): Promise<void> {
  const phases = new Map<string, string>();
  const watching = up.watch<Pod>('/api/v1/namespaces/default/pods?watch=true', ({ object }) => phases.set(object.metadata.name, object.status.phase));
  await watching.until(() => [...phases.values()].filter((phase) => phase === 'Running').length >= count);
  watching.stop();
}

it('do all the work of a cluster that has no controllers and no scheduler of its own', async () => {
  up = await home.up('--no-controllers', '--no-scheduler', '--nodes', '2');
  const reach = ['--kubeconfig', up.record.kubeconfig, ...noPorts];
  await up.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('web', 3));
  const lock = ['--leader-elect-resource-name=ours', '--leader-elect-resource-namespace=default'];
  const manager = home.daemon('controller-manager', ...reach, ...lock, '--use-service-account-credentials');
  const scheduler = home.daemon('scheduler', ...reach);
  expect(await manager.working).toContain('kube-controller-manager of 1.36 runs against');
  expect(await scheduler.working).toContain('default-scheduler');
  const held = await up.call<{ spec: { holderIdentity: string } }>('GET', '/apis/coordination.k8s.io/v1/namespaces/default/leases/ours');
  expect(held.spec.holderIdentity).not.toBe('');
  await running(3);
  expect((await scheduler.signal('SIGTERM')).code).toBe(0);
  const lease = await up.call<{ spec: { holderIdentity: string } }>(
    'GET',
    '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler',
  );
  expect(lease.spec.holderIdentity).toBe('');
  expect((await manager.signal('SIGTERM')).code).toBe(0);
  await up.signal('SIGTERM');
}, 120_000);

it.each([true, false])(
  'ControllerManagerReleaseLeaderElectionLockOnExit=%s: whether a manager that ends gives its lock back',
  async (isOn) => {
    up = await home.up('--no-controllers', '--nodes', '0');
    const gate = `--feature-gates=ControllerManagerReleaseLeaderElectionLockOnExit=${isOn}`;
    // A machine that is busy may not answer in the usual ten seconds.
    const patience = ['--leader-elect-lease-duration=90s', '--leader-elect-renew-deadline=80s'];
    const manager = home.daemon('controller-manager', '--kubeconfig', up.record.kubeconfig, ...noPorts, ...patience, gate);
    await manager.working;
    const holder = async (): Promise<string> => {
      const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
      return (await up.call<{ spec: { holderIdentity: string } }>('GET', path)).spec.holderIdentity;
    };
    expect(await holder()).not.toBe('');
    expect((await manager.signal('SIGTERM')).code).toBe(0);
    expect((await holder()) === '').toBe(isOn);
    await up.signal('SIGTERM');
  },
  120_000,
);

it('of two replicas one works; when it is stopped the other one goes on', async () => {
  up = await home.up('--no-scheduler', '--nodes', '1');
  const args = ['scheduler', '--kubeconfig', up.record.kubeconfig, ...noPorts];
  const first = home.daemon(...args);
  await first.working;
  const second = home.daemon(...args);
  let isWorking = false;
  void second.working.then(() => (isWorking = true));
  await up.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('one', 1));
  await running(1);
  expect(isWorking).toBe(false);
  expect((await first.signal('SIGTERM')).code).toBe(0);
  await up.call('POST', '/apis/apps/v1/namespaces/default/deployments', deployment('two', 1));
  await second.working;
  await running(2);
  await second.signal('SIGTERM');
  await up.signal('SIGTERM');
}, 120_000);

it('the release of the server decides what the leader holds, --master where it is and --lock-object-… where that lies', async () => {
  up = await home.up('--no-scheduler', '--nodes', '1', '--emulate', '1.13');
  // What the file says of the server is wrong: --master goes before it.
  const elsewhere = home.file('elsewhere');
  writeFileSync(elsewhere, readFileSync(up.record.kubeconfig, 'utf8').replaceAll(up.record.server, 'https://127.0.0.1:1'));
  const lock = ['--lock-object-name=old-lock', '--lock-object-namespace=default'];
  const daemon = home.daemon('scheduler', '--kubeconfig', elsewhere, '--master', up.record.server, ...lock, ...noPorts);
  expect(await daemon.working).toContain('of 1.13');
  const { metadata } = await up.call<{ metadata: { annotations: Record<string, string> } }>('GET', '/api/v1/namespaces/default/endpoints/old-lock');
  expect(metadata.annotations).toHaveProperty(['control-plane.alpha.kubernetes.io/leader']);
  await daemon.signal('SIGTERM');
  await up.signal('SIGTERM');
}, 120_000);

it('a manager of 1.13 runs the controllers of that release, and fills a Secret for each account', async () => {
  up = await home.up('--no-controllers', '--no-scheduler', '--nodes', '0', '--emulate', '1.13');
  const key = home.file('key');
  writeFileSync(key, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const flags = ['--emulate', '1.13', '--use-service-account-credentials', '--service-account-private-key-file', key, ...noPorts];
  const manager = home.daemon('controller-manager', '--kubeconfig', up.record.kubeconfig, ...flags);
  const words = await manager.working;
  expect(words).toContain('serviceaccount-token-controller');
  expect(words).not.toContain('endpointslice');
  const seen: { readonly data?: object }[] = [];
  const filled = up.watch<{ readonly data?: object }>('/api/v1/namespaces/default/secrets?watch=true', ({ object }) => seen.push(object));
  await filled.until(() => seen.some(({ data }) => data !== undefined && 'token' in data));
  filled.stop();
  await manager.signal('SIGTERM');
  await up.signal('SIGTERM');
}, 120_000);

it('--version says which it is, and ends', async () => {
  expect(await home.run('scheduler', '--version')).toMatchObject({ code: 0, out: expect.stringContaining('(Wavetank)') as string });
});

// Read from kube-controller-manager and kube-scheduler 1.36.3.
it.each<[string, string]>([
  ['controller-manager --bogus', 'unknown flag: --bogus'],
  ['controller-manager --controllers=nope', '"nope" is not in the list of known controllers'],
  [
    'controller-manager --cloud-provider=aws',
    'cloud provider "aws" was specified, but built-in cloud providers are disabled. Please set --cloud-provider=external and migrate to an external cloud provider',
  ],
  ['controller-manager --cloud-provider=external', 'invalid configuration: no configuration has been provided'],
  ['controller-manager --feature-gates=Nope=true', 'unrecognized feature gate: Nope'],
  ['controller-manager', 'invalid configuration: no configuration has been provided'],
  [
    'scheduler --master=127.0.0.1:1 --leader-elect-renew-deadline=20s',
    "couldn't create leader elector: leaseDuration must be greater than renewDeadline",
  ],
  ['scheduler --config=/nope', 'open /nope: no such file or directory'],
  ['scheduler --master=127.0.0.1:1 --leader-elect-resource-lock=x', 'Invalid lock-type x'],
  ['controller-manager --cluster-signing-legacy-unknown-cert-file=/a', 'cannot specify cert without key'],
  ['scheduler extra', '"kube-scheduler" does not take any arguments, got ["extra"]'],
])('wavetank %s ends with 1 and upstream’s words', async (line, words) => {
  const { code, out, error } = await home.run(...line.split(' '));
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(error).toContain(words);
});
