/**
 * What a controller manager of release 1.13 cannot begin with: it says so in its last line and breaks off, where present ones refuse the command
 * line. Mirrors cmd/kube-controller-manager/app (controllermanager.go, core.go, plugins.go) and pkg/controller/nodeipam of that release.
 */
import { parseCIDR } from '../../apimachinery/ip.ts';
import { DecodeError } from '../../apimachinery/serializer/scalars.ts';
import { decodeFirstYaml } from '../../apimachinery/serializer/yaml.ts';
import { isList, isObject, type JsonValue } from '../../base/json.ts';
import { CommandError } from '../command-error.ts';
import { readNamed } from '../named-file.ts';
import { badUsage, type FlagValues } from './flag-set.ts';

/** Of what is logged as fatal. */
const fatalCode = 255;

export function fatal(message: string): CommandError {
  return new CommandError(message, fatalCode);
}

/** Why a controller did not begin. */
export function notStarted({ dialect }: Pick<FlagValues, 'dialect'>, message: string): CommandError {
  return dialect === 'old' ? fatal(`error starting controllers: ${message}`) : badUsage(message);
}

/** Whether a controller that is on by default is to run. */
export function isWanted(flags: FlagValues, name: string): boolean {
  const named = flags.named('controllers');
  return named.includes(name) || (named.includes('*') && !named.includes(`-${name}`));
}

/** What the settings find wrong, where it was found once controllers began; undefined for all else. */
export function fatalSetting(flags: FlagValues, message: string): CommandError | undefined {
  if (message.startsWith('--attach-detach-reconcile-sync-period must be '))
    return notStarted(flags, 'Duration time must be greater than one second as set via command line option reconcile-sync-loop-period.');
  const cloud = /^invalid value (".*") for --cloud-provider: /.exec(message)?.[1];
  if (cloud !== undefined)
    return fatal(`error building controller context: cloud provider could not be initialized: unknown cloud provider ${cloud}`);
  if (message.includes(' for --cluster-cidr: ') && flags.isOn('allocate-node-cidrs'))
    return fatal('Controller: Must specify --cluster-cidr if --allocate-node-cidrs is set');
  return undefined;
}

const recyclers = [
  ['hostpath', 'pv-recycler-pod-template-filepath-hostpath'],
  ['NFS', 'pv-recycler-pod-template-filepath-nfs'],
] as const;

/** Throws a CommandError. */
export function mustBegin(flags: FlagValues): void {
  if (flags.dialect !== 'old') return;
  if (isWanted(flags, 'persistentvolume-binder')) for (const [plugin, flag] of recyclers) mustRecycle(plugin, flags.text(flag));
  const prefix = parseCIDR(flags.text('cluster-cidr'))?.prefixLength ?? 0;
  if (flags.isOn('allocate-node-cidrs') && isWanted(flags, 'nodeipam') && prefix > flags.number('node-cidr-mask-size'))
    throw fatal('Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than --node-cidr-mask-size');
}

/** The template is read and judged; the pod that recycles is the one that is made without any. */
function mustRecycle(plugin: string, path: string): void {
  if (path === '') return;
  const told = (why: string): string => `Could not create ${plugin} recycler pod from file ${path}: ${why}`;
  const text = readNamed(path, fatalCode, (why) => told(`failed to read file path ${path}: ${why}`));
  if (text === '') throw fatal(told(`file was empty: ${path}`));
  const fault = templateFault(text);
  if (fault !== undefined) throw fatal(told(fault === noPod ? `failed decoding file: ${fault}` : `Pod specification (${path}): ${fault}`));
}

const noPod = "Object 'Kind' is missing";

function templateFault(text: string): string | undefined {
  const pod = read(text);
  if (!isObject(pod) || pod['kind'] !== 'Pod') return noPod;
  const { volumes = [] } = (isObject(pod['spec']) ? pod['spec'] : {}) as { readonly volumes?: JsonValue };
  return isList(volumes) && volumes.length > 0 ? undefined : 'does not contain any volume(s)';
}

function read(text: string): JsonValue {
  try {
    return decodeFirstYaml(text, 'old').value;
  } catch (error) {
    if (error instanceof DecodeError) return null;
    throw error;
  }
}
