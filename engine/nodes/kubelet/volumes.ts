/** Mounted ConfigMaps, Secrets, downward fields and tokens as files, and what keeps a volume from being mounted. */
import { getOwn } from '../../base/dictionary.ts';
import { decodeBase64 } from '../../base/base64.ts';
import { textOfBytes } from '../../base/byte-text.ts';
import type { KeyToPath, Volume } from '../../api/core/v1/types.gen.ts';
import { fieldValue, resourceValue } from './container-env.ts';
import { isSpoken, placeOf } from './container-files.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { hostPathFault } from './host-paths.ts';
import { machineFile } from './network-files.ts';
import { normalPath } from '../runtime/shell-files.ts';
import { tokenFault, tokenText } from './service-account-token.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

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

function sourceFaults({ configMap, secret, projected }: Volume, worker: PodWorker, env: KubeletEnvironment): readonly string[] {
  const { namespace } = worker;
  const ofMap = (name: string, source: NonNullable<Volume['configMap']>): readonly string[] => {
    const map = env.configMap(namespace, name);
    return sourceFault(source, map === undefined ? undefined : { ...map.binaryData, ...map.data }, `configmap "${name}" not found`, mapKeyText);
  };
  const ofSecret = (name: string, source: Pick<NonNullable<Volume['secret']>, 'items' | 'optional'>): readonly string[] => {
    const found = env.secret(namespace, name);
    return sourceFault(source, found === undefined ? undefined : (found.data ?? {}), `secret "${name}" not found`, secretKeyText);
  };
  const ofToken = (): readonly string[] => {
    const fault = tokenFault(worker, env);
    return fault === undefined ? [] : [fault];
  };
  return [
    ...(configMap?.name ? ofMap(configMap.name, configMap) : []),
    ...(secret?.secretName ? ofSecret(secret.secretName, secret) : []),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...(source.configMap?.name ? ofMap(source.configMap.name, source.configMap) : []),
      ...(source.secret?.name ? ofSecret(source.secret.name, source.secret) : []),
      ...(source.serviceAccountToken === undefined ? [] : ofToken()),
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

/** The paths of all files below the mounts of this container that show objects of the API. */
export function mountedFiles(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly string[] {
  return (containerSpec(worker.pod, run).volumeMounts ?? []).flatMap(({ name, mountPath = '', subPath = '', subPathExpr = '' }) => {
    const volume = worker.pod.spec?.volumes?.find((one) => one.name === name);
    if (volume === undefined) return [];
    const base = mountPath.replace(/\/+$/, '');
    if (subPathExpr !== '' || isSpoken(subPath, env)) return readMountedFile(worker, run, base, env) === undefined ? [] : [base];
    const inside = subPath.replace(/^\/+|\/+$/g, '');
    return volumeFiles(volume, worker, env).flatMap((file) => {
      if (inside === '') return [`${base}/${file}`];
      if (file === inside) return [base];
      return file.startsWith(`${inside}/`) ? [base + file.slice(inside.length)] : [];
    });
  });
}

/** Those of the image that a volume is. */
function filesOfVolume(reference: string, { catalog }: KubeletEnvironment): { readonly [path: string]: string } {
  const name = catalog.parse(reference);
  return typeof name === 'string' ? {} : (catalog.definition(name.repository).files ?? {});
}

function volumeFiles({ configMap, secret, downwardAPI, projected, image }: Volume, worker: PodWorker, env: KubeletEnvironment): readonly string[] {
  const { namespace } = worker;
  const ofMap = (name: string, items: readonly KeyToPath[] | undefined): readonly string[] => {
    const map = env.configMap(namespace, name);
    return filesOf(map === undefined ? undefined : { ...map.binaryData, ...map.data }, items);
  };
  const ofSecret = (name: string, items: readonly KeyToPath[] | undefined): readonly string[] => filesOf(env.secret(namespace, name)?.data, items);
  const ofFields = (items: DownwardItems | undefined): readonly string[] => (items ?? []).map(({ path = '' }) => path);
  const found = [
    ...(image === undefined ? [] : Object.keys(filesOfVolume(image.reference ?? '', env)).map((path) => path.slice(1))),
    ...(configMap?.name ? ofMap(configMap.name, configMap.items) : []),
    ...(secret?.secretName ? ofSecret(secret.secretName, secret.items) : []),
    ...ofFields(downwardAPI?.items),
    ...(projected?.sources ?? []).flatMap((source) => [
      ...(source.configMap?.name ? ofMap(source.configMap.name, source.configMap.items) : []),
      ...(source.secret?.name ? ofSecret(source.secret.name, source.secret.items) : []),
      ...ofFields(source.downwardAPI?.items),
      ...(source.serviceAccountToken?.path === undefined ? [] : [source.serviceAccountToken.path]),
    ]),
  ];
  return [...new Set(found)];
}

function filesOf(data: { readonly [key: string]: string } | undefined, items: readonly KeyToPath[] | undefined): readonly string[] {
  if (data === undefined) return [];
  if (items === undefined || items.length === 0) return Object.keys(data);
  return items.flatMap(({ key = '', path = '' }) => (getOwn(data, key) === undefined ? [] : [path]));
}

function volumeFile(volume: Volume, file: string, worker: PodWorker, env: KubeletEnvironment): string | undefined {
  const { namespace } = worker;
  const { configMap, secret, downwardAPI, projected, hostPath, image } = volume;
  if (hostPath !== undefined) return machineFile(normalPath(`${hostPath.path}/${file}`), env.machine);
  if (image !== undefined) return getOwn(filesOfVolume(image.reference ?? '', env), `/${file}`);
  if (configMap?.name) return ofMap(env.configMap(namespace, configMap.name), configMap.items, file);
  if (secret?.secretName) return decoded(pick(env.secret(namespace, secret.secretName)?.data, secret.items, file));
  if (downwardAPI !== undefined) return downward(downwardAPI.items, file, worker, env);
  for (const source of projected?.sources ?? []) {
    const text =
      (source.configMap?.name ? ofMap(env.configMap(namespace, source.configMap.name), source.configMap.items, file) : undefined) ??
      (source.secret?.name ? decoded(pick(env.secret(namespace, source.secret.name)?.data, source.secret.items, file)) : undefined) ??
      downward(source.downwardAPI?.items, file, worker, env);
    if (text !== undefined) return text;
    if (source.serviceAccountToken?.path === file) return tokenText(worker, source.serviceAccountToken, env);
  }
  return undefined;
}

function pick(data: { readonly [key: string]: string } | undefined, items: readonly KeyToPath[] | undefined, file: string): string | undefined {
  const key = items === undefined || items.length === 0 ? file : items.find((item) => item.path === file)?.key;
  return key === undefined ? undefined : getOwn(data, key);
}

function ofMap(
  map: { readonly data?: { readonly [key: string]: string }; readonly binaryData?: { readonly [key: string]: string } } | undefined,
  items: readonly KeyToPath[] | undefined,
  file: string,
): string | undefined {
  return pick(map?.data, items, file) ?? decoded(pick(map?.binaryData, items, file));
}

function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : textOfBytes(decodeBase64(text));
}

type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

function downward(items: DownwardItems | undefined, file: string, worker: PodWorker, env: KubeletEnvironment): string | undefined {
  const item = items?.find(({ path }) => path === file);
  if (item?.resourceFieldRef !== undefined) return resourceValue(worker, { name: '' }, item.resourceFieldRef, env);
  const path = item?.fieldRef?.fieldPath;
  return path === undefined ? undefined : fieldValue(worker, path, env);
}
