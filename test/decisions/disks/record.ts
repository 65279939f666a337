/**
 * `PEERS=FOLDER node build/with-node.mjs test/decisions/disks/record.ts KUBECONFIG` puts the cases before a real kube-scheduler 1.13.12 and
 * writes `facts.json`. KUBECONFIG is that of `OLD_KCM=none OLD_FLAGS=--disable-admission-plugins=ServiceAccount old-apiserver.sh up PORT`;
 * the scheduler is started for each set of gates from FOLDER/bin/old.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { type DiskCase, diskCases, type DiskFact } from './cases.ts';
import { type Made, objectsOf } from './objects.ts';

const [kubeconfig = ''] = process.argv.slice(2);
const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
};
const server = clusters[0]?.cluster.server ?? '';
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const inDefault = '/api/v1/namespaces/default';
const places: Readonly<Record<string, string>> = {
  Node: '/api/v1/nodes',
  PersistentVolume: '/api/v1/persistentvolumes',
  PersistentVolumeClaim: `${inDefault}/persistentvolumeclaims`,
  StorageClass: '/apis/storage.k8s.io/v1/storageclasses',
  Pod: `${inDefault}/pods`,
};

function ask<T>(method: string, path: string, body?: unknown, type = 'application/json'): Promise<T> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = { authorization: `Bearer ${users[0]?.user.token ?? ''}`, 'content-type': type, 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const call = request(server + path, { method, agent, headers }, (response) => {
      let answer = '';
      response.on('data', (piece: Buffer) => (answer += piece.toString()));
      response.on('end', () =>
        (response.statusCode ?? 0) >= 400 && method === 'POST' ? reject(new Error(answer)) : resolve(JSON.parse(answer) as T),
      );
    });
    call.on('error', reject);
    call.end(text);
  });
}

async function make(object: Made): Promise<{ readonly metadata: { readonly uid: string } }> {
  return ask('POST', places[object.kind] ?? '', object);
}

async function clear(): Promise<void> {
  for (const place of [
    `${places['Pod']}?gracePeriodSeconds=0`,
    places['PersistentVolumeClaim'],
    places['PersistentVolume'],
    places['Node'],
    places['StorageClass'],
  ]) {
    const { items = [] } = await ask<{ readonly items?: readonly { readonly metadata: { readonly name: string; readonly finalizers?: object } }[] }>(
      'GET',
      (place ?? '').split('?')[0] ?? '',
    );
    for (const { metadata } of items)
      if (metadata.finalizers !== undefined)
        await ask('PATCH', `${place?.split('?')[0]}/${metadata.name}`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await ask('DELETE', place ?? '');
  }
  await sleep(700);
}

async function play(one: DiskCase): Promise<DiskFact> {
  const { nodes, classes, volumes, claims, placed, pod } = objectsOf(one);
  for (const node of nodes) {
    await make(node);
    await ask('PATCH', `${places['Node']}/${node.metadata.name}`, { spec: { taints: null } }, 'application/merge-patch+json');
  }
  for (const object of classes) await make(object);
  for (const claim of claims) {
    const { metadata } = await make(claim);
    const of = volumes.find(({ metadata: { name } }) => name === `pv-${claim.metadata.name}`);
    if (of === undefined) continue;
    const spec = of['spec'] as { readonly claimRef: object };
    await make({ ...of, spec: { ...spec, claimRef: { ...spec.claimRef, uid: metadata.uid } } });
  }
  for (const object of placed) await make(object);
  await sleep(800);
  await make(pod);
  for (let tries = 0; tries < 50; tries++) {
    await sleep(200);
    const { spec, status } = await ask<{
      readonly spec: { readonly nodeName?: string };
      readonly status: { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] };
    }>('GET', `${places['Pod']}/p`);
    const message = status.conditions?.find(({ type }) => type === 'PodScheduled')?.message;
    if (spec.nodeName !== undefined) return { name: one.name, node: spec.nodeName };
    if (message !== undefined) return { name: one.name, message };
  }
  return { name: one.name };
}

const facts = new Map<string, DiskFact>();
for (const gates of new Set(diskCases.map((one) => one.gates ?? ''))) {
  const options = [
    '--kubeconfig',
    kubeconfig,
    '--leader-elect=false',
    '--port=0',
    '--secure-port=0',
    ...(gates === '' ? [] : [`--feature-gates=${gates}`]),
  ];
  const scheduler = spawn(`${process.env['PEERS'] ?? ''}/bin/old/kube-scheduler`, options, { stdio: 'ignore' });
  await sleep(3000);
  for (const one of diskCases.filter((other) => (other.gates ?? '') === gates)) {
    await clear();
    facts.set(one.name, await play(one));
  }
  scheduler.kill();
}
await clear();
const lines = diskCases.map(({ name }) => `  ${JSON.stringify(facts.get(name))}`);
writeFileSync(new URL('facts.json', import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
process.exit(0);
