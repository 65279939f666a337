/**
 * `fuzz-wire-command.ts --kubeconfig FILE [--seed N] [--connections N] [--at-once N]`: odd connections to a server that runs. After each
 * thousand it must be ready and hold the same objects as before, but for the pods and ConfigMaps of `default`: some that are cut are still whole
 * requests for those. Exit codes: 0 all well, 1 it was not, 2 bad options.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { parse } from 'yaml';
import { scriptOptions } from '../../build/script-options.ts';
import { Random, type RandomStream } from '../../engine/base/random.ts';
import { noise, oddConnection, oddHttp2, oddHttp2Frames, type WireTarget } from './fuzz-wire.ts';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

const kinds = ['namespaces', 'nodes', 'pods', 'configmaps', 'secrets', 'services', 'serviceaccounts'];
const groupKinds = ['apps/v1/deployments', 'rbac.authorization.k8s.io/v1/clusterroles'];
const listed = [...kinds.map((kind) => `/api/v1/${kind}`), ...groupKinds.map((kind) => `/apis/${kind}`)];

function get({ port, token }: WireTarget, path: string): Promise<{ readonly code: number; readonly body: string; readonly ms: number }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(parts).toString(), ms: performance.now() - started }));
    });
    sent.on('error', reject);
    sent.setTimeout(10_000, () => sent.destroy(new Error(`no answer from ${path} for 10 s`)));
    sent.end();
  });
}

interface ObjectList {
  readonly items: readonly {
    readonly metadata: { readonly namespace?: string; readonly name: string; readonly uid: string; readonly generation?: number };
  }[];
}

/** Each object that is looked at, with its generation; a version changes when a heartbeat is written. */
async function held(target: WireTarget): Promise<readonly string[]> {
  const lines = await Promise.all(
    listed.map(async (path) => {
      const { items } = JSON.parse((await get(target, path)).body) as ObjectList;
      const asked = items.filter(({ metadata }) => metadata.namespace !== 'default' || !/\/(?:pods|configmaps)$/u.test(path));
      return asked.map(({ metadata: { namespace, name, uid, generation } }) => `${path} ${namespace ?? ''}/${name} ${uid} ${generation ?? ''}`);
    }),
  );
  return lines.flat();
}

const ways: readonly ((random: RandomStream, target: WireTarget) => Promise<void>)[] = [
  oddConnection,
  oddConnection,
  oddHttp2,
  oddHttp2Frames,
  noise,
];

async function main(): Promise<number> {
  const { values } = scriptOptions(import.meta.filename, {
    options: { kubeconfig: { type: 'string' }, seed: { type: 'string' }, connections: { type: 'string' }, 'at-once': { type: 'string' } },
  });
  const [seed, connections, atOnce] = [values.seed ?? '1', values.connections ?? '20000', values['at-once'] ?? '50'].map(Number) as [
    number,
    number,
    number,
  ];
  if (values.kubeconfig === undefined || ![seed, connections, atOnce].every((value) => Number.isSafeInteger(value) && value >= 0) || atOnce === 0) {
    process.stderr.write('fuzz-wire: expected --kubeconfig FILE, and whole numbers for --seed, --connections and --at-once\n');
    return 2;
  }
  const config = parse(readFileSync(values.kubeconfig, 'utf8')) as Kubeconfig;
  const target = { port: Number(new URL(config.clusters[0]?.cluster.server ?? '').port), token: config.users[0]?.user.token ?? '' };
  const random = new Random(seed).stream('wire');
  const before = new Set(await held(target));
  const started = performance.now();
  const faults: string[] = [];
  let slowest = 0;
  for (let made = 0, told = 0; made < connections && faults.length === 0; ) {
    const round = Math.min(atOnce, connections - made);
    await Promise.all(Array.from({ length: round }, () => (ways[random.integer(ways.length)] as (typeof ways)[number])(random, target)));
    made += round;
    if (made - told < 1_000 && made < connections) continue;
    told = made;
    const { code, ms } = await get(target, '/readyz');
    slowest = Math.max(slowest, ms);
    if (code !== 200) faults.push(`/readyz answers ${code} after ${made} connections`);
    const now = await held(target);
    const differing = [...now.filter((line) => !before.has(line)), ...[...before].filter((line) => !now.includes(line))];
    if (differing.length > 0) faults.push(`after ${made} connections: ${differing.join(', ')}`);
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write(`seed=${seed} connections=${connections} seconds=${seconds} readyzMs=${Math.round(slowest)} failed=${faults.length}\n`);
  return faults.length === 0 ? 0 : 1;
}

process.exitCode = await main();
