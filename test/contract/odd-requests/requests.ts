/** Requests at the edge of what paths and queries mean, and what a server says to them: its code, and its Status or text without what belongs to a run. */
export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
  readonly accept?: string;
  /** The answer's object is compared too, not only a refusal. */
  readonly whole?: true;
}

export interface OddAnswer {
  readonly status: number;
  readonly said: string;
}

/** Objects that are there before: path of the collection and body. */
export const setUp: readonly (readonly [path: string, body: object])[] = [
  ['/api/v1/namespaces', { metadata: { name: 'odd' } }],
  ['/api/v1/namespaces/odd/configmaps', { metadata: { name: 'c', labels: { a: 'b' } }, data: { x: 'y' } }],
  ['/api/v1/namespaces/odd/services', { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 80 }], selector: { a: 'b' } } }],
  ['/api/v1/namespaces/odd/services', { metadata: { name: 'h' }, spec: { clusterIP: 'None', selector: { a: 'b' } } }],
  ['/apis/batch/v1/namespaces/odd/jobs', { metadata: { name: 'j' }, spec: { parallelism: 0, template: pods('Never') } }],
  [
    '/apis/apps/v1/namespaces/odd/deployments',
    {
      metadata: { name: 'd' },
      spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, ...pods('Always') } },
    },
  ],
];

function pods(restartPolicy: string): object {
  return { spec: { restartPolicy, containers: [{ name: 'c', image: 'busybox' }] } };
}

const configMaps = '/api/v1/namespaces/odd/configmaps';
const get = (path: string): OddRequest => ({ method: 'GET', path });

/** Of every release. */
export const everywhere: readonly OddRequest[] = [
  ...['limit', 'timeoutSeconds'].map((name) => get(`${configMaps}?${name}=`)),
  { method: 'DELETE', path: `${configMaps}/c?gracePeriodSeconds=` },
  { method: 'DELETE', path: `${configMaps}?labelSelector=no&limit=` },
  get('/api/v1/watch'),
  get('/apis/apps/v1/watch?a=b'),
  get('/api/v1/watch/namespaces/odd/configmaps/c/status'),
  get('/api/v1/watch/namespaces/odd/pods/p/x/y'),
  get('/api/v1/watch/namespaces/odd/bindings'),
  get('/api/v1/watch/componentstatuses'),
  get('/apis/apps/v1/watch/deployments/d'),
  get('/api/v1/watch/pods/p'),
  { method: 'POST', path: '/api/v1/watch/namespaces/odd/configmaps', body: {} },
  get('/api/v1/proxy/nodes/n'),
  ...['GET', 'PUT', 'DELETE'].map((method) => ({ method, path: '/apis/authorization.k8s.io/v1/subjectaccessreviews/x' })),
  get('/apis/authorization.k8s.io/v1/subjectaccessreviews'),
  get('/api/v1/namespaces/odd/bindings/x'),
  get('/api/v1/namespaces/odd/bindings'),
  { method: 'PATCH', path: `${configMaps}/c?dryRun=Some`, body: {}, contentType: 'application/merge-patch+json' },
  { method: 'PUT', path: `${configMaps}/c?dryRun=Some`, body: { metadata: { name: 'c' } } },
];

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1beta1';
const exported = ['/api/v1/namespaces/odd', `${configMaps}/c`, '/api/v1/namespaces/odd/services/s', '/api/v1/namespaces/odd/services/h'];
const controlled = ['/apis/apps/v1/namespaces/odd/deployments/d'];

/** Of release 1.13 alone. */
export const before: readonly OddRequest[] = [
  { method: 'PUT', path: `${configMaps}/nobody?timeout=soon`, body: { metadata: { name: 'nobody' } } },
  { ...get('/apis/apps/v1/namespaces/odd/deployments/d/status'), accept: table },
  get(`${configMaps}?resourceVersion=99999999&timeoutSeconds=1`),
  get('/apis/events.k8s.io/v1beta1/namespaces/odd/events?fieldSelector=reason%3DX'),
  ...[...exported, ...controlled].flatMap((path) => [
    { ...get(`${path}?export=true`), whole: true as const },
    { ...get(`${path}?export=true&exact=true`), whole: true as const },
  ]),
];

/** Without addresses, ports, uids and revisions. */
export function said(text: string, isWhole: boolean): string {
  if (!text.startsWith('{')) return text;
  const { kind, ...rest } = JSON.parse(text) as { readonly kind?: string };
  if (kind !== 'Status' && !isWhole) return kind ?? '';
  return JSON.stringify(sorted({ kind, ...rest }))
    .replace(/current: \d+/, 'current: N')
    .replace(/"clusterIPs?":("10[^"]*"|\["10[^"]*"\])/g, '"clusterIP":"*"')
    .replace(/"nodePort":3\d+/g, '"nodePort":"*"');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
