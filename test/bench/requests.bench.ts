/**
 * What one request costs in process, through the door of a whole cluster and without sockets: processor time of the first requests of a
 * process, when most code is cold, and of later ones. The bodies are those of the peers' `apiload`.
 * Run: npm run bench -- requests [requests]
 */
import type { HttpRequest } from '../../engine/apiserver/http-types.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import { aCluster } from '../support/cluster.ts';
import { print } from './spawned.ts';

const [requests = 3000] = process.argv.slice(2).map(Number);
const namespace = '/api/v1/namespaces/default';
const encoder = new TextEncoder();
// As long as a real certificate: the digest looks for its lines.
const lines = Array.from({ length: 10 }, (_, line) => String.fromCharCode(65 + line).repeat(64));
const rootCaPem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
const { door } = await aCluster({ nodes: 3 }, { rootCaPem });

function send(method: string, path: string, body: string, contentType: string): void {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = { accept: 'application/json', 'user-agent': 'Go-http-client/1.1', 'content-type': contentType, authorization: 'Bearer x' };
  const request: HttpRequest = { method, path: route, query, headers, body: encoder.encode(body), identity: adminIdentity };
  const response = door.serveAtOnce(request);
  if (!('body' in response) || response.status >= 300) throw new Error(`${method} ${path} failed`);
  const { body: answered } = response;
  if (typeof answered !== 'string' && !(answered instanceof Uint8Array)) for (const _ of answered);
}

const configMap = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1', b: '2' } });
const pod = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'load', tier: 'web', batch: 'b1' } },
    spec: {
      schedulerName: 'none',
      containers: [
        {
          name: 'c',
          image: 'nginx:1.27',
          ports: [{ containerPort: 80 }],
          env: [
            { name: 'A', value: 'one' },
            { name: 'B', value: 'two' },
          ],
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } },
        },
      ],
    },
  });
const json = 'application/json';
const acts: readonly (readonly [string, (index: number) => void])[] = [
  ['create-configmap', (index) => send('POST', `${namespace}/configmaps`, configMap(`c-${index}`), json)],
  ['create-pod', (index) => send('POST', `${namespace}/pods`, pod(`p-${index}`), json)],
  ['get-pod', (index) => send('GET', `${namespace}/pods/p-${index}`, '', '')],
  [
    'merge-patch-pod',
    (index) => send('PATCH', `${namespace}/pods/p-${index}`, `{"metadata":{"labels":{"round":"r${index}"}}}`, 'application/merge-patch+json'),
  ],
  [
    'apply-pod-label',
    (index) =>
      send(
        'PATCH',
        `${namespace}/pods/p-${index}?fieldManager=loader&force=true`,
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-${index}","labels":{"applied":"yes"}}}`,
        'application/apply-patch+yaml',
      ),
  ],
  ['delete-pod', (index) => send('DELETE', `${namespace}/pods/p-${index}?gracePeriodSeconds=0`, '', '')],
];

for (const round of ['cold', 'warm'] as const)
  for (const [name, act] of acts) {
    const from = round === 'cold' ? 0 : requests;
    const before = process.cpuUsage();
    for (let index = from; index < from + requests; index++) act(index);
    const { user, system } = process.cpuUsage(before);
    print(`requests/${name}`, { round, requests, cpuUsEach: Math.round((user + system) / requests) });
  }
