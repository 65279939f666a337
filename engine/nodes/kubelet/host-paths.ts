/**
 * Paths of a machine that pods mount. Mirrors pkg/volume/hostpath/host_path.go (checkType) and the runtime, which makes a folder of a
 * source that is not there. What a machine has besides is a usual small Linux.
 */
import { getOwn } from '../../base/dictionary.ts';
import type { Volume } from '../../api/core/v1/types.gen.ts';
import type { Machine } from '../machine.ts';

type Kind = 'Directory' | 'File' | 'Socket' | 'CharDevice' | 'BlockDevice';

const built: { readonly [kind in Kind]: readonly string[] } = {
  Directory: [
    ...[
      '/',
      '/boot',
      '/dev',
      '/dev/shm',
      '/home',
      '/lib',
      '/lib/modules',
      '/media',
      '/mnt',
      '/opt',
      '/opt/cni/bin',
      '/proc',
      '/root',
      '/run',
      '/srv',
      '/sys',
    ],
    ...['/etc', '/etc/cni/net.d', '/etc/kubernetes', '/etc/kubernetes/manifests', '/etc/kubernetes/pki', '/etc/ssl', '/etc/ssl/certs'],
    ...['/run/containerd', '/sys/fs/bpf', '/sys/fs/cgroup', '/tmp', '/usr', '/usr/bin', '/usr/lib', '/usr/local', '/usr/local/bin', '/usr/share'],
    ...[
      '/var',
      '/var/cache',
      '/var/lib',
      '/var/lib/cni',
      '/var/lib/containerd',
      '/var/lib/kubelet',
      '/var/lib/kubelet/device-plugins',
      '/var/lib/kubelet/plugins',
    ],
    ...['/var/lib/kubelet/plugins_registry', '/var/lib/kubelet/pods', '/var/log', '/var/log/containers', '/var/log/pods', '/var/run', '/var/tmp'],
  ],
  File: [
    '/etc/hostname',
    '/etc/hosts',
    '/etc/localtime',
    '/etc/machine-id',
    '/etc/os-release',
    '/etc/passwd',
    '/etc/group',
    '/etc/resolv.conf',
    '/var/lib/kubelet/config.yaml',
  ],
  Socket: ['/run/containerd/containerd.sock', '/var/run/containerd/containerd.sock'],
  CharDevice: ['/dev/fuse', '/dev/kmsg', '/dev/net/tun', '/dev/null', '/dev/random', '/dev/tty', '/dev/urandom', '/dev/zero'],
  BlockDevice: ['/dev/vda', '/dev/vda1'],
};

const words: { readonly [kind in Kind]: string } = {
  Directory: 'a directory',
  File: 'a file',
  Socket: 'a socket file',
  CharDevice: 'a character device',
  BlockDevice: 'a block device',
};

/** Why the path of a volume is not what the pod says it is. What is to be made is made. */
export function hostPathFault({ hostPath }: Volume, machine: Machine): string | undefined {
  if (hostPath === undefined) return undefined;
  const path = trimmed(hostPath.path ?? '');
  const type = hostPath.type ?? '';
  const found = kindOf(path, machine);
  if (found === undefined && (type === '' || type === 'DirectoryOrCreate')) {
    machine.madePaths = { ...machine.madePaths, [path]: 'Directory' };
    return undefined;
  }
  if (type === '') return undefined;
  if (found === undefined && type === 'FileOrCreate') {
    if (kindOf(parentOf(path), machine) !== 'Directory') return `open ${path}: no such file or directory`;
    machine.madePaths = { ...machine.madePaths, [path]: 'File' };
    return undefined;
  }
  const wanted = type.replace('OrCreate', '') as Kind;
  return found === wanted ? undefined : `hostPath type check failed: ${hostPath.path} is not ${words[wanted]}`;
}

function kindOf(path: string, { madePaths }: Machine): Kind | undefined {
  const made = getOwn(madePaths, path) as Kind | undefined;
  if (made !== undefined) return made;
  for (const kind of Object.keys(built) as Kind[]) if (built[kind].includes(path)) return kind;
  // Folders above what is there are there too.
  const below = path === '/' ? '/' : `${path}/`;
  const isAbove = [...Object.values(built).flat(), ...Object.keys(madePaths)].some((one) => one.startsWith(below));
  return isAbove ? 'Directory' : undefined;
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
