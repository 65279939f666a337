/** What a server of 1.13 counts, under the names and with the labels of a real 1.13.12. */
import { beforeAll, expect, it } from 'vitest';
import type { Identity } from '../../../engine/contracts/request.ts';
import type { HttpPlainResponse, HttpStreamResponse } from '../../../engine/apiserver/http-types.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';

const identity: Identity = { name: 'admin', groups: ['system:masters'] };
const wall = { nowMs: 0 };
let tank: TestCluster;
beforeAll(async () => {
  tank = await aCluster({ nodes: 0, release: '1.13', options: { controllers: '-*' } }, { wallMs: () => wall.nowMs });
});

function send(method: string, path: string, agent: string, body?: object, accept = 'application/json'): HttpPlainResponse {
  const [route = '', query = ''] = path.split('?', 2);
  const headers = { accept, 'user-agent': agent, 'content-type': 'application/json' };
  const sent = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  return tank.door.serveAtOnce({ method, path: route, query, headers, body: sent, identity }) as HttpPlainResponse;
}

const maps = '/api/v1/namespaces/default/configmaps';
const page = (): string[] => {
  const { headers, body } = send('GET', '/metrics', '');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4');
  return String(body).split('\n');
};
const told = (lines: readonly string[], name: string): string[] => lines.filter((line) => line.startsWith(name));

it('tells requests by who asks and of what type the answer is, and their times in microseconds', () => {
  send('POST', maps, 'kubectl/v1.13.12', { metadata: { name: 'a' } });
  send('GET', `${maps}/a`, 'C:\\bin\\kubectl.exe/v1.13.12', undefined, 'application/yaml');
  send('GET', `${maps}/b`, 'Mozilla/5.0 (X11)');
  send('GET', '/apis/extensions/v1beta1/deployments', '');
  send('GET', '/apis/apps/v1/deployments', '');
  send('DELETE', maps, 'kubectl/v1.13.12');
  const lines = page();
  const of = (client: string, code: number, type: string, resource: string, scope: string, verb: string, count: number): string =>
    `apiserver_request_count{client="${client}",code="${code}",contentType="${type}",resource="${resource}",scope="${scope}",subresource="",verb="${verb}"} ${count}`;
  expect(told(lines, 'apiserver_request_count{')).toEqual([
    of('Browser', 404, 'application/json', 'configmaps', 'namespace', 'GET', 1),
    of('kubectl.exe/v1.13.12', 200, 'application/yaml', 'configmaps', 'namespace', 'GET', 1),
    of('kubectl/v1.13.12', 200, 'application/json', 'configmaps', 'namespace', 'DELETECOLLECTION', 1),
    of('kubectl/v1.13.12', 201, 'application/json', 'configmaps', 'namespace', 'POST', 1),
    of('unknown', 200, 'application/json', 'deployments', 'cluster', 'LIST', 2),
  ]);
  const ofLists = 'resource="deployments",scope="cluster",subresource="",verb="LIST"';
  expect(told(lines, `apiserver_request_latencies_bucket{${ofLists}`)).toHaveLength(8);
  expect(lines).toContain(`apiserver_request_latencies_bucket{${ofLists},le="8e+06"} 2`);
  expect(lines).toContain(`apiserver_request_latencies_count{${ofLists}} 2`);
  expect(lines).toContain(`apiserver_response_sizes_count{${ofLists}} 2`);
  const ofStep = 'operation="CREATE",rejected="false",type="validate"';
  expect(told(lines, `apiserver_admission_step_admission_latencies_seconds_bucket{${ofStep},le="976562.5"} `)).toHaveLength(1);
  expect(told(lines, `apiserver_admission_controller_admission_latencies_seconds_count{name="ResourceQuota",${ofStep}} `)).toHaveLength(1);
});

it('tells watches that are open, of all namespaces of a kind together', () => {
  const watches = [maps, '/api/v1/configmaps'].map((path) => send('GET', `${path}?watch=1`, '') as unknown as HttpStreamResponse);
  const closes = watches.map((watch) => watch.open({ write: () => undefined, end: () => undefined } as never));
  const count = (open: number, watchers: number): string[] => [
    'apiserver_longrunning_gauge{resource="configmaps",scope="cluster",subresource="",verb="WATCH"} 1',
    `apiserver_longrunning_gauge{resource="configmaps",scope="namespace",subresource="",verb="WATCH"} ${open}`,
    `apiserver_registered_watchers{group="",kind="ConfigMap",version="v1"} ${watchers}`,
  ];
  expect(page()).toEqual(expect.arrayContaining(count(1, 2)));
  closes[0]?.();
  expect(page()).toEqual(expect.arrayContaining(count(0, 1)));
});

/** Families of a real 1.13.12 that have a counterpart here, without a listener. */
const real: readonly string[] = [
  'apiserver_admission_controller_admission_latencies_seconds',
  'apiserver_admission_step_admission_latencies_seconds',
  'apiserver_audit_event_total',
  'apiserver_audit_requests_rejected_total',
  'apiserver_current_inflight_requests',
  'apiserver_longrunning_gauge',
  'apiserver_registered_watchers',
  'apiserver_request_count',
  'apiserver_request_latencies',
  'apiserver_response_sizes',
  'etcd_object_counts',
  'kubernetes_build_info',
];

it('has no family that its server had not', () => {
  const lines = page();
  const families = told(lines, '# TYPE ').map((line) => line.split(' ')[2] ?? '');
  expect(families.filter((name) => !name.startsWith('process_') && name !== 'apiserver_dropped_requests')).toEqual(real);
  expect(told(lines, '# HELP ').filter((line) => /\[[A-Z]+\]/.test(line))).toEqual([]);
  expect(lines).toContain('apiserver_current_inflight_requests{requestKind="mutating"} 0');
  expect(told(lines, 'kubernetes_build_info{')[0]).toContain('gitVersion="v1.13.12+wavetank"');
  expect(told(lines, 'etcd_object_counts{')).toContain('etcd_object_counts{resource="limitranges"} 0');
});
