/**
 * `flood-command.ts --kubeconfig FILE --pod NAMESPACE/NAME [--process N] [--seconds N] [--connections N] [--only TEXT]`: each flood against a server
 * that runs, with a light client beside it that asks for a pod every tenth of a second. Prints per flood how often it was answered, how late, and
 * how large the process of `--process` became (Linux). Exit codes: 0 all well, 1 the light client was not answered within ten seconds, 2 bad options.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import { scriptOptions } from '../../build/script-options.ts';
import { type FloodTarget, floods } from './floods.ts';

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

const limitMs = 10_000;

/** How long an answer takes; undefined where there is none. */
function ask({ port, token, pod }: FloodTarget, agent: Agent): Promise<number | undefined> {
  const started = performance.now();
  const path = `/api/v1/namespaces/${pod.replace('/', '/pods/')}`;
  return new Promise((resolve) => {
    const sent = request(
      { host: '127.0.0.1', port, path, agent, headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode === 200 ? performance.now() - started : undefined));
      },
    );
    sent.on('error', () => resolve(undefined));
    sent.setTimeout(limitMs, () => sent.destroy());
    sent.end();
  });
}

function megabytes(pid: string | undefined): number {
  if (pid === undefined) return 0;
  const line = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function main(): Promise<number> {
  const { values } = scriptOptions(import.meta.filename, {
    options: {
      kubeconfig: { type: 'string' },
      pod: { type: 'string' },
      process: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const [seconds, connections] = [Number(values.seconds ?? '10'), Number(values.connections ?? '4')] as const;
  if (values.kubeconfig === undefined || values.pod === undefined || ![seconds, connections].every((value) => value > 0)) {
    process.stderr.write('flood: expected --kubeconfig FILE, --pod NAMESPACE/NAME, and numbers for --seconds and --connections\n');
    return 2;
  }
  const config = parse(readFileSync(values.kubeconfig, 'utf8')) as Kubeconfig;
  const port = Number(new URL(config.clusters[0]?.cluster.server ?? '').port);
  const target: FloodTarget = { port, token: config.users[0]?.user.token ?? '', pod: values.pod };
  let unanswered = 0;
  for (const [name, flood] of Object.entries(floods)) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const [before, end] = [megabytes(values.process), performance.now() + seconds * 1_000];
    const stop = new AbortController();
    const running = Promise.all(Array.from({ length: connections }, () => flood(target, stop.signal)));
    const agent = new Agent({ keepAlive: true });
    const times: number[] = [];
    let [missed, largest] = [0, before];
    while (performance.now() < end) {
      const ms = await ask(target, agent);
      if (ms === undefined) missed += 1;
      else times.push(ms);
      largest = Math.max(largest, megabytes(values.process));
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    stop.abort();
    await running;
    agent.destroy();
    times.sort((a, b) => a - b);
    const late = [0.5, 0.99, 1].map((part) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? -1));
    process.stdout.write(
      `${name}: answered=${times.length} missed=${missed} ms=${late.join('/')} MB=${before}/${largest}/${megabytes(values.process)}\n`,
    );
    unanswered += missed;
  }
  return unanswered === 0 ? 0 : 1;
}

process.exitCode = await main();
