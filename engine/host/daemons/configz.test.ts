import { expect, it } from 'vitest';
import { defaultRelease } from '../../releases/releases.ts';
import { configzText } from './configz.ts';
import { controllerManager } from './controller-manager.ts';
import type { DaemonKind } from './daemon.ts';
import { parseFlags } from './flag-set.ts';
import recorded from './recorded-configurations.json' with { type: 'json' };
import { schedulerDaemon } from './scheduler.ts';

function configz(kind: DaemonKind, ...args: readonly string[]): object {
  return JSON.parse(configzText(kind.configuration, parseFlags(kind.name, kind.flags(), args), defaultRelease.flagDefaults)) as object;
}

// What the real ones answered, with the flags that they were given.
it('the controller manager shows what the real one shows, but for three defaults of the seeds', () => {
  const shown = configz(
    controllerManager,
    '--kubeconfig=/etc/peer/kubeconfig',
    '--leader-elect=false',
    '--use-service-account-credentials',
    '--service-account-private-key-file=/etc/peer/sa.key',
    '--root-ca-file=/etc/peer/ca.crt',
    '--cluster-signing-cert-file=/etc/peer/ca.crt',
    '--cluster-signing-key-file=/etc/peer/ca.key',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
  );
  const seeds = {
    KubeCloudShared: { ClusterCIDR: '10.244.0.0/16' },
    NodeIPAMController: { ServiceCIDR: '10.96.0.0/12', NodeCIDRMaskSize: 24 },
  };
  const { 'kubecontrollermanager.config.k8s.io': real } = recorded['controller-manager'];
  expect(shown).toEqual({
    'kubecontrollermanager.config.k8s.io': {
      ...real,
      KubeCloudShared: { ...real.KubeCloudShared, ...seeds.KubeCloudShared },
      NodeIPAMController: { ...real.NodeIPAMController, ...seeds.NodeIPAMController },
    },
  });
});

it('the scheduler shows what the real one shows, in the same order', () => {
  const shown = configz(schedulerDaemon, '--kubeconfig=/etc/peer/kubeconfig', '--leader-elect=false');
  expect(JSON.stringify(shown)).toBe(JSON.stringify(recorded.scheduler));
});

it('durations are written as Go writes them, lists as lists', () => {
  const shown = configz(controllerManager, '--leader-elect-lease-duration=90s', '--controllers=*,-job', '--node-monitor-grace-period=1h');
  expect(shown).toMatchObject({
    'kubecontrollermanager.config.k8s.io': {
      Generic: { Controllers: ['*', '-job'], LeaderElection: { leaseDuration: '1m30s' } },
      NodeLifecycleController: { NodeMonitorGracePeriod: '1h0m0s' },
    },
  });
});
