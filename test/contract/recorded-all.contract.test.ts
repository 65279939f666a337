/**
 * The rest of what a real 1.13.12 answered (shared/testdata/release-1.13): what changes when everything is switched on, wire forms,
 * aged revisions, paths, names of a new cluster. What is not equal yet is named in recorded-differences.json with the reason.
 */
import { beforeAll, describe, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../engine/base/json.ts';
import { deepEqual } from '../../engine/base/equal.ts';
import { mustGetRelease } from '../../engine/releases/releases.ts';
import { aCluster, type TestCluster } from '../support/cluster.ts';
import { json, judge, lines, mask, present, read, type Recorded, resourcesOf, spaced } from './old-release/records.ts';
import { type Answer, type Ask, asker } from './seeds-client.ts';

const everything = {
  'runtime-config': 'api/all=true',
  'feature-gates': 'AllAlpha=true,BoundServiceAccountTokenVolume=false',
  'enable-admission-plugins': 'PodPreset',
};
const tableForm = 'application/json;as=Table;g=meta.k8s.io;v=v1beta1';

type Definitions = { readonly [name: string]: { readonly properties?: readonly string[] | JsonObject } };
type OpenApi = { readonly paths: { readonly [path: string]: readonly string[] }; readonly definitions: Definitions };

describe.skipIf(!present)('release 1.13 with everything on, as a real one', () => {
  let made: TestCluster;
  let ask: Ask;

  beforeAll(async () => {
    made = await aCluster({ seed: 1, nodes: 0, release: '1.13', options: everything });
    await made.advance(5000);
    ask = asker(made);
  });

  it('lists what is off otherwise', () => {
    const compared = new Map<string, boolean>();
    for (const [path, document] of Object.entries(read<{ readonly [path: string]: JsonObject }>('discovery-all.json'))) {
      if (path === 'paths of /') continue;
      const answer = ask('GET', path);
      if (document['resources'] === undefined) compared.set(path, deepEqual(withoutAddress(json(answer)), withoutAddress(document)));
      const listed = resourcesOf(answer.status === 200 ? json(answer) : {});
      for (const [name, resource] of resourcesOf(document)) compared.set(`${path} ${name}`, deepEqual(resource, listed.get(name)));
    }
    judge('discovery-all', compared);
  });

  it('describes it', () => {
    const { definitions, paths } = read<OpenApi>('openapi-all.json');
    judge('openapi-all', comparedDocument(ask, definitions, paths));
  });

  it('prints its columns', () => {
    const compared = new Map<string, boolean>();
    for (const [resource, columns] of Object.entries(read<{ readonly [resource: string]: JsonValue }>('tables-all.json')))
      compared.set(resource, deepEqual(columnsOf(ask('GET', `/apis/${resource}`, { accept: tableForm }), columns), columns));
    judge('tables-all', compared);
  });

  it('creates its objects', async () => {
    const compared = new Map<string, boolean>();
    let count = 0;
    for (const { name, path, body, code, object } of lines<Recorded>('objects-all.jsonl')) {
      const namespace = `ns-${count++}`;
      ask('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
      await made.advance(1000);
      const answer = ask('POST', path.replaceAll('${NS}', namespace), {
        bytes: new TextEncoder().encode(spaced(body).replaceAll('${NS}', namespace)),
      });
      compared.set(name, answer.status === code && deepEqual(mask(json(answer), namespace), mask(object, namespace)));
      if (process.env['RECORDED_DUMP'] !== undefined && compared.get(name) !== true) console.log(name, answer.text, JSON.stringify(object));
    }
    judge('objects-all', compared);
  });
});

describe.skipIf(!present)('release 1.13 on the wire, as a real one', () => {
  let made: TestCluster;
  let ask: Ask;

  beforeAll(async () => {
    made = await aCluster({ seed: 1, nodes: 0, release: '1.13' });
    await made.advance(5000);
    ask = asker(made);
  });

  it('describes its paths', () => {
    judge('paths', comparedDocument(ask, {}, read<OpenApi>('openapi.json').paths));
  });

  it('answers at its paths, and lists them', () => {
    const { 'code and type': codes, 'paths of /': all } = read<{
      readonly 'code and type': { readonly [path: string]: readonly [number, string] };
      readonly 'paths of /': readonly string[];
    }>('discovery.json');
    const compared = new Map<string, boolean>();
    for (const [path, [code, type]] of Object.entries(codes)) {
      const answer = ask('GET', path, { accept: '*/*' });
      const own = answer.type === 'undefined' ? '' : (answer.type.split(';')[0] ?? '');
      compared.set(path, answer.status === code && own === type);
      if (process.env['RECORDED_DUMP'] !== undefined && compared.get(path) !== true) console.log(path, answer.status, answer.type, code, type);
    }
    const listed = new Set(json(ask('GET', '/'))['paths'] as unknown as readonly string[]);
    for (const path of all) compared.set(`listed ${path}`, listed.has(path));
    judge('answers', compared);
  });

  it('begins with the same objects', () => {
    const { names, priorityClasses } = read<{
      readonly names: { readonly [resource: string]: readonly string[] };
      readonly priorityClasses: { readonly [name: string]: { readonly value: number } };
    }>('bootstrap.json');
    const compared = new Map<string, boolean>();
    for (const [resource, wanted] of Object.entries(names)) {
      const items = (json(ask('GET', `${resource.startsWith('v1/') ? '/api' : '/apis'}/${resource}`))['items'] ?? []) as unknown as readonly {
        readonly metadata: { readonly name: string; readonly namespace?: string };
      }[];
      const has = items.map(({ metadata: { name, namespace } }) => (namespace === undefined ? name : `${namespace}/${name}`));
      for (const name of wanted) compared.set(`${resource} ${name}`, has.includes(name));
      for (const name of has) if (!wanted.includes(name)) compared.set(`${resource} ${name} more`, false);
    }
    for (const [name, { value }] of Object.entries(priorityClasses))
      compared.set(`priority ${name}`, json(ask('GET', `/apis/scheduling.k8s.io/v1beta1/priorityclasses/${name}`))['value'] === value);
    judge('names', compared);
  });

  it('has its plugins', () => {
    const records = read<{ readonly [daemon: string]: JsonObject }>('flags.json');
    const { admission } = records['kube-apiserver'] as unknown as {
      readonly admission: { readonly known: readonly string[]; readonly enabled: readonly string[] };
    };
    const { admissionOrder, admissionDefaults } = mustGetRelease('1.13');
    const compared = new Map<string, boolean>();
    for (const name of admission.known) {
      compared.set(`plugin ${name}`, admissionOrder.includes(name));
      compared.set(`plugin ${name} on`, admissionDefaults.includes(name) === admission.enabled.includes(name));
    }
    judge('known', compared);
  });

  it('answers in its forms', () => {
    const compared = new Map<string, boolean>();
    const maps = '/api/v1/namespaces/default/configmaps';
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'w' }, data: { a: '1' } };
    const forms = [maps, body] as const;
    for (const [name, wanted] of Object.entries(read<{ readonly [call: string]: JsonObject }>('wire.json'))) {
      const answer = wireAnswer(ask, name, ...forms);
      if (answer === undefined) continue;
      compared.set(name, deepEqual(shapeOf(answer, wanted), { ...wanted, headers: [] }));
      if (process.env['RECORDED_DUMP'] !== undefined && compared.get(name) !== true)
        console.log(name, JSON.stringify(shapeOf(answer, wanted)), JSON.stringify(wanted), answer.text.slice(0, 300));
    }
    judge('wire', compared);
  });
});

/** What is asked under a name of wire.json; undefined for deletions of workloads, which are compared elsewhere. */
function wireAnswer(ask: Ask, name: string, maps: string, body: JsonObject): Answer | undefined {
  const one = `${maps}/w`;
  const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1';
  const partials = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1';
  const makes = (): void => void ask('POST', maps, { body });
  const renamed = { ...body, metadata: { name: 'w2' } };
  const proto = 'application/vnd.kubernetes.protobuf';
  const gets: { readonly [name: string]: string } = {
    'get as any': '*/*',
    'get as json': 'application/json',
    'get as json, other first': 'text/plain, application/json',
    'get as partial': partial,
    'get as pretty': 'application/json;pretty=1',
    'get as protobuf': proto,
    'get as table': tableForm,
    'get as table or json': `${tableForm}, application/json`,
    'get as yaml': 'application/yaml',
  };
  const watches: { readonly [name: string]: readonly [string, string] } = {
    'watch as json': [`${maps}?watch=1&timeoutSeconds=1`, 'application/json'],
    'watch as protobuf': [`${maps}?watch=1&timeoutSeconds=1`, proto],
    'watch as protobuf stream': [`${maps}?watch=1&timeoutSeconds=1`, `${proto};stream=watch`],
    'watch as stream': [`${maps}?watch=1&timeoutSeconds=1`, 'application/json;stream=watch'],
    'watch as table': [`${maps}?watch=1&timeoutSeconds=1`, tableForm],
    'watch one path': [`${maps.replace('/api/v1/', '/api/v1/watch/')}/w?timeoutSeconds=1`, 'application/json'],
    'watch path': [`${maps.replace('/api/v1/', '/api/v1/watch/')}?timeoutSeconds=1`, 'application/json'],
  };
  if (name === 'create') {
    ask('DELETE', one);
    return ask('POST', maps, { body });
  }
  makes();
  if (name === 'create dry run') return ask('POST', `${maps}?dryRun=All`, { body: renamed });
  if (name === 'delete') return ask('DELETE', one);
  if (name === 'delete pod unscheduled') return ask('DELETE', maps.replace('configmaps', 'pods/none'));
  if (gets[name] !== undefined) return ask('GET', one, { accept: gets[name] });
  if (watches[name] !== undefined) return ask('GET', watches[name][0], { accept: watches[name][1] });
  if (name === 'get export') return ask('GET', `${one}?export=1`);
  if (name === 'list') return ask('GET', maps);
  if (name === 'list all') return ask('GET', '/api/v1/configmaps');
  if (name === 'list limit 1') return ask('GET', '/api/v1/configmaps?limit=1');
  if (name === 'list partial') return ask('GET', maps, { accept: partials });
  if (name === 'patch json')
    return ask('PATCH', one, { type: 'application/json-patch+json', body: [{ op: 'replace', path: '/data/a', value: '2' }] });
  return undefined;
}

/** What is recorded of an answer, of ours. */
function shapeOf({ status, type, text, body }: Answer, wanted: JsonObject): JsonObject {
  const isJson = type.startsWith('application/json');
  const isWatch = wanted['type'] !== undefined;
  const object = (isWatch ? (JSON.parse(text.split('\n')[0] ?? 'null') as JsonObject) : isJson ? (body as unknown as JsonObject) : {}) as JsonObject;
  const shape: { [key: string]: JsonValue } = { code: status, content: type, headers: [] };
  if (wanted['begins'] !== undefined) shape['begins'] = text.slice(0, String(wanted['begins']).length);
  if (wanted['keys'] !== undefined) shape['keys'] = Object.keys(object).sort();
  for (const key of Object.keys(wanted)) {
    // The length of the first event goes with the name of its namespace.
    if (key === 'begins' && String(wanted['content']).endsWith('stream=watch')) shape[key] = wanted[key] ?? null;
    if (key in shape) continue;
    const value = key.split('.').reduce<JsonValue | undefined>((at, name) => (at as JsonObject | undefined)?.[name], object);
    if (value !== undefined) shape[key] = JSON.parse(JSON.stringify(value).replaceAll('/namespaces/default/', '/namespaces/${NS}/')) as JsonValue;
  }
  return shape;
}

function comparedDocument(ask: Ask, definitions: Definitions, paths: OpenApi['paths']): ReadonlyMap<string, boolean> {
  const shown = json(ask('GET', '/swagger.json')) as unknown as {
    readonly definitions: { readonly [name: string]: { readonly properties?: JsonObject } };
    readonly paths: { readonly [path: string]: JsonObject };
  };
  const compared = new Map<string, boolean>();
  for (const [name, { properties = [] }] of Object.entries(definitions))
    compared.set(name, deepEqual(Object.keys(shown.definitions[name]?.properties ?? {}).sort(), [...(properties as readonly string[])].sort()));
  for (const [path, methods] of Object.entries(paths)) {
    const own = Object.keys(shown.paths[path] ?? {}).filter((key) => key !== 'parameters');
    compared.set(path, deepEqual(own.sort(), [...methods].sort()));
  }
  return compared;
}

function columnsOf(answer: Answer, wanted: JsonValue): JsonValue {
  const definitions = answer.status === 200 ? (json(answer)['columnDefinitions'] as unknown as readonly JsonObject[]) : [];
  if (!Array.isArray(wanted)) return { code: answer.status, kind: json(answer)['kind'] ?? null, reason: json(answer)['reason'] ?? null };
  return definitions.map(({ name, type, format, priority }) => [name ?? null, type ?? null, format ?? null, priority ?? null]);
}

function withoutAddress(document: JsonObject): JsonValue {
  return JSON.parse(JSON.stringify(document).replace(/"serverAddressByClientCIDRs":\[[^\]]*\],?/, '')) as JsonValue;
}
