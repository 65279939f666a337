/** Mounted ConfigMaps, Secrets, downward fields and tokens as files, and what keeps a volume from being mounted. */
import { getOwn } from '../../base/dictionary.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import type { KeyToPath, Volume } from '../../api/core/v1/types.gen.ts';
import { fieldValue } from './container-env.ts';
import { placeOf } from './container-files.ts';
import type { KubeletEnvironment } from './environment.ts';
import { hostPathFault } from './host-paths.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Published into every namespace by a controller; pods that come first do not wait for it here. */
const rootCaName = 'kube-root-ca.crt';

/** A volume that cannot be set up, and why. */
export interface FailedVolume {
  readonly name: string;
  readonly why: string;
}

/**
 * The volumes of ConfigMaps, Secrets and paths of the machine that cannot be mounted, in the order of the pod. Mirrors pkg/volume
 * (configmap, secret, projected, hostpath).
 */
export function failedVolumes(worker: PodWorker, env: KubeletEnvironment): readonly FailedVolume[] {
  return (worker.pod.spec?.volumes ?? []).flatMap((volume) => {
    const ofHost = hostPathFault(volume, env.machine);
    const faults = ofHost === undefined ? sourceFaults(volume, worker, env) : [ofHost];
    const [first, ...more] = faults;
    if (first === undefined) return [];
    return [{ name: volume.name, why: more.length === 0 ? first : `[${faults.join(', ')}]` }];
  });
}

function sourceFaults({ configMap, secret, projected }: Volume, { namespace }: PodWorker, env: KubeletEnvironment): readonly string[] {
  const ofMap = (name: string, source: NonNullable<Volume['configMap']>): readonly string[] => {
    const map = env.configMap(namespace, name);
    return sourceFault(source, map === undefined ? undefined : { ...map.binaryData, ...map.data }, `configmap "${name}" not found`, mapKeyText);
  };
  const ofSecret = (name: string, source: Pick<NonNullable<Volume['secret']>, 'items' | 'optional'>): readonly string[] => {
    const found = env.secret(namespace, name);
    return sourceFault(source, found === undefined ? undefined : (found.data ?? {}), `secret "${name}" not found`, secretKeyText);
  };
  return [
    ...(configMap?.name ? ofMap(configMap.name, configMap) : []),
    ...(secret?.secretName ? ofSecret(secret.secretName, secret) : []),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...(source.configMap?.name && source.configMap.name !== rootCaName ? ofMap(source.configMap.name, source.configMap) : []),
      ...(source.secret?.name ? ofSecret(source.secret.name, source.secret) : []),
    ]),
  ];
}

const mapKeyText = 'configmap references non-existent config key';
const secretKeyText = 'references non-existent secret key';

function sourceFault(
  { items, optional }: { readonly items?: readonly KeyToPath[]; readonly optional?: boolean },
  data: { readonly [key: string]: string } | undefined,
  missing: string,
  keyText: string,
): readonly string[] {
  if (optional === true) return [];
  if (data === undefined) return [missing];
  const key = items?.find((item) => getOwn(data, item.key ?? '') === undefined)?.key;
  return key === undefined ? [] : [`${keyText}: ${key}`];
}

/** The text of a file below a mount of this container, or undefined. */
export function readMountedFile(worker: PodWorker, run: ContainerRun, path: string, env: KubeletEnvironment): string | undefined {
  const place = placeOf(worker, run, path, env);
  return place === undefined ? undefined : volumeFile(place.volume, place.inside, worker, env);
}

function volumeFile(volume: Volume, file: string, worker: PodWorker, env: KubeletEnvironment): string | undefined {
  const { namespace } = worker;
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap?.name) return pick(env.configMap(namespace, configMap.name)?.data, configMap.items, file);
  if (secret?.secretName) return decoded(pick(env.secret(namespace, secret.secretName)?.data, secret.items, file));
  if (downwardAPI !== undefined) return downward(downwardAPI.items, file, worker, env);
  for (const source of projected?.sources ?? []) {
    const text =
      (source.configMap?.name ? pick(env.configMap(namespace, source.configMap.name)?.data, source.configMap.items, file) : undefined) ??
      (source.secret?.name ? decoded(pick(env.secret(namespace, source.secret.name)?.data, source.secret.items, file)) : undefined) ??
      downward(source.downwardAPI?.items, file, worker, env);
    if (text !== undefined) return text;
    if (source.serviceAccountToken?.path === file) return 'a token of the simulated kubelet';
  }
  return undefined;
}

function pick(data: { readonly [key: string]: string } | undefined, items: readonly KeyToPath[] | undefined, file: string): string | undefined {
  const key = items === undefined || items.length === 0 ? file : items.find((item) => item.path === file)?.key;
  return key === undefined ? undefined : getOwn(data, key);
}

function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decodeBase64Text(text);
}

type DownwardItems = readonly { readonly path?: string; readonly fieldRef?: { readonly fieldPath?: string } }[];

function downward(items: DownwardItems | undefined, file: string, worker: PodWorker, env: KubeletEnvironment): string | undefined {
  const path = items?.find((item) => item.path === file)?.fieldRef?.fieldPath;
  return path === undefined ? undefined : fieldValue(worker, path, env);
}
