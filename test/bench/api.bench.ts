/** What a request costs in process and as HTTP text, with 5,000 pods: one JSON line per measure. Run: node test/bench/api.bench.ts */
import { createSchemaRegistry } from '../../engine/api/schemas.ts';
import { createDefaultCodec } from '../../engine/apiserver/default-codec.ts';
import { HttpApi } from '../../engine/apiserver/http.ts';
import { ApiServer } from '../../engine/apiserver/pipeline.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import type { ApiRequest } from '../../engine/contracts/request.ts';
import { Random } from '../../engine/base/random.ts';
import { kinds } from '../../engine/kinds/index.gen.ts';
import { createMachinery } from '../../engine/registry/default-machinery.ts';
import { stampRevision } from '../../engine/registry/meta.ts';
import { createResourceRegistry } from '../../engine/registry/resource-registry.ts';
import { enterNow, serveNow } from '../../engine/registry/testing/serve-now.ts';
import { createStore } from '../../engine/store/memory-store.ts';
import { ByteWriter } from '../../engine/base/byte-writer.ts';
import { gather, writeBytes } from '../../engine/serving/gather.ts';
import { featureEnabled } from '../support/default-gates.ts';

const podsMax = 5000;
const rounds = 3;
const schemas = createSchemaRegistry(kinds.flatMap((kind) => [...(kind.schemas ?? []), ...(typeof kind.schema === 'string' ? [] : [kind.schema])]));
const registry = createResourceRegistry({
  store: createStore<KubeObject>({ stamp: stampRevision }),
  schemas,
  kinds,
  machinery: createMachinery(schemas),
  clock: { nowMs: () => 1_767_225_600_000 },
  random: new Random(1),
  featureEnabled,
});
const server = new ApiServer({ registry });
const http = new HttpApi({ server, codec: createDefaultCodec(schemas), schemas });

const identity = { name: 'system:serviceaccount:kube-system:replicaset-controller', groups: [] };
const resources = { requests: { cpu: '100m', memory: '64Mi' } };
const spec = {
  containers: [{ name: 'c', image: 'nginx:1.25', ports: [{ containerPort: 80, protocol: 'TCP' }], resources }],
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};
const labels = { app: 'web', 'pod-template-hash': 'abcdef' };
const ownerReferences = [
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'web-abcdef',
    uid: 'a81bc81b-dead-4e5d-abff-90865d1e13b1',
    controller: true,
    blockOwnerDeletion: true,
  },
];
const metadata = { generateName: 'web-abcdef-', namespace: 'default', labels, ownerReferences };
const running = {
  containerStatuses: [
    {
      name: 'c',
      ready: true,
      restartCount: 0,
      image: 'nginx',
      imageID: '',
      state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      lastState: {},
      started: true,
    },
  ],
};

function send(request: Partial<ApiRequest> & Pick<ApiRequest, 'verb'>): KubeObject {
  const base = {
    group: '',
    version: 'v1',
    resource: 'pods',
    namespace: 'default',
    identity,
    userAgent: 'kube-controller-manager/v1.36',
    causes: ['rev:1'],
    trusted: true,
  };
  return serveNow(registry, (attempt) => server.attempt({ ...base, ...request }, attempt)).object as KubeObject;
}

function measure(name: string, times: number, run: (index: number) => void): void {
  const start = performance.now();
  for (let index = 0; index < times; index++) run(index);
  const totalMs = performance.now() - start;
  console.log(
    JSON.stringify({ bench: `api/${name}`, times, totalMs: Number(totalMs.toFixed(2)), perRunUs: Number(((totalMs * 1000) / times).toFixed(2)) }),
  );
}

function listBytes(accept: string): number {
  const request = { method: 'GET', path: '/api/v1/pods', query: '', headers: { accept }, body: new Uint8Array(), identity };
  const response = http.handle(request, enterNow(registry));
  if (!('body' in response)) throw new Error('no list');
  if (typeof response.body === 'string' || response.body instanceof Uint8Array) return response.body.length;
  let length = 0;
  for (const chunk of response.body) length += chunk.length;
  return length;
}

/**
 * What a list costs in processor time, which other work on the machine leaves alone more than wall time, and the longest that it
 * keeps the thread between two steps. The first pieces, and the look into the store, are made with the answer itself.
 */
function measureSlices(form: string, accept: string): void {
  const toMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
  const begin = process.cpuUsage();
  // Others wait for this thread alone.
  let last = process.threadCpuUsage();
  let longest = 0;
  let chunks = 0;
  let bytes = 0;
  const request = { method: 'GET', path: '/api/v1/pods', query: '', headers: { accept }, body: new Uint8Array(), identity };
  const response = http.handle(request, enterNow(registry));
  if (!('body' in response) || typeof response.body === 'string' || response.body instanceof Uint8Array) throw new Error('no long list');
  const pieces = response.body[Symbol.iterator]();
  const writer = new ByteWriter(2 * writeBytes);
  for (let isOver = false; !isOver; chunks++) {
    if (chunks > 0) longest = Math.max(longest, toMs(process.threadCpuUsage(last)));
    last = process.threadCpuUsage();
    isOver = gather(pieces, writer);
    if (!isOver && writer.length < writeBytes) continue;
    const taken = writer.take();
    bytes += taken.length;
    // As when it has been sent.
    writer.giveBack(taken);
  }
  const round = (ms: number): number => Number(ms.toFixed(1));
  console.log(
    JSON.stringify({
      bench: `api/slices-${form}`,
      mb: round(bytes / 1e6),
      chunks,
      cpuMs: round(toMs(process.cpuUsage(begin))),
      longestSliceMs: round(longest),
    }),
  );
}

const forms = {
  json: 'application/json',
  pretty: 'application/json;pretty=1',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  partial: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
} as const;

let seen = 0;
for (let index = 0; index < 10; index++)
  registry.watch(registry.table.find('', 'v1', 'pods') as never, '', { resourceVersion: '1' }, () => void seen++);

for (let round = 0; round < rounds; round++) {
  const names: string[] = [];
  measure('create-pod', podsMax, () => {
    names.push(send({ verb: 'create', body: { kind: 'Pod', apiVersion: 'v1', metadata, spec } as KubeObject }).metadata.name ?? '');
  });
  measure('bind-pod', podsMax, (index) => {
    const name = names[index] as string;
    send({
      verb: 'create',
      subresource: 'binding',
      name,
      body: { kind: 'Binding', apiVersion: 'v1', metadata: { name }, target: { kind: 'Node', name: 'n1' } },
    });
  });
  measure('update-pod-status', podsMax, (index) => {
    const pod = send({ verb: 'get', name: names[index] as string }) as KubeObject & { readonly status: object };
    const status = {
      ...pod.status,
      phase: 'Running',
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }],
      startTime: '2026-01-01T00:00:00Z',
      ...running,
    };
    send({ verb: 'update', subresource: 'status', name: names[index] as string, body: { ...pod, status } as KubeObject });
  });
  measure('list-5000-json-cold', 1, () => void listBytes('application/json'));
  measure('list-5000-json-warm', 5, () => void listBytes('application/json'));
  measure('list-5000-protobuf-cold', 1, () => void listBytes('application/vnd.kubernetes.protobuf'));
  for (const [form, accept] of Object.entries(forms)) measureSlices(form, accept);
  measure('list-5000-in-process', 5, () => void send({ verb: 'list' }));
  measure('delete-pod', podsMax, (index) => void send({ verb: 'delete', name: names[index] as string, delete: { gracePeriodSeconds: 0 } }));
}
if (seen === 0) throw new Error('watchers saw nothing');
