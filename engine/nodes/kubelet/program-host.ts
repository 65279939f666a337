/** What a program sees of its container: arguments, environment, files, host name. Built when it is asked for, never kept. */
import type { LinuxContainerUser } from '../../api/core/v1/types.gen.ts';
import type { ImageDefinition } from '../runtime/image-definition.ts';
import type { ProgramHost } from '../runtime/program.ts';
import { expandReferences, containerEnv } from './container-env.ts';
import { containerFiles, hasHostRoom, isOnBrokenDisk, isReadOnly, mountedFolders } from './container-files.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { mountedStat } from './file-modes.ts';
import { hostsFile, resolverFile } from './network-files.ts';
import { userOf } from './run-as-user.ts';
import { mountedFiles, readMountedFile } from './volumes.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

export function definitionOf(worker: PodWorker, run: ContainerRun, env: Pick<KubeletEnvironment, 'catalog'>): ImageDefinition {
  const name = env.catalog.parse(containerSpec(worker.pod, run).image ?? '');
  return env.catalog.definition(typeof name === 'string' ? '' : name.repository);
}

/** `command` replaces the image's entrypoint and its default arguments; `args` only these. */
export function argvOf(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly string[] {
  const { command = [], args = [] } = containerSpec(worker.pod, run);
  const definition = definitionOf(worker, run, env);
  const argv = command.length > 0 ? [...command, ...args] : [...(definition.entrypoint ?? []), ...(args.length > 0 ? args : (definition.cmd ?? []))];
  if (!argv.some((word) => word.includes('$('))) return argv;
  const values = containerEnv(worker, run, env);
  return argv.map((word) => expandReferences(word, values));
}

export function hostnameOf(worker: PodWorker): string {
  const spec = worker.pod.spec;
  if (spec?.hostNetwork === true) return worker.node;
  return (spec?.hostname ?? worker.name).slice(0, 63);
}

export function programHost(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): ProgramHost {
  let values: Record<string, string> | undefined;
  let files: Record<string, string> | undefined;
  return {
    nowMs: env.nowMs,
    hostname: hostnameOf(worker),
    definition: definitionOf(worker, run, env),
    workingDir: containerSpec(worker.pod, run).workingDir,
    argv: () => argvOf(worker, run, env),
    isAwaited: run.role === 'init',
    env: () => (values ??= containerEnv(worker, run, env)),
    readFile: (path) => readMountedFile(worker, run, path, env) ?? wellKnownFile(path, worker, env),
    folders: () => mountedFolders(worker, run, env),
    mounted: () => mountedFiles(worker, run, env),
    hasRoom: (path, length) => hasHostRoom(worker, run, path, length, env),
    isReadOnly: (path) => isReadOnly(worker, run, path, env),
    user: () => shellUser(userOf(worker, run, definitionOf(worker, run, env))),
    isBroken: (path) => isOnBrokenDisk(worker, run, path, env),
    stat: (path) =>
      mountedStat(
        worker,
        run,
        path,
        env,
        (files ?? containerFiles(worker, run, env))[path] !== undefined || readMountedFile(worker, run, path, env) !== undefined,
      ),
    terminal: () => (run.program?.type === 'shell' ? run.program.terminal : null),
    get files() {
      return (files ??= containerFiles(worker, run, env));
    },
    log: (text, isPartial) => env.log(worker, run, text, isPartial),
    write: (text, isError) => env.write(worker, run, text, isError),
  };
}

function shellUser({ uid, gid, supplementalGroups = [] }: LinuxContainerUser): ReturnType<NonNullable<ProgramHost['user']>> {
  return { uid: Number(uid), gid: Number(gid), supplementalGroups: supplementalGroups.map(Number) };
}

function wellKnownFile(path: string, worker: PodWorker, { machine, nowMs }: KubeletEnvironment): string | undefined {
  switch (path) {
    case '/etc/hostname':
      return `${hostnameOf(worker)}\n`;
    case '/etc/hosts':
      return hostsFile(worker, hostnameOf(worker), machine);
    case '/etc/os-release':
      return 'NAME="Wavetank"\nPRETTY_NAME="Wavetank (simulated)"\nID=wavetank\n';
    case '/etc/resolv.conf':
      return resolverFile(worker);
    case '/proc/uptime': {
      // Of what its processors did nothing is known: all of it is idle.
      const seconds = ((nowMs - machine.bootedMs) / 1000).toFixed(2);
      return `${seconds} ${seconds}\n`;
    }
    case '/proc/self/uid_map':
    case '/proc/self/gid_map':
      return idMap(worker);
    case '/dev/null':
      return '';
    case '/dev/termination-log':
      return '';
    default:
      return undefined;
  }
}

const idsPerPod = 65_536;

/** A pod with users of its own has a range of its machine's; its address says which, so that no two have the same. */
function idMap({ pod, ip }: PodWorker): string {
  const [host, length] = pod.spec?.hostUsers === false ? [Number(ip.slice(ip.lastIndexOf('.') + 1)) * idsPerPod, idsPerPod] : [0, 4_294_967_295];
  return `${[0, host, length].map((id) => String(id).padStart(10)).join(' ')}\n`;
}
