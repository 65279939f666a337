/** docs/daemon-options.md: every option of the daemons, with the test that sees its effect or the reason why none can. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import type { DaemonFlag } from './flag-set.ts';
import { schedulerFlags } from './scheduler-flags.ts';

interface Row {
  readonly name: string;
  readonly daemon: string;
  readonly standard: string;
  readonly why: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const rows: readonly Row[] = readFileSync(join(root, 'docs', 'daemon-options.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| --'))
  .map((line) => {
    const [, name = '', daemon = '', standard = '', why = ''] = line.split('|').map((cell) => cell.trim());
    return { name: name.slice(2), daemon, standard, why };
  });
const daemons = { 'controller-manager': controllerManagerFlags(), scheduler: schedulerFlags() };

/** Options of both tables of the seeds, and of their text (../shared/seeds/concepts.md). */
const ofSeeds: Readonly<Record<string, readonly string[]>> = {
  both: [
    'client-ca-file requestheader-client-ca-file requestheader-allowed-names requestheader-username-headers requestheader-group-headers',
    'requestheader-extra-headers-prefix authentication-kubeconfig authentication-skip-lookup authentication-token-webhook-cache-ttl',
    'authorization-kubeconfig authorization-always-allow-paths authorization-webhook-cache-authorized-ttl',
    'authorization-webhook-cache-unauthorized-ttl tls-cert-file tls-private-key-file cert-dir tls-sni-cert-key tls-min-version',
    'tls-cipher-suites bind-address secure-port port feature-gates leader-elect leader-elect-lease-duration leader-elect-renew-deadline',
    'leader-elect-retry-period leader-elect-resource-lock kube-api-qps kube-api-burst kube-api-content-type log-flush-frequency',
  ],
  'controller-manager': [
    'controllers attach-detach-reconcile-sync-period concurrent-deployment-syncs concurrent-endpoint-syncs concurrent-replicaset-syncs',
    'concurrent-resource-quota-syncs concurrent-serviceaccount-token-syncs concurrent-ttl-after-finished-syncs concurrent-rc-syncs',
    'concurrent-gc-syncs concurrent-namespace-syncs concurrent-service-syncs cidr-allocator-type cluster-signing-cert-file',
    'cluster-signing-key-file experimental-cluster-signing-duration configure-cloud-routes enable-dynamic-provisioning',
    'enable-garbage-collector enable-taint-manager deployment-controller-sync-period horizontal-pod-autoscaler-cpu-initialization-period',
    'horizontal-pod-autoscaler-downscale-stabilization horizontal-pod-autoscaler-initial-readiness-delay',
    'horizontal-pod-autoscaler-sync-period horizontal-pod-autoscaler-tolerance large-cluster-size-threshold min-resync-period',
    'namespace-sync-period node-cidr-mask-size node-eviction-rate node-monitor-grace-period node-monitor-period',
    'node-startup-grace-period pod-eviction-timeout pv-recycler-increment-timeout-nfs pv-recycler-minimum-timeout-hostpath',
    'pv-recycler-minimum-timeout-nfs pv-recycler-timeout-increment-hostpath pvclaimbinder-sync-period',
  ],
  scheduler: ['scheduler-name policy-configmap-namespace stderrthreshold'],
};

const namesOf = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

it.each(['controller-manager', 'scheduler'] as const)('the %s has every option of the seeds, and each stands in the list', (daemon) => {
  const known = new Set(daemons[daemon].map(({ name }) => name));
  const listed = new Set(rows.filter((row) => row.daemon === 'both' || row.daemon === daemon).map(({ name }) => name));
  const seeds = namesOf([...(ofSeeds['both'] ?? []), ...(ofSeeds[daemon] ?? [])]);
  expect(seeds.filter((name) => !known.has(name) || !listed.has(name))).toEqual([]);
});

it('the list has every option of both daemons once, with its default, and no other', () => {
  const shown = (flag: DaemonFlag | undefined): string => flag?.default ?? '';
  const expected = [...new Set(Object.values(daemons).flatMap((flags) => flags.map(({ name }) => name)))].sort().map((name) => {
    const [manager, scheduler] = [daemons['controller-manager'], daemons.scheduler].map((flags) => flags.find((flag) => flag.name === name));
    const daemon = manager === undefined ? 'scheduler' : scheduler === undefined ? 'controller-manager' : 'both';
    const defaults = [manager, scheduler].filter((flag) => flag !== undefined).map(shown);
    const standard = (new Set(defaults).size === 1 ? defaults[0] : defaults.join(' / ')) || '—';
    return `${name} ${daemon} ${standard}`;
  });
  expect(rows.map(({ name, daemon, standard }) => `${name} ${daemon} ${standard}`).sort()).toEqual(expected.sort());
});

it('each test that the list names is there', () => {
  const lost = rows.filter(({ why }) => {
    const [file, title] = /^`([^`]+)` › (.*)$/.exec(why)?.slice(1) ?? [];
    if (file === undefined || title === undefined) return false;
    return !readFileSync(join(root, file), 'utf8').includes(title);
  });
  expect(lost).toEqual([]);
});

it('an option without a test has a reason: the one that --help gives, or one of the few here', () => {
  const reasons = new Map(Object.values(daemons).flatMap((flags) => flags.map(({ name, noEffect }) => [name, noEffect] as const)));
  const others = rows.filter(({ name, why }) => !why.startsWith('`') && why !== reasons.get(name)).map(({ name }) => name);
  expect(others).toEqual([
    'controller-start-interval',
    'emulate',
    'percentage-of-nodes-to-score',
    'pod-initial-backoff-seconds',
    'pod-max-backoff-seconds',
    'requestheader-extra-headers-prefix',
  ]);
  expect(rows.filter(({ name, why }) => why.startsWith('`') && reasons.get(name) !== undefined)).toEqual([]);
  expect(rows.filter(({ why }) => why === 'nothing acts on it yet')).toEqual([]);
});
