/** Names, types and labels of metrics beside those of a real 1.36.3 (`facts.json`, by `record.ts`), and that they count what happens. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import { aCluster, type TestCluster } from '../../support/cluster.ts';
import { sender } from '../webhooks/inside.ts';
import { familiesOf, type Family } from './read.ts';

const facts = JSON.parse(readFileSync(new URL('facts.json', import.meta.url), 'utf8')) as Readonly<Record<string, Family>>;
const configMaps = '/api/v1/namespaces/default/configmaps';
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function page(tank: TestCluster, path = '/metrics'): Promise<string> {
  const response = await tank.door.serve({ method: 'GET', path, query: '', headers: {}, body: new Uint8Array(), identity: adminIdentity });
  return 'body' in response ? String(response.body) : '';
}

async function watch(tank: TestCluster, path: string): Promise<() => void> {
  const headers = { accept: 'application/json' };
  const response = await tank.door.serve({ method: 'GET', path, query: 'watch=true', headers, body: new Uint8Array(), identity: adminIdentity });
  if (!('open' in response)) throw new Error('a stream was expected');
  const write = (chunk: unknown): void => void (typeof chunk === 'function' && (chunk as () => unknown)());
  const close = response.open({ write, end: () => undefined } as never);
  closers.push(close);
  return close;
}

/** Something of everything that is counted. */
async function busy(tank: TestCluster): Promise<void> {
  const send = sender(() => tank);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: 'y' } };
  await watch(tank, configMaps);
  await send({ method: 'POST', path: configMaps, body });
  await send({ method: 'POST', path: configMaps, body });
  await send({ method: 'POST', path: `${configMaps}?dryRun=All`, body: { ...body, metadata: { name: 'b' } } });
  await send({
    method: 'PATCH',
    path: `${configMaps}/c?fieldManager=m`,
    body: { ...body, metadata: { name: 'c' } },
    contentType: 'application/apply-patch+yaml',
  });
  await send({ method: 'GET', path: configMaps });
  await send({ method: 'GET', path: '/readyz' });
  await send({ method: 'DELETE', path: configMaps });
}

const metadata = (name: string): object => ({ name });
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];

/** What `record.ts` was asked after: policies, pod security, versions that will go, the use of a token that nobody knows. */
async function governed(tank: TestCluster): Promise<void> {
  const send = sender(() => tank);
  const post = (path: string, body: object): unknown => send({ method: 'POST', path, body });
  const policies = '/apis/admissionregistration.k8s.io/v1';
  const labels = Object.fromEntries(['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']));
  await post('/api/v1/namespaces', { metadata: { name: 'strict', labels } });
  await post(`${policies}/validatingadmissionpolicies`, {
    metadata: metadata('no-x'),
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: "object.metadata.name != 'x'" }] },
  });
  await post(`${policies}/validatingadmissionpolicybindings`, {
    metadata: metadata('no-x-here'),
    spec: { policyName: 'no-x', validationActions: ['Deny', 'Audit'] },
  });
  const expression = "Object{metadata: Object.metadata{labels: {'a':'b'}}}";
  await post(`${policies}/mutatingadmissionpolicies`, {
    metadata: metadata('label'),
    spec: {
      matchConstraints: { resourceRules: rules },
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    },
  });
  await post(`${policies}/mutatingadmissionpolicybindings`, { metadata: metadata('label-here'), spec: { policyName: 'label' } });
  await tank.advance(2000);
  for (const name of ['x', 'y']) await post(configMaps, { metadata: { name } });
  await post('/api/v1/namespaces/strict/pods', { metadata: { name: 'p' }, spec: { containers: [{ name: 'p', image: 'nginx' }] } });
  await send({ method: 'GET', path: '/api/v1/namespaces/default/endpoints' });
  const headers = { authorization: 'Bearer wrong' };
  await tank.door.serve({ method: 'GET', path: '/api', query: '', headers, body: new Uint8Array() });
}

test('policies, pod security and versions that will go are counted as on the real server', async () => {
  const tank = await aCluster({ nodes: 1 });
  await governed(tank);
  const text = await page(tank);
  expect(
    samples(text, 'apiserver_validating_admission_policy_check_total', ['enforcement_action', 'error_type', 'policy', 'policy_binding']),
  ).toEqual(['audit invalid_error no-x no-x-here 1', 'deny invalid_error no-x no-x-here 1']);
  expect(samples(text, 'apiserver_mutating_admission_policy_check_total', ['error_type', 'policy', 'policy_binding'])[0]).toMatch(
    /^no_error label label-here /,
  );
  const decided = samples(text, 'pod_security_evaluations_total', [
    'decision',
    'mode',
    'policy_level',
    'policy_version',
    'request_operation',
    'resource',
  ]);
  expect(decided).toEqual(expect.arrayContaining(['deny audit restricted latest create pod 1', 'deny enforce restricted latest create pod 1']));
  expect(decided.join()).not.toContain('warn');
  expect(samples(text, 'apiserver_requested_deprecated_apis', ['resource', 'version', 'removed_release'])).toEqual(['endpoints v1  1']);
  expect(samples(text, 'authentication_attempts', ['result'])).toContain('error 1');
  const refused = samples(text, 'apiserver_admission_controller_admission_duration_seconds_count', ['name', 'operation', 'rejected', 'type']);
  expect(refused).toContain('PodSecurity CREATE true validate 1');
});

/** Samples of a family as `label=value … count`, by the labels that are named. */
function samples(text: string, family: string, labels: readonly string[]): readonly string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${family}{`));
  return lines.map((line) =>
    [...labels.map((label) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1] ?? ''), line.split(' ').at(-1)].join(' '),
  );
}

test('every family has the type and the labels that the real server gives it, or a name that it does not have', async () => {
  const tank = await aCluster({ nodes: 1 });
  await busy(tank);
  await governed(tank);
  const ours = familiesOf(await page(tank));
  for (const [name, { type, labels }] of Object.entries(ours)) {
    const theirs = facts[name];
    if (theirs === undefined) continue;
    expect({ [name]: type }).toEqual({ [name]: theirs.type });
    if (theirs.labels.length > 0 && labels.length > 0) expect({ [name]: labels }).toEqual({ [name]: theirs.labels });
  }
  const absent = Object.keys(facts).filter((name) => ours[name] === undefined && !withoutCounterpart.test(name) && !countedLater.has(name));
  expect(absent).toEqual(notCounted);
});

/** What the real one has beside: parts that are not there, and what nobody counts here (docs/differences.md). */
const notCounted: readonly string[] = [
  'aggregator_discovery_aggregation_count_total',
  'aggregator_discovery_nopeer_requests_total',
  'aggregator_discovery_peer_aggregated_cache_hits_total',
  'aggregator_discovery_peer_aggregated_cache_misses_total',
  'apiextensions_apiserver_validation_ratcheting_seconds',
  'apiserver_admission_step_admission_duration_seconds_summary',
  'apiserver_cel_compilation_duration_seconds',
  'apiserver_cel_evaluation_duration_seconds',
  'apiserver_client_certificate_expiration_seconds',
  'apiserver_current_inqueue_requests',
  'apiserver_envelope_encryption_dek_cache_fill_percent',
  'apiserver_flowcontrol_read_vs_write_current_requests',
  'apiserver_flowcontrol_request_queue_length_after_enqueue',
  'apiserver_flowcontrol_request_wait_duration_seconds',
  'apiserver_init_events_total',
  'apiserver_kube_aggregator_x509_insecure_sha1_total',
  'apiserver_kube_aggregator_x509_missing_san_total',
  'apiserver_nodeport_repair_reconcile_errors_total',
  'apiserver_request_timestamp_comparison_time',
  'apiserver_resource_size_estimate_bytes',
  'apiserver_storage_consistency_checks_total',
  'apiserver_storage_data_key_generation_duration_seconds',
  'apiserver_storage_data_key_generation_failures_total',
  'apiserver_storage_db_total_size_in_bytes',
  'apiserver_storage_envelope_transformation_cache_misses_total',
  'apiserver_storage_events_received_total',
  'apiserver_storage_list_evaluated_objects_total',
  'apiserver_storage_list_fetched_objects_total',
  'apiserver_storage_list_returned_objects_total',
  'apiserver_storage_list_total',
  'apiserver_storage_size_bytes',
  'apiserver_validation_declarative_validation_mismatch_total',
  'apiserver_validation_declarative_validation_panic_total',
  'apiserver_validation_duplicate_validation_error_total',
  'apiserver_watch_list_duration_seconds',
  'authentication_token_cache_active_fetch_count',
  'authentication_token_cache_fetch_total',
  'authentication_token_cache_request_duration_seconds',
  'authentication_token_cache_request_total',
  'cardinality_enforcement_unexpected_categorizations_total',
  'disabled_metrics_total',
  'hidden_metrics_total',
  'kube_apiserver_clusterip_allocator_allocation_duration_seconds',
  'kube_apiserver_clusterip_allocator_allocation_total',
  'kube_apiserver_nodeport_allocator_allocation_total',
  'registered_metrics_total',
];
const withoutCounterpart = /^(etcd|workqueue|rest_client|process|watch_cache|apiserver_watch_cache|apiserver_cache)_/;
/** Counted when there is something to count, which no request of these tests is. */
const countedLater: ReadonlySet<string> = new Set([
  ...['authenticated_user_requests', 'apiserver_selfrequest_total', 'pod_security_exemptions_total'],
  // Of a listener, which these clusters have not.
  'apiserver_tls_handshake_errors_total',
]);

test('requests are counted by what they ask, how they ended, and whether they tried only', async () => {
  const tank = await aCluster({ nodes: 1 });
  await busy(tank);
  const text = await page(tank);
  const totals = samples(text, 'apiserver_request_total', ['verb', 'resource', 'subresource', 'scope', 'dry_run', 'code']);
  expect(totals.toSorted()).toEqual([
    'APPLY configmaps  resource  201 1',
    'DELETE configmaps  namespace  200 1',
    'GET  /readyz   200 1',
    'LIST configmaps  namespace  200 1',
    'POST configmaps  resource  201 1',
    'POST configmaps  resource  409 1',
    'POST configmaps  resource All 201 1',
  ]);
  expect(samples(text, 'apiserver_request_duration_seconds_count', ['verb', 'dry_run'])).toContain('POST All 1');
  expect(samples(text, 'apiserver_watch_events_total', ['resource'])[0]).toMatch(/^configmaps [5-9]$/);
});

test('a watch is open while it is, and counted when it has ended', async () => {
  const tank = await aCluster({ nodes: 1 });
  const close = await watch(tank, configMaps);
  const open = async (): Promise<readonly string[]> => samples(await page(tank), 'apiserver_longrunning_requests', ['verb', 'resource', 'scope']);
  expect(await open()).toEqual(['WATCH configmaps namespace 1']);
  close();
  close();
  expect(await open()).toEqual(['WATCH configmaps namespace 0']);
  expect(samples(await page(tank), 'apiserver_request_total', ['verb', 'code'])).toEqual(['WATCH 200 1']);
});

test('a long list is in flight until it is taken, or its client has gone', async () => {
  const tank = await aCluster({ nodes: 0 });
  const send = sender(() => tank);
  for (const name of ['a', 'b', 'c'])
    await send({
      method: 'POST',
      path: configMaps,
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { x: 'y'.repeat(50_000) } },
    });
  const inFlight = async (): Promise<readonly string[]> => samples(await page(tank), 'apiserver_current_inflight_requests', ['request_kind']);
  for (const isTaken of [true, false]) {
    const response = await tank.door.serve({
      method: 'GET',
      path: configMaps,
      query: '',
      headers: {},
      body: new Uint8Array(),
      identity: adminIdentity,
    });
    if (!('body' in response) || typeof response.body === 'string' || response.body instanceof Uint8Array) throw new Error('pieces were expected');
    expect(await inFlight()).toEqual(['mutating 0', 'readOnly 1']);
    const pieces = response.body[Symbol.iterator]();
    if (isTaken) while (pieces.next().done !== true);
    else pieces.return?.();
    expect(await inFlight()).toEqual(['mutating 0', 'readOnly 0']);
  }
  const lists = samples(await page(tank), 'apiserver_request_total', ['verb']).filter((line) => line.startsWith('LIST'));
  expect(lists).toEqual(['LIST 2']);
});

test('what nobody serves has no labels: no client can make any up', async () => {
  const tank = await aCluster({ nodes: 1 });
  const send = sender(() => tank);
  for (const path of [
    '/apis/made.up/v1/things',
    '/api/v1/pods/x/madeup',
    '/api/v1/__proto__',
    '/openapi/v9',
    '/made/up',
    '/api/v1/namespaces/a/constructor/b',
  ])
    await send({ method: 'GET', path });
  expect(await page(tank)).not.toMatch(/made.?up|proto|constructor/);
});

test('checks of health have results once somebody asked; options and state have pages', async () => {
  const tank = await aCluster({ nodes: 1 });
  expect((await page(tank, '/metrics/slis')).split('\n')[2]).toMatch(/^process_start_time_seconds \d/);
  await page(tank, '/livez');
  await page(tank, '/livez');
  const slis = await page(tank, '/metrics/slis');
  expect(slis).toContain('kubernetes_healthcheck{name="ping",type="livez"} 1\n');
  expect(slis).toContain('kubernetes_healthchecks_total{name="etcd",status="success",type="livez"} 2\n');
  expect(await page(tank, '/flagz')).toMatch(/^\napiserver flagz\nWarning: .*\n[a-z-]+=/);
  await tank.advance(3_725_000);
  expect(await page(tank, '/statusz')).toMatch(/\nUp: 1 hr 0[2-9] min \d\d sec\n.*\nBinary version: 1\.36\n/);
});
