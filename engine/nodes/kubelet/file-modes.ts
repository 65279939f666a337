/**
 * Modes and owners of what is mounted into a container. Mirrors pkg/volume (util/atomic_writer.go, volume_linux.go, emptydir, projected)
 * of Kubernetes: a file that shows an object of the API has the mode of its item or of its volume, and the pod's group may read it.
 */
import type { Volume } from '../../api/core/v1/types.gen.ts';
import type { FileStat } from '../runtime/shell-stat.ts';
import { placeOf } from './container-files.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const ofGroup = { read: 0o440, readAndWrite: 0o660 };
const setGroupId = 0o2000;
const sticky = 0o1000;
const ofToken = 0o600;
const ofFile = 0o644;
const ofFolder = 0o777;

/** Undefined for what is not mounted. `isFile` tells what containers wrote from the folders that it lies in. */
export function mountedStat(worker: PodWorker, run: ContainerRun, path: string, env: KubeletEnvironment, isFile: boolean): FileStat | undefined {
  const place = placeOf(worker, run, path, env);
  if (place === undefined) return undefined;
  const { volume, inside } = place;
  const { fsGroup, runAsUser } = worker.pod.spec?.securityContext ?? {};
  const gid = Number(fsGroup ?? 0);
  const owner = commonUser(worker);
  const shown = shownMode(volume, inside, fsGroup !== undefined || owner !== undefined);
  const isTmpfs = shown !== undefined || volume.emptyDir?.medium === 'Memory';
  const user = Number(containerSpec(worker.pod, run).securityContext?.runAsUser ?? runAsUser ?? 0);
  if (shown === undefined || !isFile) {
    const group = fsGroup === undefined ? 0 : (isFile ? 0 : setGroupId) | ofGroup.readAndWrite;
    const mode = isFile ? ofFile : shown === undefined ? (volume.emptyDir === undefined ? 0o755 : ofFolder) : ofFolder | sticky;
    return { mode: mode | group, uid: isFile ? user : 0, gid, isTmpfs };
  }
  const isToken = tokenAt(volume, inside);
  return { mode: shown | (fsGroup === undefined ? 0 : ofGroup.read), uid: isToken ? (owner ?? 0) : 0, gid, isTmpfs };
}

/** Whom all containers of a pod ask to run as: tokens are theirs. Mirrors FsUserFrom of pkg/volume/util. */
function commonUser({ pod }: PodWorker): number | undefined {
  const { initContainers, containers, ephemeralContainers, securityContext } = pod.spec ?? {};
  const asked = [...(initContainers ?? []), ...(containers ?? []), ...(ephemeralContainers ?? [])].map(
    (one) => one.securityContext?.runAsUser ?? securityContext?.runAsUser,
  );
  const [first] = asked;
  return first !== undefined && asked.every((one) => one !== undefined && Number(one) === Number(first)) ? Number(first) : undefined;
}

interface ModeItem {
  readonly path?: string;
  readonly mode?: number;
}

/** Undefined for volumes that hold what containers write. */
function shownMode({ configMap, secret, downwardAPI, projected }: Volume, file: string, hasOwner: boolean): number | undefined {
  const source = configMap ?? secret ?? downwardAPI ?? projected;
  if (source === undefined) return undefined;
  const lists: readonly (readonly ModeItem[] | undefined)[] = [
    configMap?.items,
    secret?.items,
    downwardAPI?.items,
    ...(projected?.sources ?? []).flatMap((one) => [one.configMap?.items, one.secret?.items, one.downwardAPI?.items]),
  ];
  const own = lists.flatMap((items) => items ?? []).find(({ path }) => path === file)?.mode;
  if (own !== undefined) return own;
  return projected !== undefined && hasOwner && tokenAt({ name: '', projected }, file) ? ofToken : (source.defaultMode ?? ofFile);
}

function tokenAt({ projected }: Volume, file: string): boolean {
  return (projected?.sources ?? []).some(({ serviceAccountToken }) => serviceAccountToken?.path === file);
}
