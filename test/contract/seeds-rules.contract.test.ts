/**
 * The seeds' query parameters, operation templates, content types, exchanges and rules of resources, asked of a whole cluster
 * in process, of each release. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Release } from '../../engine/contracts/release.ts';
import { releases } from '../../engine/releases/releases.ts';
import { aCluster, aDeployment, type TestCluster } from '../support/cluster.ts';
import { type Answer, type Ask, asker, eventsOf } from './seeds-client.ts';

let ask: Ask;
let made: TestCluster;

const configmaps = '/api/v1/namespaces/default/configmaps';
const protobuf = 'application/vnd.kubernetes.protobuf';

function ok(answer: Answer, status = 200): Answer {
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

function pod(name: string, image = 'nginx:1.27'): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'c', image }] } };
}

function names(answer: Answer): readonly string[] {
  const items = answer.body['items'] as unknown as readonly { readonly metadata: { readonly name: string } }[];
  return items.map(({ metadata }) => metadata.name);
}

describe.each(releases.map((release) => [release.name, release] as const))('the seeds and release %s', (_name, release) => {
  beforeAll(() => start(release));
  describe('query parameters', () => queryParameters(release));
  describe('operation templates', operationTemplates);
  describe('content types', contentTypes);
  describe('exchanges', () => exchanges(release));
  describe('rules of resources', () => rulesOfResources(release));
});

async function start(release: Release): Promise<void> {
  made = await aCluster({ seed: 1, nodes: 1, release: release.name });
  await made.advance(2000);
  ask = asker(made);
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    ok(ask('POST', configmaps, { body: { metadata: { name, labels: { name, vowel: String('ae'.includes(name)) } }, data: { name } } }), 201);
}

function queryParameters(release: Release): void {
  it('pretty', () => {
    expect(ask('GET', `${configmaps}/a?pretty=true`).text).toContain('\n  "kind": "ConfigMap"');
    expect(ask('GET', `${configmaps}/a`).text).not.toContain('\n  ');
  });

  it('labelSelector and fieldSelector of lists, watches and collections', () => {
    expect(names(ask('GET', `${configmaps}?labelSelector=vowel%3Dtrue`))).toEqual(['a', 'e']);
    expect(names(ask('GET', `${configmaps}?fieldSelector=metadata.name%3Db`))).toEqual(['b']);
    expect(
      eventsOf(ask('GET', `${configmaps}?watch=1&labelSelector=vowel%3Dtrue`)).map(({ object }) => String(object['metadata']?.['name'])),
    ).toEqual(['a', 'e']);
    expect(ok(ask('DELETE', `${configmaps}?labelSelector=vowel%3Dnever`)).body['items']).toEqual([]);
  });

  it('includeUninitialized, export and exact are known', () => {
    expect(names(ok(ask('GET', `${configmaps}?includeUninitialized=true&labelSelector=vowel`)))).toHaveLength(5);
    const read = ok(ask('GET', `${configmaps}/a`)).body;
    if (!made.cluster.release.exports) {
      expect(ask('GET', `${configmaps}/a?export=true`).body['message']).toBe('the export parameter, deprecated since v1.14, is no longer supported');
      return;
    }
    for (const path of [
      '/api/v1/componentstatuses/none',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles/view',
      '/api/v1/namespaces/default/status',
    ])
      expect(ask('GET', `${path}?export=true`).body['message']).toMatch(/^export of "(componentstatuses|clusterroles|namespaces)" is not supported$/);
    const exported = ok(ask('GET', `${configmaps}/a?export=true`)).body;
    const { fields, selfLinks } = made.cluster.release;
    // An older server writes the time that it took away as nothing.
    const zero = Object.keys(fields.writtenZeros).length === 0 ? {} : { creationTimestamp: null };
    const place = selfLinks ? { selfLink: `${configmaps}/a` } : {};
    expect(exported['metadata']).toEqual({ name: 'a', labels: read['metadata']?.['labels'], ...zero, ...place });
    expect(ok(ask('GET', `${configmaps}/a?export=true&exact=true`)).body['metadata']).toEqual({
      name: 'a',
      namespace: 'default',
      labels: read['metadata']?.['labels'],
      ...zero,
      ...place,
    });
  });

  it('watch, with resourceVersion, timeoutSeconds and not cut by limit and continue', () => {
    const { body } = ask('GET', configmaps);
    const after = String(body['metadata']?.['resourceVersion']);
    expect(eventsOf(ok(ask('GET', `${configmaps}?watch=true&resourceVersion=${after}&timeoutSeconds=5`)))).toEqual([]);
    expect(
      eventsOf(ok(ask('GET', `${configmaps}?watch=1&resourceVersion=${Number(after) - 1}&labelSelector=vowel`))).map(({ type }) => type),
    ).toEqual(['ADDED']);
    // As upstream: a watch has no chunks. Since watches that begin with what is there are lists too, those refuse a token.
    expect(eventsOf(ok(ask('GET', `${configmaps}?watch=1&limit=1&labelSelector=vowel`)))).toHaveLength(5);
    expect(eventsOf(ok(ask('GET', `${configmaps}?watch=1&limit=1&continue=abc&resourceVersion=${after}&labelSelector=vowel`)))).toEqual([]);
    const withToken = ask('GET', `${configmaps}?watch=1&limit=1&continue=abc&labelSelector=vowel`);
    if (release.name === '1.13') expect(eventsOf(ok(withToken))).toHaveLength(5);
    else expect(ok(withToken, 422).text).toContain('resourceVersionMatch is forbidden when continue is provided');
  });

  it('resourceVersion of lists', () => {
    for (const version of ['', '0', '1'])
      expect(names(ok(ask('GET', `${configmaps}?resourceVersion=${version}&labelSelector=vowel`)))).toHaveLength(5);
    // Release 1.13 took it for a defect of its own.
    expect([400, 500]).toContain(ask('GET', `${configmaps}?resourceVersion=x`).status);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('dryRun of %s', (method) => {
    const path = method === 'POST' ? configmaps : `${configmaps}/a`;
    const body = method === 'DELETE' ? undefined : { metadata: { name: method === 'POST' ? 'new' : 'a' }, data: { dry: 'x' } };
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const wrong = ask(method, `${path}?dryRun=Some`, { body, type });
    expect([400, 422]).toContain(wrong.status);
    expect(wrong.text).toContain('dryRun');
    expect(ask(method, `${path}?dryRun=All`, { body, type }).status).toBe(method === 'POST' ? 201 : 200);
    expect(ok(ask('GET', `${configmaps}/a`)).body['data']).toEqual({ name: 'a' });
    expect(ask('GET', `${configmaps}/new`).status).toBe(404);
  });

  it('gracePeriodSeconds', () => {
    const pods = '/api/v1/namespaces/default/pods';
    ok(ask('POST', pods, { body: pod('graceful') }), 201);
    expect(ask('DELETE', `${pods}/graceful?gracePeriodSeconds=abc`).status).toBe(400);
    ok(ask('DELETE', `${pods}/graceful?gracePeriodSeconds=0`));
    expect(ask('GET', `${pods}/graceful`).status).toBe(404);
  });

  it('orphanDependents and propagationPolicy, not both', () => {
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    for (const [query, finalizer] of [
      ['orphanDependents=true', 'orphan'],
      ['propagationPolicy=Orphan', 'orphan'],
      ['propagationPolicy=Foreground', 'foregroundDeletion'],
    ]) {
      ok(ask('POST', deployments, { body: aDeployment('gone', 0) }), 201);
      const { body } = ok(ask('DELETE', `${deployments}/gone?${query}&dryRun=All`));
      expect(body['metadata']?.['finalizers'], query).toEqual([finalizer]);
      ok(ask('DELETE', `${deployments}/gone?propagationPolicy=Background`));
    }
    const both = ask('DELETE', `${configmaps}/a?orphanDependents=true&propagationPolicy=Orphan`);
    expect(both.status).toBe(422);
    expect(both.text).toContain('orphanDependents and deletionPropagation cannot be both set');
    expect(ask('DELETE', `${configmaps}/a?propagationPolicy=Sideways`).status).toBe(422);
  });
}

function operationTemplates(): void {
  it('answer 201, 200 and Status', () => {
    expect(ok(ask('POST', configmaps, { body: { metadata: { name: 'short' } } }), 201).body['kind']).toBe('ConfigMap');
    const deleted = ok(
      ask('DELETE', `${configmaps}/short`, { body: { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' } }),
    ).body;
    expect(deleted).toMatchObject({ kind: 'Status', status: 'Success', details: { name: 'short', kind: 'configmaps' } });
    expect(ask('POST', configmaps, { body: { apiVersion: 'v7', kind: 'ConfigMap', metadata: { name: 'x' } } }).status).toBe(400);
  });
}

function contentTypes(): void {
  it.each([
    ['application/json', 'application/json'],
    ['application/yaml', 'application/yaml'],
    [protobuf, protobuf],
    [`${protobuf},application/json`, protobuf],
    ['application/unknown, application/json', 'application/json'],
    ['application/json;as=Table;g=meta.k8s.io;v=v1beta1', 'application/json'],
  ])('of Accept %s', (accept, type) => {
    for (const path of [configmaps, `${configmaps}/a`]) expect(ok(ask('GET', path, { accept })).type).toMatch(type);
  });

  it('406 for what nobody can write', () => {
    const answer = ask('GET', configmaps, { accept: 'image/png' });
    expect(answer.status).toBe(406);
    const types = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
    expect(answer.text).toMatch(new RegExp(`only the following media types are accepted: ${types}|406: Not Acceptable`));
    // To be looked at, since it is in no form that was asked for.
    expect(answer.text).toContain('\n  "status": "Failure"');
    for (const path of ['/api/v1', configmaps, `${configmaps}/a`]) expect(ask('GET', path, { accept: 'application/*' }).status).toBe(406);
    expect(ask('GET', configmaps, { accept: 'application/*, application/json' }).status).toBe(200);
  });

  it('Tables of meta.k8s.io/v1beta1', () => {
    const table = ok(ask('GET', configmaps, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1' })).body;
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1beta1',
      columnDefinitions: expect.arrayContaining([expect.objectContaining({ name: 'Name', type: 'string' })]),
    });
  });

  it('Tables of two columns for types that define none', () => {
    const table = ok(ask('GET', '/api/v1/limitranges', { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1' })).body;
    expect(table).toMatchObject({
      columnDefinitions: [
        { name: 'Name', type: 'string' },
        { name: 'Created At', type: 'date' },
      ],
    });
  });

  it('lists, watches and discovery in protobuf', () => {
    const magic = [0x6b, 0x38, 0x73, 0x00];
    for (const path of [configmaps, '/api/v1', '/apis/extensions/v1beta1'])
      expect([...ok(ask('GET', path, { accept: protobuf })).bytes.subarray(0, 4)], path).toEqual(magic);
    const watch = ok(ask('GET', `${configmaps}?watch=1`, { accept: `${protobuf};stream=watch` }));
    expect(watch.type).toBe(`${protobuf};stream=watch`);
    expect(ok(ask('GET', `${configmaps}?watch=1`, { accept: 'application/json;stream=watch' })).type).toMatch('application/json');
  });

  it('refuses a body of an unknown type and a patch of an unknown type', () => {
    expect(ask('POST', configmaps, { body: {}, type: 'text/plain' }).status).toBe(415);
    expect(ask('PATCH', `${configmaps}/a`, { body: {}, type: 'application/json' }).status).toBe(415);
  });
}

function exchanges(release: Release): void {
  it('chunked lists: constant resourceVersion, then a watch from it', () => {
    const query = 'labelSelector=vowel&limit=2';
    const first = ok(ask('GET', `${configmaps}?${query}`));
    const { resourceVersion, continue: token } = first.body['metadata'] as unknown as { readonly resourceVersion: string; readonly continue: string };
    ok(ask('POST', configmaps, { body: { metadata: { name: 'aa', labels: { vowel: 'no' } } } }), 201);
    ok(ask('DELETE', `${configmaps}/aa`));
    const second = ok(ask('GET', `${configmaps}?${query}&continue=${token}`));
    const third = ok(ask('GET', `${configmaps}?${query}&continue=${String(second.body['metadata']?.['continue'])}`));
    expect([...names(first), ...names(second), ...names(third)]).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect([second, third].map(({ body }) => body['metadata']?.['resourceVersion'])).toEqual([resourceVersion, resourceVersion]);
    expect(third.body['metadata']?.['continue'] ?? '').toBe('');
    const events = eventsOf(ask('GET', `${configmaps}?watch=1&resourceVersion=${resourceVersion}&labelSelector=vowel`));
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    expect(ask('GET', `${configmaps}?limit=2&continue=nonsense`).status).toBe(400);
    // A cache that remembers gives the rest whole to who takes whatever it has.
    const rest = ok(ask('GET', `${configmaps}?${query}&resourceVersion=0&continue=${token}`));
    expect(names(rest)).toEqual(release.name === '1.13' ? ['c', 'd'] : ['c', 'd', 'e']);
  });

  it('410 for a history that is gone, with a new token for lists', async () => {
    const own = await aCluster({ seed: 2, nodes: 1, release: release.name });
    const client = asker(own);
    const is13 = release.name === '1.13';
    for (const name of ['a', 'b', 'c']) ok(client('POST', configmaps, { body: { metadata: { name } } }), 201);
    const { body } = client('GET', `${configmaps}?limit=1`);
    const events = '/api/v1/namespaces/default/events';
    ok(client('POST', events, { body: { metadata: { name: 'e', namespace: 'default' }, involvedObject: { namespace: 'default' } } }), 201);
    await own.advance(20 * 60_000);
    const expired = client('GET', `${configmaps}?limit=1&continue=${String(body['metadata']?.['continue'])}`);
    expect(expired.body).toMatchObject({ code: 410, reason: is13 ? 'ResourceExpired' : 'Expired', metadata: { continue: expect.any(String) } });
    ok(client('GET', `${configmaps}?limit=1&continue=${String(expired.body['metadata']?.['continue'])}`));
    const watch = client('GET', `${configmaps}?watch=1&resourceVersion=${String(body['metadata']?.['resourceVersion'])}`);
    const status = watch.status === 200 ? eventsOf(watch)[0]?.object : watch.body;
    expect(status).toMatchObject({ code: 410, reason: is13 ? 'Gone' : 'Expired', message: expect.stringContaining('too old resource version: ') });
    // Events are watched in storage.
    const [gone] = eventsOf(client('GET', `${events}?watch=1&resourceVersion=${String(body['metadata']?.['resourceVersion'])}`));
    expect(gone?.object).toMatchObject({ code: 410, reason: 'Expired', message: 'The resourceVersion for the provided watch is too old.' });
  });
}

function rulesOfResources(release: Release): void {
  it('SubjectAccessReview answers and is not stored', () => {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user: 'nobody', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    };
    expect(ok(ask('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body }), 201).body['status']).toMatchObject({ allowed: false });
    expect(ask('GET', '/apis/authorization.k8s.io/v1/subjectaccessreviews').status).toBe(405);
  });

  it('a namespace takes its objects along', async () => {
    ok(ask('POST', '/api/v1/namespaces', { body: { metadata: { name: 'brief' } } }), 201);
    ok(ask('POST', '/api/v1/namespaces/brief/configmaps', { body: { metadata: { name: 'x' } } }), 201);
    ok(ask('DELETE', '/api/v1/namespaces/brief'));
    await made.advance(60_000);
    expect(ask('GET', '/api/v1/namespaces/brief').status).toBe(404);
    expect(ask('GET', '/api/v1/namespaces/brief/configmaps/x').status).toBe(404);
  });

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
  ])('containers of %s are pulled %s, with their other defaults', (image, imagePullPolicy) => {
    const { body } = ok(ask('POST', '/api/v1/namespaces/default/pods?dryRun=All', { body: pod('p', image) }), 201);
    const containers = body['spec']?.['containers'] as unknown as readonly object[];
    expect(containers[0]).toMatchObject({ imagePullPolicy, terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  });

  it('containers keep what cannot be updated', () => {
    const path = '/api/v1/namespaces/default/pods';
    ok(ask('POST', path, { body: pod('fixed') }), 201);
    for (const change of [
      { args: ['x'] },
      { command: ['x'] },
      { workingDir: '/' },
      { imagePullPolicy: 'Never' },
      { env: [{ name: 'A', value: 'b' }] },
      { terminationMessagePath: '/x' },
    ]) {
      const answer = ask('PATCH', `${path}/fixed`, {
        body: { spec: { containers: [{ name: 'c', ...change }] } },
        type: 'application/strategic-merge-patch+json',
      });
      expect(answer.status, JSON.stringify(change)).toBe(422);
    }
    ok(
      ask('PATCH', `${path}/fixed`, {
        body: { spec: { containers: [{ name: 'c', image: 'nginx:1.28' }] } },
        type: 'application/strategic-merge-patch+json',
      }),
    );
    for (const wrong of [{ name: 'Not_A_Label' }, { name: 'c', imagePullPolicy: 'Sometimes' }, { name: 'c', terminationMessagePolicy: 'Loud' }]) {
      expect(ask('POST', path, { body: { metadata: { name: 'w' }, spec: { containers: [{ image: 'nginx', ...wrong }] } } }).status).toBe(422);
    }
    expect(
      ask('POST', path, {
        body: {
          metadata: { name: 'w' },
          spec: {
            containers: [
              { name: 'c', image: 'a' },
              { name: 'c', image: 'a' },
            ],
          },
        },
      }).status,
    ).toBe(422);
  });

  it('keys of envFrom that cannot be variables are told where the release lets only some be', async () => {
    ok(ask('POST', configmaps, { body: { metadata: { name: 'keys' }, data: { GOOD: '1', '1bad': '2' } } }), 201);
    const containers = [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'env; sleep 1000'], envFrom: [{ configMapRef: { name: 'keys' } }] }];
    ok(ask('POST', '/api/v1/namespaces/default/pods', { body: { metadata: { name: 'environs' }, spec: { containers } } }), 201);
    await made.advance(20_000);
    const isRelaxed = release.featureGates.some((gate) => gate.name === 'RelaxedEnvironmentVariableValidation' && gate.default);
    const { text } = ok(ask('GET', '/api/v1/namespaces/default/events?fieldSelector=reason%3DInvalidEnvironmentVariableNames'));
    const words = 'Keys [1bad] from the EnvFrom configMap default/keys were skipped since they are considered invalid environment variable names.';
    expect(text.includes(words)).toBe(!isRelaxed);
    const log = ok(ask('GET', '/api/v1/namespaces/default/pods/environs/log', { accept: '*/*' })).text;
    expect(log).toContain('GOOD=1');
    expect(log.includes('1bad=2')).toBe(isRelaxed);
  });

  it('jobs retry six times, select their own pods, and one completion means one pod', () => {
    const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } };
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const { body } = ok(ask('POST', jobs, { body: { metadata: { name: 'j' }, spec } }), 201);
    const uid = String(body['metadata']?.['uid']);
    expect(body['spec']).toMatchObject({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      selector: { matchLabels: { [release.ratchets.JobLabelPrefix ? 'batch.kubernetes.io/controller-uid' : 'controller-uid']: uid } },
    });
    expect(ask('POST', jobs, { body: { metadata: { name: 'k' }, spec: { ...spec, activeDeadlineSeconds: -1 } } }).status).toBe(422);
    expect(
      ask('POST', jobs, { body: { metadata: { name: 'k' }, spec: { template: { spec: { ...spec.template.spec, restartPolicy: 'Always' } } } } })
        .status,
    ).toBe(422);
  });

  it('cron jobs tell explicit zeros from nothing', () => {
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } } } };
    const path = '/apis/batch/v1beta1/namespaces/default/cronjobs?dryRun=All';
    const zeros = { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 };
    expect(
      ok(ask('POST', path, { body: { metadata: { name: 'z' }, spec: { schedule: '* * * * *', jobTemplate, ...zeros } } }), 201).body['spec'],
    ).toMatchObject(zeros);
    expect(ask('POST', path, { body: { metadata: { name: 'z' }, spec: { schedule: 'whenever', jobTemplate } } }).status).toBe(422);
    expect(
      ask('POST', path, { body: { metadata: { name: 'z' }, spec: { schedule: '* * * * *', concurrencyPolicy: 'Maybe', jobTemplate } } }).status,
    ).toBe(422);
  });

  it.runIf(release.servesApply)('server-side apply keeps owners, refuses conflicts and can be forced', () => {
    const type = 'application/apply-patch+yaml';
    const body = (value: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned' }, data: { key: value } });
    ok(ask('PATCH', `${configmaps}/owned?fieldManager=one`, { body: body('1'), type }), 201);
    expect(ask('PATCH', `${configmaps}/owned?fieldManager=two`, { body: body('2'), type }).status).toBe(409);
    ok(ask('PATCH', `${configmaps}/owned?fieldManager=two&force=true`, { body: body('2'), type }));
    expect(JSON.stringify(ok(ask('GET', `${configmaps}/owned`)).body['metadata']?.['managedFields'])).toContain('"manager":"two"');
  });
}
