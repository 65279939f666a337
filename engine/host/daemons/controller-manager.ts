/** `wavetank controller-manager`: the controllers as a daemon. */
import type { Connection } from '../remote/connection.ts';
import { startControllers } from '../remote/controller-manager.ts';
import { controllerManagerFlags } from './controller-manager-flags.ts';
import type { DaemonKind, Workplace } from './daemon.ts';
import { serviceAccountConnection } from './service-account-connection.ts';

const name = 'kube-controller-manager';

export const controllerManager: DaemonKind = {
  name,
  command: 'wavetank controller-manager',
  flags: controllerManagerFlags,
  healthPaths: [],
  releasesLock: false,
  eventSource: () => name,
  work: (place) => startControllers({ ...controllersOf(place), ...credentialsOf(place) }),
};

function controllersOf({ flags, settings, release, runtime, server, log }: Workplace) {
  return {
    runtime,
    settings,
    release,
    rootCaPem: server.ca ?? '',
    startIntervalMs: flags.milliseconds('controller-start-interval'),
    log: (line: string) => log.error('controllers', line),
  };
}

/** Each controller's own connection, where that is wanted. */
function credentialsOf({ flags, runtime, server, log }: Workplace): { connectionOf?: (account: string) => Promise<Connection> } {
  if (!flags.isOn('use-service-account-credentials')) return {};
  return { connectionOf: (account) => serviceAccountConnection(account, { runtime, server, log }) };
}
