/** Answers in another form than they are stored in, as a real 1.36.3 gives and refuses them. */
import { beforeEach, describe, expect, it } from 'vitest';
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

it.each(['GET', 'DELETE', 'PATCH'])('says to %s what no object can be called', (method) => {
  const { status, text } = wire.send(method, `${path}/a%25b`, method === 'PATCH' ? '{}' : '', { 'content-type': 'application/merge-patch+json' });
  expect([status, text]).toEqual([400, expect.stringContaining(`Name parameter invalid: \\"a%b\\": may not contain '%'`)]);
});
