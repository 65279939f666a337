/** Running clusters of this machine: one small JSON file each, so that `list`, `status`, `stop` and `clock` find them. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { homeFolder, makeFolder } from './home.ts';

export interface RunningCluster {
  readonly name: string;
  readonly pid: number;
  readonly server: string;
  readonly kubeconfig: string;
  readonly token: string;
  readonly ui: string | null;
  readonly seed: number;
}

/** What is kept of one: also its session, so that no other cluster writes the same file. */
export interface ClusterRecord extends RunningCluster {
  readonly session?: string;
}

function folder(): string {
  return join(homeFolder(), 'clusters');
}

function fileOf(name: string): string {
  return join(folder(), `${name}.json`);
}

export function kubeconfigOf(name: string): string {
  return join(folder(), `${name}.kubeconfig`);
}

export function rememberCluster(cluster: ClusterRecord): void {
  makeFolder(folder());
  writeFileSync(fileOf(cluster.name), `${JSON.stringify(cluster, null, 2)}\n`, { mode: 0o600 });
}

export function forgetCluster(name: string): void {
  rmSync(fileOf(name), { force: true });
}

/** Those whose process still lives; records of others are removed. */
export function listClusters(): readonly ClusterRecord[] {
  if (!existsSync(folder())) return [];
  const records = readdirSync(folder())
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder(), file), 'utf8')) as ClusterRecord);
  return records.filter((record) => {
    if (isAlive(record.pid)) return true;
    forgetCluster(record.name);
    return false;
  });
}

/** The named one, or the only one that runs. */
export function findCluster(name: string | undefined): RunningCluster {
  const running = listClusters();
  if (name !== undefined) {
    const found = running.find((cluster) => cluster.name === name);
    if (found === undefined) throw new CommandError(`no cluster named ${name} is running; \`wavetank list\` shows those that are`);
    return found;
  }
  const [only, ...others] = running;
  if (only === undefined) throw new CommandError('no cluster is running; start one with `wavetank up`');
  if (others.length > 0) throw new CommandError(`several clusters are running (${running.map((cluster) => cluster.name).join(', ')}); say which`);
  return only;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
