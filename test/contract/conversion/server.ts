/** A webhook that converts widgets, of many moods: each path is one of them. Real HTTPS on a port of this machine. */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../../engine/serving/certificates.ts';

export type Json = { readonly [key: string]: unknown };

export interface Heard {
  readonly path: string;
  readonly review: Json;
}

export interface ConversionServer {
  readonly port: number;
  /** Base64, for a definition. */
  readonly caBundle: string;
  readonly otherCaBundle: string;
  /** What it was asked since it was last taken. */
  take(): readonly Heard[];
  close(): Promise<void>;
}

interface Asked {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly Json[];
}

/** v1 has `spec.host` and `spec.port`, v2 has `spec.address` for both, v3 has them in `spec.at`. */
function converted(object: Json, apiVersion: string): Json {
  const { host, port, address, at, ...rest } = (object['spec'] ?? {}) as Json;
  const given = at !== undefined ? at : address !== undefined ? fromAddress(String(address)) : { host, port };
  const place = given as { readonly host?: unknown; readonly port?: unknown };
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const { spec: _, ...others } = object;
  if (place.host === undefined && place.port === undefined) return { ...object, apiVersion };
  const spec =
    version === 'v1'
      ? { ...rest, ...place }
      : version === 'v2'
        ? { ...rest, address: `${String(place.host)}:${String(place.port)}` }
        : { ...rest, at: place };
  return { ...others, apiVersion, spec };
}

function fromAddress(address: string): Json {
  const [host = '', port = '0'] = address.split(':');
  return { host, port: Number(port) };
}

const meta = (object: Json): Json => object['metadata'] as Json;
const withMeta = (object: Json, more: Json): Json => ({ ...object, metadata: { ...meta(object), ...more } });
type Change = (object: Json) => unknown;

/** What each mood makes of a converted object. */
const changes: { readonly [mood: string]: Change } = {
  '/convert': (object) => object,
  '/version-kept': (object) => ({ ...object, apiVersion: String(object['apiVersion']).replace(/v\d$/, 'v1') }),
  '/other-kind': (object) => ({ ...object, kind: 'Gadget' }),
  '/other-name': (object) => withMeta(object, { name: 'another' }),
  '/other-namespace': (object) => withMeta(object, { namespace: 'kube-system' }),
  '/other-uid': (object) => withMeta(object, { uid: 'none' }),
  '/no-metadata': ({ metadata: _, ...rest }) => rest,
  '/name-alone': (object) => ({
    ...object,
    metadata: { name: meta(object)['name'], namespace: meta(object)['namespace'], uid: meta(object)['uid'] },
  }),
  '/labels-text': (object) => withMeta(object, { labels: 'none' }),
  '/label-number': (object) => withMeta(object, { labels: { a: 1 } }),
  '/label-bad': (object) => withMeta(object, { labels: { 'bad key!': 'x', fine: 'not fine at all!' } }),
  '/annotation-bad': (object) => withMeta(object, { annotations: { 'bad key!': 'x' } }),
  '/labelled': (object) => withMeta(object, { labels: { was: 'converted' }, annotations: { 'example.com/by': 'webhook' } }),
  '/finalizers': (object) => withMeta(object, { finalizers: ['example.com/f'], generation: 77, ownerReferences: [] }),
  '/unknown-field': (object) => ({ ...object, colour: 'blue', spec: { ...(object['spec'] as Json), shade: 'dark' } }),
  '/wrong-type': (object) => ({ ...object, spec: { ...(object['spec'] as Json), size: 'huge', address: 5, host: 5 } }),
  '/status-too': (object) => ({ ...object, status: { phase: 'Converted' } }),
  '/version-elsewhere': (object) => ({ ...object, apiVersion: 'elsewhere.example.com/v1' }),
  '/no-kind': ({ kind: _, ...rest }) => rest,
  '/empty-kind': (object) => ({ ...object, kind: '' }),
  '/list-kind': (object) => ({ ...object, kind: 'WidgetList', items: [object] }),
  '/null-metadata': (object) => ({ ...object, metadata: null }),
  '/text-metadata': (object) => ({ ...object, metadata: 'none' }),
  '/other-generate-name': (object) => withMeta(object, { generateName: 'gen-' }),
  '/other-revision': (object) => withMeta(object, { resourceVersion: '1' }),
  '/other-times': (object) => withMeta(object, { creationTimestamp: '2000-01-01T00:00:00Z', deletionTimestamp: '2000-01-01T00:00:00Z' }),
  '/no-managers': (object) => withMeta(object, { managedFields: null }),
  '/odd-managers': (object) => withMeta(object, { managedFields: [{ manager: 'x' }] }),
  '/null-labels': (object) => withMeta(object, { labels: null, annotations: null }),
  '/annotation-number': (object) => withMeta(object, { annotations: { a: 1 } }),
  '/annotation-large': (object) => withMeta(object, { annotations: { a: 'x'.repeat(300_000) } }),
  '/label-long': (object) => withMeta(object, { labels: { a: 'x'.repeat(64) } }),
  '/unknown-metadata': (object) => withMeta(object, { colour: 'blue' }),
  '/null-spec': (object) => ({ ...object, spec: null }),
  '/text-spec': (object) => ({ ...object, spec: 'none' }),
  '/too-large': (object) => ({ ...object, spec: { ...(object['spec'] as Json), size: 1000 } }),
  '/fraction': (object) => ({ ...object, spec: { ...(object['spec'] as Json), size: 1.5 } }),
  '/whole-fraction': (object) => ({ ...object, spec: { ...(object['spec'] as Json), size: 2.0 } }),
  '/list-object': () => [],
  '/empty-object': () => ({}),
  '/null-object': () => null,
  '/text-object': () => 'hello',
  '/no-version': ({ apiVersion: _, ...rest }) => rest,
};

type Odd = (response: ServerResponse, review: Json, asked: Asked) => void;

/** Answers that are not made of converted objects. */
const odd: { readonly [mood: string]: Odd } = {
  '/failed': (response, review, { uid }) => answer(response, review, { uid, result: { status: 'Failure', message: 'will not do' } }),
  '/failed-mute': (response, review, { uid }) => answer(response, review, { uid, result: { status: 'Failure' } }),
  '/no-result': (response, review, { uid, objects, desiredAPIVersion }) =>
    answer(response, review, { uid, convertedObjects: objects.map((one) => converted(one, desiredAPIVersion)) }),
  '/strange-result': (response, review, { uid }) => answer(response, review, { uid, result: { status: 'Weird' } }),
  '/wrong-uid': (response, review, asked) => answer(response, review, { ...successOf(asked), uid: 'another' }),
  '/no-uid': (response, review, asked) => answer(response, review, { ...successOf(asked), uid: undefined }),
  '/no-objects': (response, review, { uid }) => answer(response, review, { uid, result: { status: 'Success' } }),
  '/reordered': (response, review, asked) => {
    const objects = successOf(asked)['convertedObjects'] as readonly Json[];
    answer(response, review, { ...successOf(asked), convertedObjects: objects.toReversed() });
  },
  '/last-renamed': (response, review, asked) => {
    const objects = successOf(asked)['convertedObjects'] as readonly Json[];
    const change = (object: Json, index: number): Json => (index < objects.length - 1 ? object : withMeta(object, { name: 'another' }));
    answer(response, review, { ...successOf(asked), convertedObjects: objects.map(change) });
  },
  '/one-too-few': (response, review, asked) => {
    const objects = successOf(asked)['convertedObjects'] as readonly Json[];
    answer(response, review, { ...successOf(asked), convertedObjects: objects.slice(1) });
  },
  '/failed-reason': (response, review, { uid }) =>
    answer(response, review, { uid, result: { status: 'Failure', reason: 'NotFound', code: 404, message: 'will not\ndo "it"' } }),
  '/failed-details': (response, review, asked) =>
    answer(response, review, {
      ...successOf(asked),
      result: { status: 'Failure', reason: 'Invalid', details: { causes: [{ field: 'f', message: 'm' }] } },
    }),
  '/one-too-many': (response, review, asked) => {
    const objects = successOf(asked)['convertedObjects'] as readonly Json[];
    answer(response, review, { ...successOf(asked), convertedObjects: [...objects, objects[0]] });
  },
  '/no-response': (response, review) => json(response, 200, { kind: review['kind'], apiVersion: review['apiVersion'] }),
  '/other-review': (response, _review, asked) => json(response, 200, { kind: 'Pod', apiVersion: 'v1', response: successOf(asked) }),
  '/other-version': (response, review, asked) => {
    const version = review['apiVersion'] === 'apiextensions.k8s.io/v1' ? 'v1beta1' : 'v1';
    json(response, 200, { kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, response: successOf(asked) });
  },
  '/bare': (response, _review, asked) => json(response, 200, { response: successOf(asked) }),
  '/bad-type': (response, review, { uid }) => answer(response, review, { uid, convertedObjects: 5, result: { status: 'Success' } }),
  '/empty': (response) => response.end(),
  '/garbage': (response) => response.end('<html>what?</html>'),
  '/500': (response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('it broke\n'),
  '/500-status': (response) =>
    json(response, 500, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'said so', reason: 'Weird', code: 507 }),
  '/404': (response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n'),
  '/reset': (response) => void response.socket?.destroy(),
};

function successOf({ uid, objects, desiredAPIVersion }: Asked, change: Change = (object) => object): Json {
  return { uid, convertedObjects: objects.map((one) => change(converted(one, desiredAPIVersion))), result: { status: 'Success' } };
}

function answer(response: ServerResponse, review: Json, said: Json): void {
  json(response, 200, { kind: review['kind'], apiVersion: review['apiVersion'], response: said });
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startConversionServer(
  names: readonly string[] = ['127.0.0.1', 'localhost', 'converter.default.svc'],
): Promise<ConversionServer> {
  const authority = createAuthority('converters');
  const { certificatePem: cert, keyPem: key } = issueCertificate(authority, { commonName: 'converter', names, usage: 'server', days: 2 });
  let heard: Heard[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const review = JSON.parse(Buffer.concat(pieces).toString()) as Json;
      heard.push({ path: request.url ?? '', review });
      const asked = review['request'] as Asked;
      const change = changes[path];
      if (change !== undefined) answer(response, review, successOf(asked, change));
      else (odd[path] ?? odd['/404'])?.(response, review, asked);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    otherCaBundle: Buffer.from(createAuthority('another').certificatePem).toString('base64'),
    take: () => {
      const taken = heard;
      heard = [];
      return taken;
    },
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}
