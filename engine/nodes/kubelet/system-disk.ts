/**
 * What a machine whose own disk fails does to its pods: what was started runs on in memory, and nothing can be added. Mirrors where
 * pkg/kubelet (SyncPod: makePodDataDirs) and containerd write to it.
 */
import type { SystemDiskFault } from '../../base/fault-points.ts';
import type { Machine } from '../machine.ts';
import { ioError } from '../runtime/shell-files.ts';
import type { PodWorker } from './worker.ts';

const words: { readonly [fault in SystemDiskFault]: string } = {
  'read-only': 'read-only file system',
  'io-errors': ioError.toLowerCase(),
  gone: ioError.toLowerCase(),
};

/** Why a pod that is new on the machine gets no folders of its own. */
export function podFoldersFault({ uid }: PodWorker, { systemDisk }: Machine): string | undefined {
  return systemDisk === null ? undefined : `error making pod data directories: mkdir /var/lib/kubelet/pods/${uid}: ${words[systemDisk]}`;
}

/** Why a container gets no file system. */
export function snapshotFault({ systemDisk }: Machine): string | undefined {
  if (systemDisk === null) return undefined;
  const folder = '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots';
  return `failed to create containerd container: error creating snapshot: failed to create temp dir: mkdir ${folder}/new: ${words[systemDisk]}`;
}

/** Why an image cannot be unpacked, or even be asked for. */
export function unpackFault(image: string, { systemDisk }: Machine): string | undefined {
  if (systemDisk === null) return undefined;
  const why = `open /var/lib/containerd/io.containerd.content.v1.content/ingest: ${words[systemDisk]}`;
  return `rpc error: code = Unknown desc = failed to pull and unpack image ${JSON.stringify(image)}: failed to copy: ${why}`;
}

/** Why a command cannot be started in a container: its program is read from the disk. */
export function commandFault(program: string, { systemDisk }: Machine): string | undefined {
  if (systemDisk === null || systemDisk === 'read-only') return undefined;
  return `OCI runtime exec failed: exec failed: unable to start container process: exec: ${JSON.stringify(program)}: ${words[systemDisk]}`;
}
