/**
 * Running clusters of this machine: one small JSON file each, so that `list`, `status`, `stop` and `clock` find them. A name is taken
 * by making its file, before the cluster starts; credentials are in none of them.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from './command-error.ts';
import { replaceFile } from './files.ts';
import { homeFolder, makeFolder } from './home-folder.ts';
import { withHomeLock } from './home-lock.ts';
import { contextName } from './kubeconfig.ts';
import { leaveKubeconfig, type MergedInto } from './kubeconfig-merge.ts';
import { isRunning, markOf, type ProcessMark } from './processes.ts';

export interface RunningCluster {
  readonly name: string;
  readonly pid: number;
  readonly server: string;
  readonly kubeconfig: string;
  readonly ui: string | null;
  readonly seed: number;
}

/** What is kept of one besides: its session, so that no other cluster writes the same file, and the kubeconfig it was merged into. */
export interface ClusterRecord extends RunningCluster {
  readonly session?: string;
  readonly merged?: MergedInto;
}

/** A name that is taken; the record comes with the ready cluster. */
interface Claim {
  readonly process: ProcessMark;
  readonly name: string;
  readonly session?: string;
  readonly record?: ClusterRecord;
}

export function kubeconfigOf(name: string): string {
  return join(folder(), `${name}.kubeconfig`);
}

/** Takes a name, and the session that no other cluster may write, for this process. */
export async function claimName(name: string, session: string | undefined): Promise<void> {
  await forgetDead();
  locked(() => {
    const claims = readClaims();
    if (claims.some((claim) => claim.name === name))
      throw new CommandError(`a cluster named ${name} is running; stop it with \`wavetank stop ${name}\` or choose another --name`);
    const other = claims.find((claim) => session !== undefined && claim.session === session);
    if (other !== undefined)
      throw new CommandError(
        `${session} is the session of the running cluster ${other.name}; stop it with \`wavetank stop ${other.name}\` or give another path`,
      );
    write({ process: markOf(process.pid), name, ...(session === undefined ? {} : { session }) });
  });
}

export function rememberCluster(record: ClusterRecord): void {
  const { name, pid, session } = record;
  locked(() => write({ process: markOf(pid), name, record, ...(session === undefined ? {} : { session }) }));
}

/** Gives the name free. A kubeconfig that the cluster was merged into gets the context back that was current before. */
export async function forgetCluster(name: string): Promise<void> {
  const merged = locked(() => {
    const claims = readClaims();
    const { record } = claims.find((claim) => claim.name === name) ?? {};
    rmSync(fileOf(name), { force: true });
    if (record?.merged !== undefined) passOn(contextName(name), record.merged, claims);
    return record?.merged;
  });
  if (merged !== undefined) await leaveKubeconfig(contextName(name), merged);
}

export async function listClusters(): Promise<readonly ClusterRecord[]> {
  await forgetDead();
  return readClaims().flatMap(({ record }) => (record === undefined ? [] : [record]));
}

/** The named one, or the only one that runs. */
export async function findCluster(name: string | undefined): Promise<RunningCluster> {
  const running = await listClusters();
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

/** Records of processes that ended without a word. */
async function forgetDead(): Promise<void> {
  for (const { name, process } of readClaims()) if (!isRunning(process)) await forgetCluster(name);
}

/** Clusters that would give the current context back to one that is gone give it back to the one before it. */
function passOn(context: string, { file, previous }: MergedInto, claims: readonly Claim[]): void {
  for (const claim of claims) {
    const { record } = claim;
    if (record?.merged?.file !== file || record.merged.previous !== context) continue;
    write({ ...claim, record: { ...record, merged: previous === undefined ? { file } : { file, previous } } });
  }
}

function folder(): string {
  return join(homeFolder(), 'clusters');
}

function fileOf(name: string): string {
  return join(folder(), `${name}.json`);
}

function locked<T>(act: () => T): T {
  makeFolder(homeFolder());
  makeFolder(folder());
  return withHomeLock(folder(), act);
}

function write(claim: Claim): void {
  replaceFile(fileOf(claim.name), `${JSON.stringify(claim, null, 2)}\n`, 0o600);
}

function readClaims(): readonly Claim[] {
  if (!existsSync(folder())) return [];
  const files = readdirSync(folder()).filter((file) => file.endsWith('.json') && !file.startsWith('.'));
  return files.sort().flatMap((file) => readClaim(join(folder(), file)) ?? []);
}

/** Undefined when its cluster has ended meanwhile. */
function readClaim(file: string): Claim | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const claim = JSON.parse(readFileSync(file, 'utf8')) as Partial<Claim>;
    if (claim.process !== undefined && claim.name !== undefined) return claim as Claim;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CommandError(`${file} is damaged; if no cluster of that name runs, remove it`);
}
