/** `wavetank controller-manager`: the controllers as a daemon. */
import type { Connection } from '../remote/connection.ts';
import { startControllers } from '../remote/controller-manager.ts';
import { controllerManagerConfiguration } from './controller-manager-configuration.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import type { DaemonKind, Workplace } from './daemon.ts';
import { managerHealth } from './health-checks.ts';
import { serviceAccountConnection } from './service-account-connection.ts';
import { certificatesOf, checkSigningFlags, rootCaOf, tokenSecretsOf } from './signing-keys.ts';

const name = 'kube-controller-manager';

export const controllerManager: DaemonKind = {
  name,
  command: 'wavetank controller-manager',
  flags: controllerManagerFlags,
  health: managerHealth,
  configuration: { name: 'kubecontrollermanager.config.k8s.io', rows: controllerManagerConfiguration },
  releasesLock: false,
  eventSource: () => name,
  prepare: (flags) => {
    checkSigningFlags(flags);
    return { flags, work: (place) => startControllers({ ...controllersOf(place), ...credentialsOf(place) }) };
  },
};

function controllersOf({ flags, settings, release, runtime, server, log }: Workplace) {
  const tokenSecrets = tokenSecretsOf(flags);
  return {
    runtime,
    settings,
    release,
    host: {
      rootCaPem: rootCaOf(flags, server.ca ?? ''),
      certificates: certificatesOf(flags),
      ...(tokenSecrets && { tokenSecrets }),
    },
    startIntervalMs: flags.milliseconds('controller-start-interval'),
    log: (line: string) => log.error('controllers', line),
  };
}

/** Each controller's own connection, where that is wanted. */
function credentialsOf({ flags, runtime, server, log }: Workplace): { connectionOf?: (account: string) => Promise<Connection> } {
  if (!flags.isOn('use-service-account-credentials')) return {};
  return { connectionOf: (account) => serviceAccountConnection(account, { runtime, server, log }) };
}
