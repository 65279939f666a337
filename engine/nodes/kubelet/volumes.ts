/** Mounted ConfigMaps, Secrets, downward fields and tokens as files, and what keeps a volume from being mounted. */
import { getOwn } from '../../base/dictionary.ts';
import { decodeBase64Text } from '../../base/base64.ts';
import type { KeyToPath, Volume } from '../../api/core/v1/types.gen.ts';
import { fieldValue } from './container-env.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Published into every namespace by a controller; pods that come first do not wait for it here. */
const rootCaName = 'kube-root-ca.crt';

/** The event text for the first volume that cannot be mounted, if any. */
export function missingVolume(worker: PodWorker, env: KubeletEnvironment): string | undefined {
  for (const volume of worker.pod.spec?.volumes ?? []) {
    const missing = missingSource(volume, worker, env);
    if (missing !== undefined) return `MountVolume.SetUp failed for volume "${volume.name}" : ${missing}`;
  }
  return undefined;
}

function missingSource(volume: Volume, worker: PodWorker, env: KubeletEnvironment): string | undefined {
  const { namespace } = worker;
  const { configMap, secret, projected } = volume;
  if (configMap?.name && configMap.optional !== true && env.configMap(namespace, configMap.name) === undefined)
    return `configmap "${configMap.name}" not found`;
  if (secret?.secretName && secret.optional !== true && env.secret(namespace, secret.secretName) === undefined)
    return `secret "${secret.secretName}" not found`;
  for (const source of projected?.sources ?? []) {
    const map = source.configMap;
    if (map?.name && map.name !== rootCaName && map.optional !== true && env.configMap(namespace, map.name) === undefined)
      return `configmap "${map.name}" not found`;
    const inner = source.secret;
    if (inner?.name && inner.optional !== true && env.secret(namespace, inner.name) === undefined) return `secret "${inner.name}" not found`;
  }
  return undefined;
}

/** The text of a file below a mount of this container, or undefined. */
export function readMountedFile(worker: PodWorker, run: ContainerRun, path: string, env: KubeletEnvironment): string | undefined {
  for (const { name, mountPath = '', subPath } of containerSpec(worker.pod, run).volumeMounts ?? []) {
    const base = mountPath.endsWith('/') ? mountPath.slice(0, -1) : mountPath;
    const inside = path === base && subPath ? subPath : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : undefined;
    const volume = inside === undefined ? undefined : worker.pod.spec?.volumes?.find((one) => one.name === name);
    const text = volume === undefined || inside === undefined ? undefined : volumeFile(volume, inside, worker, env);
    if (text !== undefined) return text;
  }
  return undefined;
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
