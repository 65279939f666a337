/** What a session's head says, and what of it must be the same to run it again. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterConfig } from '../cluster/config.ts';
import { defaultRelease, getRelease, releaseNames } from '../releases/releases.ts';
import { SessionError } from '../persistence/session-file.ts';
import { sessionFormat, type SessionHead } from '../persistence/session-records.ts';

export const engineVersion = '0.1.0';

export function headOf(config: ClusterConfig, build = currentBuild()): SessionHead {
  return {
    t: 'session',
    format: sessionFormat,
    engine: engineVersion,
    build,
    timeZones: process.versions.tz ?? 'unknown',
    name: config.name,
    seed: config.seed,
    startMs: config.startMs,
    config: {
      nodes: config.nodes,
      zones: config.zones,
      options: config.options,
      ownRuns: config.ownRuns === true,
      id: config.id ?? '',
      release: config.release ?? defaultRelease.name,
    },
  };
}

export function configOf(head: SessionHead): ClusterConfig {
  type Kept = Pick<ClusterConfig, 'nodes' | 'zones' | 'options' | 'ownRuns' | 'id' | 'release'>;
  const { nodes, zones, options, ownRuns = false, id = '', release = defaultRelease.name } = head.config as unknown as Kept;
  return { name: head.name, seed: head.seed, startMs: head.startMs, nodes, zones, options, ownRuns, id, release };
}

/** Refuses a file of another engine: running it again could give another history. */
export function checkEngine(path: string, head: SessionHead): void {
  const zones = process.versions.tz ?? 'unknown';
  if (head.engine !== engineVersion)
    throw new SessionError(`${path} was written by Wavetank ${head.engine}, this is ${engineVersion}; run it with that release`);
  if (head.timeZones !== zones)
    throw new SessionError(`${path} was written with time-zone data ${head.timeZones}, this Node.js has ${zones}; run it with the same Node.js`);
}

/** Refuses to go on as another release: what is stored has the shape of the one it began with. `asked` is undefined when nobody says which. */
export function checkRelease(path: string, head: SessionHead, asked: string | undefined): void {
  const { release = defaultRelease.name } = configOf(head);
  if (getRelease(release) === undefined) throw new SessionError(`${path} is a cluster of release ${release}; this engine knows ${releaseNames()}`);
  if (asked !== undefined && asked !== release)
    throw new SessionError(`${path} is a cluster of release ${release} and cannot go on as ${asked}; leave the release out or begin another session`);
}

/** A fingerprint of the bundle that runs, or of the engine's sources. */
export function currentBuild(): string {
  const running = fileURLToPath(import.meta.url);
  const hash = createHash('sha256');
  if (!running.endsWith('.ts')) return hash.update(readFileSync(running)).digest('hex').slice(0, 16);
  const engine = join(running, '..', '..');
  const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  for (const name of sources.sort()) hash.update(name).update(readFileSync(join(engine, name)));
  return hash.digest('hex').slice(0, 16);
}
