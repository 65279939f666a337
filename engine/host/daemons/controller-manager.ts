/** `wavetank controller-manager`: the controllers as a daemon. */
import { mountsTokenSecrets } from '../../cluster/admission-order.ts';
import { controllers } from '../../controllers/index.gen.ts';
import type { Release } from '../../contracts/release.ts';
import type { Connection } from '../remote/connection.ts';
import { startControllers } from '../remote/controller-manager.ts';
import { controllerManagerConfiguration } from './controller-manager-configuration.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import type { DaemonKind, Workplace } from './daemon.ts';
import { managerHealth } from './health-checks.ts';
import { serviceAccountConnection } from './service-account-connection.ts';
import { mustBegin } from './start-faults.ts';
import { certificatesOf, rootCaOf, tokenSecretsOf } from './signing-keys.ts';

const name = 'kube-controller-manager';

/** Under today's name or a former one; in a release before today's names under the former alone. */
function hasController(name: string, { daemonOptions }: Release): boolean {
  if (daemonOptions !== undefined) return Object.hasOwn(daemonOptions.controllers, name);
  return controllers.some((one) => one.name === name || one.aliases.includes(name));
}

export const controllerManager: DaemonKind = {
  name,
  command: 'wavetank controller-manager',
  flags: controllerManagerFlags,
  health: managerHealth,
  configuration: { name: 'kubecontrollermanager.config.k8s.io', rows: controllerManagerConfiguration },
  releasesLock: { gate: 'ControllerManagerReleaseLeaderElectionLockOnExit' },
  tellsResources: false,
  hasController,
  eventSource: () => name,
  prepare: (flags) => {
    return { flags, work: (place) => startControllers({ ...controllersOf(place), ...credentialsOf(place) }) };
  },
};

function controllersOf({ flags, settings, release, runtime, server, log }: Workplace) {
  mustBegin(flags);
  const tokenSecrets = tokenSecretsOf(flags, mountsTokenSecrets(release, settings));
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
