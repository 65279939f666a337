/** Flags of `wavetank controller-manager`: those of the control plane that are its own, and what only a daemon has. */
import { flags } from '../../cluster/flags.ts';
import { defaultRelease } from '../../releases/releases.ts';
import { defaultOf, type Flag } from '../../cluster/flags.ts';
import {
  authenticationFlags,
  authorizationFlags,
  debuggingFlags,
  electionFlags,
  logFlags,
  miscFlags,
  section,
  servingFlags,
} from './common-flags.ts';
import type { DaemonFlag } from './flag-set.ts';
import type { FlagType } from './go-values.ts';

const generic = section('Generic');
const controllers = section('Controllers');

export const controllerManagerPorts = { secure: 10_257, insecure: 10_252 };

/** Of other components, and yet the controller manager's too. */
const shared: ReadonlySet<string> = new Set(['cluster-cidr', 'service-cluster-ip-range', 'feature-gates']);

const goTypes: Readonly<Record<Flag['type'], FlagType>> = {
  duration: 'duration',
  integer: 'int32',
  number: 'float',
  boolean: 'bool',
  string: 'string',
  list: 'strings',
  map: 'pairs',
};

/** A flag of the control plane as a daemon has it. */
export function daemonFlag(flag: Flag, name = flag.name): DaemonFlag {
  return controllers(
    name,
    goTypes[flag.type],
    defaultOf(flag, defaultRelease),
    flag.help,
    flag.idle === true ? { noEffect: 'nothing acts on it yet' } : {},
  );
}

export function controllerManagerFlags(): readonly DaemonFlag[] {
  const own: readonly DaemonFlag[] = [
    ...servingFlags(controllerManagerPorts),
    ...authenticationFlags,
    ...authorizationFlags,
    ...electionFlags,
    ...debuggingFlags,
    ...logFlags,
    ...miscFlags,
    generic('kube-api-content-type', 'string', 'application/vnd.kubernetes.protobuf', 'Content type of requests', {
      noEffect: 'requests are sent as JSON, which every server takes',
    }),
    generic('use-service-account-credentials', 'bool', 'false', 'Each controller speaks as its own service account'),
    generic('controller-start-interval', 'duration', '0s', 'Wait between the starts of two controllers'),
    generic('leader-elect-resource-name', 'string', 'kube-controller-manager', 'Name of what the leader holds'),
    generic('leader-elect-resource-namespace', 'string', 'kube-system', 'Namespace of what the leader holds'),
  ];
  const named = new Set(own.map(({ name }) => name));
  const ofControlPlane = flags.filter(({ name, component }) => !named.has(name) && (component === 'controller-manager' || shared.has(name)));
  return [...own, ...ofControlPlane.map((flag) => daemonFlag(flag))];
}
