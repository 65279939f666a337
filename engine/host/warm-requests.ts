/** What a process is warmed up with: the requests that users begin with, with objects as they write them. */
import type { WarmRequest } from './warm-client.ts';

const namespace = '/api/v1/namespaces/default';
const json = 'application/json';
/** As kubectl asks when it lists, and the page. */
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';
const pods = `${namespace}/pods`;
const configMaps = `${namespace}/configmaps`;
/** Creates of ConfigMaps in a round: most of what every write does is in them. */
const configMapsARound = 4;

/**
 * Rounds of each throw-away cluster, one after the other; about 6,300 requests, four seconds of processor time that nobody else in the
 * process wants. More than one cluster: code that has seen one only is compiled for the very functions of that one, and thrown away by
 * the first request to another, which is the user's. The first two are short, so that somebody who comes early has this behind him;
 * the third is long, because creates go on becoming quicker until some thousands have been made.
 */
export const roundsByCluster: readonly number[] = [100, 100, 400];

/** Open all along, so that every write is delivered. */
export const watches = [configMaps, pods].flatMap((path) => Array.from({ length: 4 }, () => `${path}?watch=1`));

/** In rounds and not one after the other, so that what is compiled knows objects of several kinds from the start. */
export function requestsOf(round: number): readonly WarmRequest[] {
  const pod = `${pods}/warm-${round}`;
  return [
    ...Array.from(
      { length: configMapsARound },
      (_, index): WarmRequest => ({
        method: 'POST',
        path: configMaps,
        contentType: json,
        body: configMap(`warm-${round}-${index}`),
      }),
    ),
    { method: 'POST', path: pods, contentType: json, body: podNamed(`warm-${round}`) },
    { method: 'GET', path: pod },
    { method: 'PATCH', path: pod, contentType: 'application/merge-patch+json', body: '{"metadata":{"annotations":{"warm":"yes"}}}' },
    {
      method: 'PATCH',
      path: `${pod}?fieldManager=warm-up&force=true`,
      contentType: 'application/apply-patch+yaml',
      body: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"warm-${round}","labels":{"applied":"yes"}}}`,
    },
    ...(round % 10 === 0
      ? [
          { method: 'GET', path: `${configMaps}?limit=500` },
          { method: 'GET', path: `${pods}?limit=100`, accept: table },
          { method: 'GET', path: `/api/v1/pods?limit=40&managedFields=false`, accept: table },
        ]
      : []),
    ...(others[round % others.length]?.(`warm-${round}`) ?? []),
    { method: 'DELETE', path: `${pod}?gracePeriodSeconds=0` },
  ];
}

/** A few of the other kinds: code that has seen two of them only would be thrown away by the first request about a third. */
const others: readonly ((name: string) => readonly WarmRequest[])[] = [
  (name) => [created('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })],
  (name) => [
    created(`${namespace}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', stringData: { key: 'value' } }),
    { method: 'GET', path: `${namespace}/serviceaccounts/default` },
  ],
  (name) => [
    created(`${namespace}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
    }),
    { method: 'GET', path: '/api/v1' },
  ],
  (name) => [
    created('/apis/apps/v1/namespaces/default/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] } },
      },
    }),
    { method: 'GET', path: '/apis/apps/v1/namespaces/default/deployments' },
  ],
];

function created(path: string, object: object): WarmRequest {
  return { method: 'POST', path, contentType: json, body: JSON.stringify(object) };
}

function configMap(name: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { key: 'value' } });
}

function podNamed(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'warm' } },
    spec: {
      // Nobody starts it: kubelets have warmed themselves up by then.
      schedulerName: 'none',
      containers: [
        {
          name: 'main',
          image: 'nginx:1.27',
          ports: [{ containerPort: 80 }],
          env: [{ name: 'WARM', value: 'yes' }],
          resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '128Mi' } },
        },
      ],
    },
  });
}
