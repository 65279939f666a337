/**
 * `node build/with-node.mjs test/decisions/groups/record.ts KUBECONFIG COUNT` puts drawn groups before a real control plane (API server and
 * scheduler with the gates GenericWorkload and GangScheduling, `--runtime-config=scheduling.k8s.io/v1alpha2=true`, no controllers) and
 * keeps in `facts.json` what became of each at first: it tries a group that does not fit again and again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { Pod } from '../../../engine/api/core/v1/types.gen.ts';
import type { PodGroup } from '../../../engine/api/scheduling/v1alpha2/types.gen.ts';
import { drawGroup, type GroupFact, told } from './draw.ts';

const [kubeconfig = '', count = '40'] = process.argv.slice(2);
const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority': string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
};
const { server = '', 'certificate-authority': authority = '' } = clusters[0]?.cluster ?? {};
const agent = new Agent({ keepAlive: true, ca: readFileSync(authority) });
const inDefault = '/api/v1/namespaces/default/pods';
const groups = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups';
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The first that was said of each, by name. */
const first = new Map<string, string>();
let condition: GroupFact['condition'];

function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { authorization: `Bearer ${users[0]?.user.token ?? ''}`, 'content-type': type, 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const call = request(server + path, { method, agent, headers }, (response) => {
      let answer = '';
      response.on('data', (piece: Buffer) => (answer += piece.toString()));
      response.on('end', () => resolve(JSON.parse(answer)));
    });
    call.on('error', reject);
    call.end(text);
  });
}

function watch(path: string, heard: (object: never) => void): void {
  let rest = '';
  const headers = { authorization: `Bearer ${users[0]?.user.token ?? ''}` };
  request(`${server}${path}?watch=1`, { agent, headers }, (response) => {
    response.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) heard((JSON.parse(line) as { readonly object: never }).object);
    });
  }).end();
}

function hearPod({ metadata, spec, status }: Pod): void {
  const name = metadata.name ?? '';
  const failed = status?.conditions?.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False');
  if (!first.has(name) && (spec?.nodeName !== undefined || failed !== undefined))
    first.set(name, told(spec?.nodeName, status?.nominatedNodeName, failed?.message));
}

function hearGroup({ status }: PodGroup): void {
  const said = status?.conditions?.find(({ type }) => type === 'PodGroupScheduled');
  if (said !== undefined) condition ??= [said.status, said.reason, said.message];
}

async function clear(group: string): Promise<void> {
  await ask('DELETE', `${inDefault}?gracePeriodSeconds=0`);
  await ask('PATCH', `${groups}/${group}`, { metadata: { finalizers: null } });
  await ask('DELETE', groups);
  await ask('DELETE', '/api/v1/nodes');
  await sleep(500);
}

async function play(seed: number): Promise<GroupFact> {
  const { nodes, others, policy, members } = drawGroup(seed);
  // The scheduler may go on counting pods of a group that went while it tried them.
  const group = `g${seed}`;
  for (const { name, cpu } of nodes) {
    const amounts = { cpu, memory: '16Gi', pods: '110' };
    const labels = { 'kubernetes.io/hostname': name };
    await ask('POST', '/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels },
      status: { allocatable: amounts, capacity: amounts },
    });
    await ask('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: null } });
  }
  const pod = (name: string, cpu: string, spec: object): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu, memory: '128Mi' } } }], ...spec },
  });
  for (const { name, cpu, node } of others) await ask('POST', inDefault, pod(name, cpu, { nodeName: node }));
  const names = Array.from({ length: members.count }, (_, i) => `m${i}`);
  const priorityClass = members.priority === 0 ? {} : { priorityClassName: 'high' };
  for (const name of names) await ask('POST', inDefault, pod(name, members.cpu, { ...priorityClass, schedulingGroup: { podGroupName: group } }));
  await sleep(500);
  first.clear();
  condition = undefined;
  await ask('POST', groups, {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: group },
    spec: { schedulingPolicy: policy },
  });
  await sleep(1000);
  await clear(group);
  return {
    seed,
    members: names.map((name) => first.get(name) ?? told(undefined, undefined, undefined)).sort(),
    ...(condition === undefined ? {} : { condition }),
  };
}

await ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'high' },
  value: 1000,
});
await clear('g');
watch(inDefault, hearPod);
watch(groups, hearGroup);
const facts: GroupFact[] = [];
for (let seed = 1; seed <= Number(count); seed++) facts.push(await play(seed));
writeFileSync(new URL('facts.json', import.meta.url), `[\n${facts.map((fact) => `  ${JSON.stringify(fact)}`).join(',\n')}\n]\n`);
process.exit(0);
