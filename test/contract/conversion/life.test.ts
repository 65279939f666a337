/** Conversion in the life of a cluster: whoever watches, lists and collects meets it, and history holds what was answered. */
import { afterEach, expect, test } from 'vitest';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { adminIdentity } from '../../../engine/cluster/identities.ts';
import type { Answer, Question } from '../../../engine/contracts/questions.ts';
import { aCluster, madeCluster, type TestCluster } from '../../support/cluster.ts';
import { sender } from '../webhooks/inside.ts';
import type { Answered } from '../webhooks/play.ts';
import { definitionOf } from './play.ts';
import type { ConversionServer } from './server.ts';

const group = 'shop.example.com';
const widgets = `/apis/${group}/v2/namespaces/default/widgets`;
const stored = `/apis/${group}/v1/namespaces/default/widgets`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const config = { nodes: 1, seed: 5 };

type Widget = KubeObject & { readonly spec: { readonly address?: string; readonly host?: string; readonly port?: number } };
interface Asked {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Widget[];
}

/** A host that answers for the webhook, as HTTPS would; `isFailing` makes it refuse. */
class Converter {
  readonly asked: string[] = [];
  isFailing = false;

  readonly ask = ({ body }: Question): Promise<Answer> => {
    const { text } = body as unknown as { readonly text: string };
    const { uid, desiredAPIVersion, objects } = (JSON.parse(text) as { readonly request: Asked }).request;
    this.asked.push(`${desiredAPIVersion.slice(group.length + 1)}: ${objects.map(({ metadata }) => metadata.name).join(' ')}`);
    const result = this.isFailing ? { status: 'Failure', message: 'not today' } : { status: 'Success' };
    const response = { uid, result, convertedObjects: objects.map((object) => converted(object, desiredAPIVersion)) };
    const answer = JSON.stringify({ kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response });
    return Promise.resolve({ outcome: 'answered', body: { code: 200, text: answer, contentType: 'application/json', retryAfter: '' } as JsonValue });
  };
}

function converted(object: Widget, apiVersion: string): object {
  const { address, host, port } = object.spec;
  if (address === undefined) return { ...object, apiVersion, spec: { address: `${host}:${port}` } };
  const [name, number] = address.split(':');
  return { ...object, apiVersion, spec: { host: name, port: Number(number) } };
}

const nowhere = { port: 1, caBundle: '', otherCaBundle: '' } as ConversionServer;
const widget = (version: string, name: string, spec: object, more: object = {}): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Widget',
  metadata: { name, ...more },
  spec,
});

async function must(answered: Promise<Answered>): Promise<Widget> {
  const { code, body } = await answered;
  expect(code, JSON.stringify(body)).toBeLessThan(300);
  return body as Widget;
}

let closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers) close();
  closers = [];
});

async function withWidgets(converter: Converter): Promise<{ readonly tank: TestCluster; readonly send: ReturnType<typeof sender> }> {
  const tank = await aCluster(config, { ask: converter.ask });
  const send = sender(() => tank);
  await must(send({ method: 'POST', path: definitions, body: definitionOf(group, nowhere) }));
  await tank.advance(5_000);
  return { tank, send };
}

/** Follows widgets in another version than the stored one. */
async function follow(tank: TestCluster, query: string): Promise<string[]> {
  const response = await tank.door.serve({
    method: 'GET',
    path: widgets,
    query,
    headers: { accept: 'application/json', 'user-agent': 'test' },
    body: new Uint8Array(),
    identity: adminIdentity,
  });
  if (!('open' in response)) throw new Error('a stream was expected');
  const seen: string[] = [];
  const write = (chunk: unknown): void => {
    const made = typeof chunk === 'function' ? (chunk as () => unknown)() : chunk;
    const text = typeof made === 'string' ? made : new TextDecoder().decode(made as Uint8Array);
    const { type, object } = JSON.parse(text) as { readonly type: string; readonly object: Widget & { readonly message?: string } };
    seen.push(type === 'ERROR' ? `ERROR ${object.message}` : `${type} ${object.metadata.name} ${object.apiVersion.slice(-2)} ${object.spec.address}`);
  };
  closers.push(response.open({ write, end: () => void seen.push('end') } as never));
  return seen;
}

/** Until all that was asked is answered. */
const answers = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(() => setImmediate(resolve))));

test('a list of another version is one question, with what is not of that version yet', async () => {
  const converter = new Converter();
  const { send } = await withWidgets(converter);
  await must(send({ method: 'POST', path: stored, body: widget('v1', 'a', { host: 'h', port: 1 }) }));
  await must(send({ method: 'POST', path: stored, body: widget('v1', 'b', { host: 'h', port: 2 }) }));
  converter.asked.length = 0;
  const { items } = (await must(send({ method: 'GET', path: widgets }))) as unknown as { readonly items: readonly Widget[] };
  expect(items.map(({ apiVersion, spec }) => `${apiVersion} ${spec.address}`)).toEqual([`${group}/v2 h:1`, `${group}/v2 h:2`]);
  expect(converter.asked).toEqual(['v2: a b']);
});

test('whoever follows another version is told each change in it, in order, and what failed ends the stream', async () => {
  const converter = new Converter();
  const { tank, send } = await withWidgets(converter);
  await must(send({ method: 'POST', path: stored, body: widget('v1', 'a', { host: 'h', port: 1 }) }));
  const seen = await follow(tank, 'watch=true');
  await answers();
  await must(send({ method: 'POST', path: stored, body: widget('v1', 'b', { host: 'h', port: 2 }) }));
  await must(send({ method: 'DELETE', path: `${stored}/a` }));
  await answers();
  expect(seen).toEqual(['ADDED a v2 h:1', 'ADDED b v2 h:2', 'DELETED a v2 h:1']);
  converter.isFailing = true;
  await must(send({ method: 'DELETE', path: `${stored}/b` }));
  await answers();
  expect(seen.slice(3)).toEqual([`ERROR conversion webhook for ${group}/v1, Kind=Widget failed: not today`, 'end']);
});

/** Widgets of v2 can be selected by their address, which v1 does not have. */
async function withAddresses(converter: Converter): Promise<{ readonly tank: TestCluster; readonly send: ReturnType<typeof sender> }> {
  const tank = await aCluster(config, { ask: converter.ask });
  const send = sender(() => tank);
  const definition = definitionOf(group, nowhere) as { readonly spec: { readonly versions: readonly { readonly name: string }[] } };
  const selectable = { v1: '.spec.host', v2: '.spec.address' } as const;
  const versions = definition.spec.versions.map((version) =>
    version.name in selectable ? { ...version, selectableFields: [{ jsonPath: selectable[version.name as 'v1' | 'v2'] }] } : version,
  );
  await must(send({ method: 'POST', path: definitions, body: { ...definition, spec: { ...definition.spec, versions } } }));
  await tank.advance(5_000);
  for (const [i, name] of ['a', 'b', 'c', 'd'].entries())
    await must(send({ method: 'POST', path: stored, body: widget('v1', name, { host: 'h', port: 1 + (i % 2) }) }));
  converter.asked.length = 0;
  return { tank, send };
}

test('selectors of a version look at what the webhook made of an object, in whole lists, pages and deletions', async () => {
  const converter = new Converter();
  const { send } = await withAddresses(converter);
  type Page = { readonly items: readonly Widget[]; readonly metadata: { readonly continue?: string } };
  const list = async (query: string): Promise<Page> => (await must(send({ method: 'GET', path: `${widgets}?${query}` }))) as unknown as Page;
  const names = ({ items }: Page): readonly string[] => items.map(({ metadata }) => metadata.name ?? '');
  expect(names(await list('fieldSelector=spec.address=h:1'))).toEqual(['a', 'c']);
  expect(converter.asked).toEqual(['v2: a b c d']);
  expect(names(await list('fieldSelector=spec.address!=h:1'))).toEqual(['b', 'd']);
  expect(names(await list('fieldSelector=spec.address=h:2,metadata.name=b'))).toEqual(['b']);
  const first = await list('fieldSelector=spec.address=h:2&limit=1');
  expect(names(first)).toEqual(['b']);
  const rest = await list(`fieldSelector=spec.address=h:2&limit=1&continue=${first.metadata.continue}`);
  expect([names(rest), rest.metadata.continue]).toEqual([['d'], '']);
  await must(send({ method: 'DELETE', path: `${widgets}?fieldSelector=spec.address=h:1` }));
  expect(names(await list(''))).toEqual(['b', 'd']);
});

test('what comes to match a selector in the version of a watch is added, what ceases to is deleted', async () => {
  const converter = new Converter();
  const { tank, send } = await withAddresses(converter);
  const seen = await follow(tank, 'watch=true&fieldSelector=spec.address=h:1');
  await answers();
  expect(seen).toEqual(['ADDED a v2 h:1', 'ADDED c v2 h:1']);
  const setPort = (name: string, port: number): Promise<Widget> =>
    must(send({ method: 'PATCH', path: `${stored}/${name}`, body: { spec: { port } }, contentType: 'application/merge-patch+json' }));
  await setPort('a', 3);
  await setPort('b', 1);
  await answers();
  await setPort('d', 4);
  await must(send({ method: 'PATCH', path: `${stored}/c`, body: { metadata: { labels: { x: 'y' } } }, contentType: 'application/merge-patch+json' }));
  await must(send({ method: 'DELETE', path: `${stored}/b` }));
  await must(send({ method: 'DELETE', path: `${stored}/d` }));
  await answers();
  expect(seen.slice(2)).toEqual(['DELETED a v2 h:1', 'ADDED b v2 h:1', 'MODIFIED c v2 h:1', 'DELETED b v2 h:1']);
});

test('a write in another version is stored as it was converted; a replay asks nobody and comes to the same digest', async () => {
  const converter = new Converter();
  const { tank, send } = await withWidgets(converter);
  const made = await must(send({ method: 'POST', path: widgets, body: widget('v2', 'owner', { address: 'o:1' }) }));
  const owners = [{ apiVersion: `${group}/v2`, kind: 'Widget', name: 'owner', uid: made.metadata.uid }];
  await must(send({ method: 'POST', path: widgets, body: widget('v2', 'owned', { address: 'p:2' }, { ownerReferences: owners }) }));
  expect((await must(send({ method: 'GET', path: `${stored}/owner` }))).spec).toEqual({ host: 'o', port: 1 });
  await tank.advance(60_000);
  await must(send({ method: 'DELETE', path: `${widgets}/owner` }));
  for (let i = 0; i < 40; i++) {
    await tank.advance(2_000);
    await answers();
  }
  expect((await send({ method: 'GET', path: `${stored}/owned` })).code).toBe(404);

  const again = madeCluster(config);
  await again.cluster.start();
  again.door.beginReplay();
  for (const input of tank.inputs) {
    await again.cluster.loop.run(Number.POSITIVE_INFINITY, input.tasksRun);
    again.cluster.loop.advanceIdleTo(input.nowMs);
    again.door.replay(input);
  }
  again.door.endReplay();
  await again.cluster.loop.run(tank.cluster.loop.nowMs());
  expect(again.cluster.digest).toBe(tank.cluster.digest);
});

test("a simulated pod of agnhost converts what upstream's tests send it, without a question", async () => {
  const converter = new Converter();
  const tank = await aCluster({ nodes: 1 }, { ask: converter.ask });
  const send = sender(() => tank);
  const labels = { app: 'converter' };
  const container = {
    name: 'c',
    image: 'registry.k8s.io/e2e-test-images/agnhost:2.53',
    args: ['crd-conversion-webhook', '--port=9444'],
    readinessProbe: { httpGet: { scheme: 'HTTPS', port: 9444, path: '/readyz' }, periodSeconds: 1 },
  };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'converter', labels }, spec: { containers: [container] } };
  await must(send({ method: 'POST', path: '/api/v1/namespaces/default/pods', body: pod }));
  const ports = [{ port: 9443, targetPort: 9444 }];
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'converter' }, spec: { selector: labels, ports } };
  await must(send({ method: 'POST', path: '/api/v1/namespaces/default/services', body: service }));
  const text = { type: 'string' };
  const version = (name: string, properties: object): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties } },
  });
  const webhook = {
    conversionReviewVersions: ['v1'],
    clientConfig: {
      caBundle: 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==',
      service: { namespace: 'default', name: 'converter', path: '/crdconvert', port: 9443 },
    },
  };
  const spec = {
    group: 'stable.example.com',
    scope: 'Namespaced',
    names: { plural: 'places', singular: 'place', kind: 'Place', listKind: 'PlaceList' },
    versions: [version('v1', { hostPort: text }), version('v2', { host: text, port: text })],
    conversion: { strategy: 'Webhook', webhook },
  };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'places.stable.example.com' },
    spec,
  };
  await must(send({ method: 'POST', path: definitions, body: definition }));
  await tank.advance(30_000);
  const place = { apiVersion: 'stable.example.com/v1', kind: 'Place', metadata: { name: 'p' }, hostPort: 'here:80' };
  await must(send({ method: 'POST', path: '/apis/stable.example.com/v1/namespaces/default/places', body: place }));
  const read = await must(send({ method: 'GET', path: '/apis/stable.example.com/v2/namespaces/default/places/p' }));
  expect(read).toMatchObject({ apiVersion: 'stable.example.com/v2', host: 'here', port: '80' });
  expect(converter.asked).toEqual([]);
});
