/**
 * The files of a container: its own, and those of the volumes that are mounted into it, which all containers of its pod share. Mirrors
 * makeMounts of pkg/kubelet/kubelet_pods.go for what a mount shows of its volume.
 */
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Volume, VolumeMount } from '../../api/core/v1/types.gen.ts';
import { hasRoom } from '../runtime/shell-budget.ts';
import { normalPath } from '../runtime/shell-files.ts';
import { containerEnv, expandReferences } from './container-env.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** Where in which volume a path of a container leads. */
export interface Place {
  readonly volume: Volume;
  /** Without a slash at its start; empty for the mount itself. */
  readonly inside: string;
}

/** Of mounts one below the other the deepest counts. */
export function placeOf(worker: PodWorker, run: ContainerRun, path: string, env: KubeletEnvironment): Place | undefined {
  const found = mountAt(worker, run, path);
  const volume = found === undefined ? undefined : worker.pod.spec?.volumes?.find(({ name }) => name === found?.name);
  if (found === undefined || volume === undefined) return undefined;
  const below = path.slice(baseOf(found).length + 1);
  const subPath = trimmed(subPathOf(worker, run, found, env).path);
  return { volume, inside: subPath === '' || below === '' ? subPath + below : `${subPath}/${below}` };
}

function mountAt(worker: PodWorker, run: ContainerRun, path: string): VolumeMount | undefined {
  let found: VolumeMount | undefined;
  for (const mount of containerSpec(worker.pod, run).volumeMounts ?? []) {
    const base = baseOf(mount);
    if (path !== base && !path.startsWith(`${base}/`)) continue;
    if (found === undefined || baseOf(found).length <= base.length) found = mount;
  }
  return found;
}

/** What a runtime mounts by itself, writable whatever the container's own file system is. */
const mountedByRuntime = /^\/(?:dev|proc|sys)(?:\/|$)|^\/etc\/(?:hosts|hostname|resolv\.conf)$/;

/** Mounts that are read-only, or show objects of the API or images; else a file system of the container that is. */
export function isReadOnly(worker: PodWorker, run: ContainerRun, path: string, { machine }: Pick<KubeletEnvironment, 'machine'>): boolean {
  if (machine.systemDisk === 'read-only' && isOnSystemDisk(worker, run, path)) return true;
  const mount = mountAt(worker, run, path);
  const { securityContext, terminationMessagePath } = containerSpec(worker.pod, run);
  if (mount === undefined) return securityContext?.readOnlyRootFilesystem === true && path !== terminationMessagePath && !mountedByRuntime.test(path);
  const volume = volumeOf(worker, mount);
  return mount.readOnly === true || volume?.persistentVolumeClaim?.readOnly === true || !isKept(volume);
}

/** Its own file system, and volumes that are folders of its machine. */
function isOnSystemDisk(worker: PodWorker, run: ContainerRun, path: string): boolean {
  const mount = mountAt(worker, run, path);
  if (mount === undefined) return !mountedByRuntime.test(path);
  const volume = volumeOf(worker, mount);
  return volume?.hostPath !== undefined || (volume?.emptyDir !== undefined && volume.emptyDir.medium !== 'Memory');
}

/** Whether a path leads to a disk that fails: a volume's, or the machine's own. */
export function isOnBrokenDisk(worker: PodWorker, run: ContainerRun, path: string, env: KubeletEnvironment): boolean {
  const { systemDisk } = env.machine;
  if (systemDisk !== null && systemDisk !== 'read-only' && isOnSystemDisk(worker, run, path)) return true;
  const broken = env.claimVolumes(worker.pod).filter((volume) => env.diskFault(volume) !== undefined);
  if (broken.length === 0) return false;
  const place = placeOf(worker, run, path, env);
  return place !== undefined && broken.some(({ name }) => name === place.volume.name);
}

/** Folders that are there because something is mounted: the mounts, and in a volume the paths that others of the container are mounts of. */
export function mountedFolders(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly string[] {
  const mounts = containerSpec(worker.pod, run).volumeMounts ?? [];
  const whole = mounts.filter(({ subPath = '', subPathExpr = '' }) => subPath === '' && subPathExpr === '');
  const made = whole.length === mounts.length ? [] : mounts.filter((mount) => !whole.includes(mount) && isKept(volumeOf(worker, mount)));
  const inside = (mount: VolumeMount): string => trimmed(subPathOf(worker, run, mount, env).path);
  return [
    ...whole.map(({ mountPath }) => mountPath.replace(/(.)\/+$/, '$1')),
    ...made.flatMap((mount) =>
      [mount, ...whole.filter(({ name }) => name === mount.name)].map((at) => (at === mount ? baseOf(at) : `${baseOf(at)}/${inside(mount)}`)),
    ),
  ];
}

function volumeOf(worker: PodWorker, mount: VolumeMount): Volume | undefined {
  return worker.pod.spec?.volumes?.find(({ name }) => name === mount.name);
}

/** What is wrong with a path below a volume, in upstream's words. */
export function subPathFault(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): string | undefined {
  for (const mount of containerSpec(worker.pod, run).volumeMounts ?? []) {
    const { path, missing } = subPathOf(worker, run, mount, env);
    if (missing.length > 0) return `missing value for ${missing.join(', ')}`;
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`;
    if (path.split('/').includes('..')) return `unable to provision SubPath \`${path}\`: must not contain '..'`;
  }
  return undefined;
}

/** Whether a path speaks of variables. */
export function isSpoken(subPath: string, { volumeRules }: Pick<KubeletEnvironment, 'volumeRules'>): boolean {
  return volumeRules.expandsSubPaths && subPath.includes('$(');
}

function subPathOf(
  worker: PodWorker,
  run: ContainerRun,
  { subPath = '', subPathExpr = '' }: VolumeMount,
  env: KubeletEnvironment,
): { readonly path: string; readonly missing: readonly string[] } {
  assert(subPath === '' || subPathExpr === '', 'validation lets one of them be');
  if (subPathExpr === '' && !isSpoken(subPath, env)) return { path: subPath, missing: [] };
  const values = containerEnv(worker, run, env);
  // What has no value stays as it is written.
  if (subPathExpr === '') return { path: expandReferences(subPath, values), missing: [] };
  const names = [...subPathExpr.matchAll(/\$\$|\$\(([^()]*)\)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const missing = [...new Set(names)].filter((name) => (getOwn(values, name) ?? '') === '').sort();
  return { path: expandReferences(subPathExpr, values), missing };
}

function baseOf({ mountPath = '' }: VolumeMount): string {
  return mountPath.endsWith('/') ? mountPath.slice(0, -1) : mountPath;
}

function trimmed(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/** A view that reads and writes; what is told of ConfigMaps, Secrets and the like is not in it, for it is read where it stands. */
export function containerFiles(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): Record<string, string> {
  const mounts = (containerSpec(worker.pod, run).volumeMounts ?? []).filter(({ name }) =>
    isKept(worker.pod.spec?.volumes?.find((one) => one.name === name)),
  );
  const own = (): Record<string, string> => {
    // Those of its image, which all its containers share until one writes.
    if (Object.isFrozen(run.files)) run.files = { ...run.files };
    return run.files;
  };
  if (mounts.length === 0) return own();
  const shared = (): Record<string, string> => {
    if (Object.isFrozen(worker.volumeFiles)) worker.volumeFiles = {};
    return worker.volumeFiles;
  };
  const { machine } = env;
  const keyOf = (path: string): Kept | undefined => {
    const place = placeOf(worker, run, path, env);
    return place === undefined || !isKept(place.volume) ? undefined : keptAt(place);
  };
  const held = ({ isOfHost }: Kept): Readonly<Record<string, string>> => (isOfHost ? machine.hostFiles : worker.volumeFiles);
  const changing = ({ isOfHost }: Kept): Record<string, string> => (isOfHost ? machine.hostFiles : shared());
  const names = (): string[] => {
    const visible = mounts.flatMap((mount) => {
      const base = baseOf(mount);
      const root = placeOf(worker, run, base, env);
      if (root === undefined) return [];
      const kept = keptAt(root);
      const start = kept.key.endsWith('/') ? kept.key : `${kept.key}/`;
      return Object.keys(held(kept)).flatMap((key) => {
        if (key === kept.key) return [base];
        return key.startsWith(start) ? [`${base}/${key.slice(start.length)}`] : [];
      });
    });
    return [...new Set([...Object.keys(run.files).filter((path) => keyOf(path) === undefined), ...visible])];
  };
  const read = (path: string): string | undefined => {
    const key = keyOf(path);
    return key === undefined ? getOwn(run.files, path) : getOwn(held(key), key.key);
  };
  return new Proxy<Record<string, string>>(
    {},
    {
      get: (_none, path) => (typeof path === 'string' ? read(path) : undefined),
      has: (_none, path) => typeof path === 'string' && read(path) !== undefined,
      set: (_none, path, text: string) => {
        const key = keyOf(String(path));
        if (key === undefined) own()[String(path)] = text;
        else changing(key)[key.key] = text;
        return true;
      },
      deleteProperty: (_none, path) => {
        const key = keyOf(String(path));
        if (key === undefined) delete own()[String(path)];
        else delete changing(key)[key.key];
        return true;
      },
      ownKeys: names,
      getOwnPropertyDescriptor: (_none, path) => {
        const value = typeof path === 'string' ? read(path) : undefined;
        return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
      },
    },
  );
}

/** Where a file in a volume is kept: with its pod, or on its machine, where others find it. */
interface Kept {
  readonly isOfHost: boolean;
  readonly key: string;
}

function keptAt({ volume, inside }: Place): Kept {
  if (volume.hostPath === undefined) return { isOfHost: false, key: `${volume.name}/${inside}` };
  return { isOfHost: true, key: normalPath(`${volume.hostPath.path}/${inside}`) };
}

/** Whether a machine takes so many characters more where a path of it is mounted; other volumes are bounded by their readers. */
export function hasHostRoom(worker: PodWorker, run: ContainerRun, path: string, length: number, env: KubeletEnvironment): boolean {
  const place = placeOf(worker, run, path, env);
  return place?.volume.hostPath === undefined || hasRoom(env.machine.hostFiles, keptAt(place).key, length);
}

/** It holds what containers write: all but those that show objects of the API, and images. */
function isKept(volume: Volume | undefined): boolean {
  if (volume === undefined) return false;
  const { configMap, secret, downwardAPI, projected, image } = volume;
  return [configMap, secret, downwardAPI, projected, image].every((source) => source === undefined);
}
