/** Answers in another form than they are stored in, as a real 1.36.3 gives and refuses them. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { KindDefinition } from '../contracts/kind.ts';
import { statefulSetKind } from '../kinds/apps/v1/stateful-set.ts';
import { selfSubjectAccessReviewKind } from '../kinds/authorization/v1/self-subject-access-review.ts';
import { jobKind } from '../kinds/batch/v1/job.ts';
import { namespaceKind } from '../kinds/core/v1/namespace.ts';
import { persistentVolumeClaimKind as claimKind } from '../kinds/core/v1/persistent-volume-claim.ts';
import { cm, makeWire } from './testing/wire.ts';

const path = '/api/v1/namespaces/default/configmaps';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const one = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const several = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

let wire: ReturnType<typeof makeWire>;
beforeEach(() => {
  wire = makeWire();
  wire.send('POST', path, cm('a'));
});

describe('what is asked for as something else', () => {
  it.each([
    ['a list as one', path, one, 'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)'],
    ['one as a list', `${path}/a`, several, 'you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)'],
  ])('refuses %s', (_name, target, accept, message) => {
    const { status, text } = wire.send('GET', target, '', { accept });
    expect([status, text]).toEqual([406, expect.stringContaining(message)]);
  });

  it('keeps what was written, and refuses the answer alone', () => {
    expect(wire.send('POST', path, cm('b'), { accept: several }).status).toBe(406);
    expect(wire.send('POST', `${path}?includeObject=Odd`, cm('c'), { accept: table }).status).toBe(400);
    expect(['b', 'c'].map((name) => wire.send('GET', `${path}/${name}`).status)).toEqual([200, 200]);
  });

  it('looks at includeObject for Tables alone, and after what is asked', () => {
    const fault = `Unable to convert to Table as requested: includeObject: Invalid value: \\"Odd\\": must be 'Metadata', 'Object', 'None', or empty`;
    const ask = (target: string, accept: string): readonly unknown[] => {
      const { status, text } = wire.send('GET', `${target}?includeObject=Odd`, '', { accept });
      return [status, text.includes(fault)];
    };
    expect(ask(path, table)).toEqual([400, true]);
    expect([ask(path, several), ask(`${path}/a`, 'application/json')]).toEqual([
      [200, false],
      [200, false],
    ]);
    expect(ask(`${path}/nobody`, table)).toEqual([404, false]);
  });

  it('leaves managed fields out of Tables where that is asked for, and nothing else', () => {
    const metadataOf = (query: string): object => {
      const { text } = wire.send('GET', `${path}?${query}`, '', { accept: table });
      return (JSON.parse(text) as { rows: { object: { metadata: object } }[] }).rows[0]?.object.metadata ?? {};
    };
    const { managedFields, ...rest } = metadataOf('limit=1') as { managedFields?: unknown };
    expect(managedFields).toEqual([expect.objectContaining({ operation: 'Update' })]);
    for (const query of ['managedFields=false', 'includeObject=Metadata&managedFields=false']) expect(metadataOf(`limit=1&${query}`)).toEqual(rest);
    expect(metadataOf('limit=1&managedFields=true')).toEqual({ ...rest, managedFields });
  });

  it('shows no object as null', () => {
    const { text } = wire.send('GET', `${path}?includeObject=None`, '', { accept: table });
    expect(JSON.parse(text)).toMatchObject({ rows: [{ object: null }] });
  });
});

describe('watches', () => {
  it.each([
    ['a form that no stream has', 'resourceVersion=0', 'application/yaml', 406, 'application/json;stream=watch'],
    ['what is wrong with the options before that', 'sendInitialEvents=true', 'application/yaml', 422, 'sendInitialEvents requires'],
    ['what nothing has first of all', 'sendInitialEvents=true', 'text/plain', 406, 'application/yaml'],
    ['YAML though JSON would do', '', 'application/yaml,application/json', 406, 'application/json;stream=watch'],
  ])('refuse %s', (_name, query, accept, status, text) => {
    const answer = wire.send('GET', `${path}?watch=true&${query}`, '', { accept });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it('end at the first event that is asked for as a list', () => {
    const response = wire.raw('GET', `${path}?watch=true`, '', { accept: several });
    const seen: string[] = [];
    if ('open' in response) response.open({ write: () => seen.push('event'), end: () => seen.push('end') });
    expect(seen).toEqual(['end']);
  });
});

describe('selectors of fields', () => {
  it.each([
    ['that say nothing are none', 'fieldSelector=%3D,metadata.name%3Da', 200, '"name":"a"'],
    ['name what the kind has', 'fieldSelector=data%3Db', 400, 'is not a known field selector: only'],
  ])('%s', (_name, query, status, text) => {
    const answer = wire.send('GET', `${path}?${query}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each<[string, KindDefinition, string, string, string]>([
    ['a Job', jobKind as unknown as KindDefinition, '/apis/batch/v1/jobs', 'spec.x', 'field label \\"spec.x\\" not supported for Job'],
    [
      'a Namespace',
      namespaceKind as unknown as KindDefinition,
      '/api/v1/namespaces',
      'metadata.namespace',
      'field label not supported: metadata.namespace',
    ],
    ['a claim', claimKind as unknown as KindDefinition, '/api/v1/persistentvolumeclaims', 'name', 'is not a known field selector: only'],
  ])('are refused in the words of %s', (_name, kind, collection, field, text) => {
    const answer = makeWire({}, [], [kind]).send('GET', `${collection}?fieldSelector=${field}%3Dx`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
  });
});

it('bookmarks of what has replicas say that there are none', () => {
  const sets = makeWire({}, [], [statefulSetKind as unknown as KindDefinition]);
  const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const response = sets.raw('GET', `/apis/apps/v1/statefulsets?${query}`);
  const told: string[] = [];
  if ('open' in response) response.open({ write: (chunk) => told.push(String(typeof chunk === 'function' ? chunk() : chunk)), end: () => {} });
  expect(told.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ type: 'BOOKMARK', object: { spec: { replicas: 0 } } }]);
});

it('makes partial metadata, but no Table, of what is only created', () => {
  const reviews = makeWire({}, [], [selfSubjectAccessReviewKind as unknown as KindDefinition]);
  const review = (accept: string): number => {
    const body = '{"spec":{"nonResourceAttributes":{"path":"/","verb":"get"}}}';
    return reviews.send('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, { accept }).status;
  };
  expect([review(one), review(table)]).toEqual([201, 406]);
});

describe('discovery', () => {
  it.each(['/api', '/apis', '/apis/apps', '/api/v1'])('refuses a form of %s that it has not', (target) => {
    const served = makeWire();
    expect(served.send('GET', target, '', { accept: table }).status).toBe(406);
    expect(served.send('GET', target, '', { accept: `${table},application/json` }).status).toBe(200);
  });

  it('says in a Status that a group has not that version', () => {
    const { status, text } = makeWire().send('GET', '/apis/apps/v9');
    expect([status, text]).toEqual([404, expect.stringContaining('the server could not find the requested resource')]);
  });
});

it.each(['GET', 'DELETE', 'PATCH'])('says to %s what no object can be called', (method) => {
  const { status, text } = wire.send(method, `${path}/a%25b`, method === 'PATCH' ? '{}' : '', { 'content-type': 'application/merge-patch+json' });
  expect([status, text]).toEqual([400, expect.stringContaining(`Name parameter invalid: \\"a%b\\": may not contain '%'`)]);
});
