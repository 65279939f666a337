/** Flags of `wavetank controller-manager`: those of the control plane that are its own, and what only a daemon has. */
import { getOwn } from '../../base/dictionary.ts';
import { defaultOf, type Flag, flags } from '../../cluster/flags.ts';
import { defaultRelease } from '../../releases/releases.ts';
import { commonFlags, type DefaultsOfRelease, section } from './common-flags.ts';
import type { DaemonFlag } from './flag-set.ts';
import type { FlagType } from './go-values.ts';
import { defaultSigningFolder, signerFlagNames } from './signing-keys.ts';
import { unfeltFlags, unfeltManagerFlags } from './unfelt-flags.ts';

const generic = section('Generic');
const controllers = section('Controllers');

const controllerManagerPorts = { secure: 10_257, insecure: 10_252 };

/** Of other components, and yet the controller manager's too. */
const shared: ReadonlySet<string> = new Set(['cluster-cidr', 'service-cluster-ip-range', 'feature-gates']);

const goTypes: Readonly<Record<Flag['type'], FlagType>> = {
  duration: 'duration',
  integer: 'int32',
  number: 'float',
  boolean: 'bool',
  string: 'string',
  list: 'strings',
  map: 'string',
};

/** Those that are not of the type that most of their kind are. */
const goTypesOf: Readonly<Record<string, FlagType>> = { 'feature-gates': 'gates', 'horizontal-pod-autoscaler-tolerance': 'float64' };

/** A flag of the control plane as a daemon has it. */
export function daemonFlag(flag: Flag, release: DefaultsOfRelease, name = flag.name): DaemonFlag {
  const type = getOwn(goTypesOf, name) ?? goTypes[flag.type];
  return controllers(name, type, defaultOf(flag, release), flag.help, flag.idle === undefined ? {} : { noEffect: flag.idle });
}

function signerFlags(): readonly DaemonFlag[] {
  return signerFlagNames.flatMap((name) => [
    generic(`${name}-cert-file`, 'string', '', 'Authority of this signer alone'),
    generic(`${name}-key-file`, 'string', '', 'Its key'),
  ]);
}

export function controllerManagerFlags(release: DefaultsOfRelease = defaultRelease): readonly DaemonFlag[] {
  const own: readonly DaemonFlag[] = [
    ...commonFlags(controllerManagerPorts, release),
    ...unfeltFlags,
    ...unfeltManagerFlags,
    generic(
      'kube-api-content-type',
      'string',
      'application/vnd.kubernetes.protobuf',
      'Form of requests and answers about kinds that have protobuf; any other type than its own is JSON',
    ),
    generic('root-ca-file', 'string', '', 'CA that is published in each namespace and in token Secrets; that of the kubeconfig when empty'),
    generic('service-account-private-key-file', 'string', '', 'Key that signs tokens in Secrets; nobody fills them when empty'),
    generic('cluster-signing-cert-file', 'string', '', `Authority that signs certificates; ${defaultSigningFolder}/ca.pem when it is there`),
    generic('cluster-signing-key-file', 'string', '', `Its key; ${defaultSigningFolder}/ca.key when it is there`),
    ...signerFlags(),
    generic('use-service-account-credentials', 'bool', 'false', 'Each controller speaks as its own service account'),
    generic('controller-start-interval', 'duration', '0s', 'Wait between the starts of two controllers'),
    generic('leader-elect-resource-name', 'string', 'kube-controller-manager', 'Name of what the leader holds'),
    generic('leader-elect-resource-namespace', 'string', 'kube-system', 'Namespace of what the leader holds'),
  ];
  const named = new Set(own.map(({ name }) => name));
  const ofControlPlane = flags.filter(({ name, component }) => !named.has(name) && (component === 'controller-manager' || shared.has(name)));
  return [...own, ...ofControlPlane.map((flag) => daemonFlag(flag, release))];
}
