/** A webhook server of many moods: each path is one of them. Real HTTPS on a port of this machine. */
import { createServer, type Server } from 'node:https';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../../engine/serving/certificates.ts';

type Json = { readonly [key: string]: unknown };

export interface Heard {
  readonly path: string;
  readonly review: Json;
}

export interface HookServer {
  readonly port: number;
  /** Base64, for a configuration. */
  readonly caBundle: string;
  readonly otherCaBundle: string;
  /** What it was asked since it was last taken, without readiness. */
  take(): readonly Heard[];
  /** Called for each review before it is answered. */
  onReview: ((heard: Heard) => Promise<void> | void) | undefined;
  close(): Promise<void>;
}

type Reply = (request: Json, path: string) => Json;

const patch = (operations: unknown, more: Json = {}): Json => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(typeof operations === 'string' ? operations : JSON.stringify(operations)).toString('base64'),
  ...more,
});
const add = (path: string, value: unknown): Json => ({ op: 'add', path, value });

/** Responses to reviews. */
const replies: { readonly [path: string]: Reply } = {
  '/allow': () => ({ allowed: true }),
  '/allow-status': () => ({ allowed: true, status: { code: 403, message: 'not heard' } }),
  '/deny': () => ({ allowed: false }),
  '/deny-message': () => ({ allowed: false, status: { message: 'we are closed' } }),
  '/deny-reason': () => ({ allowed: false, status: { reason: 'Because' } }),
  '/deny-code': () => ({ allowed: false, status: { code: 409, reason: 'Conflict', message: 'twice' } }),
  '/deny-ok': () => ({ allowed: false, status: { code: 200, status: 'Success', message: 'odd' } }),
  '/deny-details': () => ({
    allowed: false,
    status: {
      message: 'see details',
      code: 422,
      reason: 'Invalid',
      details: { name: 'n', kind: 'k', causes: [{ reason: 'R', message: 'm', field: 'f' }] },
    },
  }),
  '/warn': () => ({ allowed: true, warnings: ['first', 'second', 'first', '', 'a "quoted" one', `long ${'x'.repeat(300)}`] }),
  '/warn-much': () => ({ allowed: true, warnings: Array.from({ length: 30 }, (_, i) => `${i} ${'y'.repeat(300)}`) }),
  '/warn-deny': () => ({ allowed: false, warnings: ['before the no'], status: { message: 'no' } }),
  '/annotate': () => ({ allowed: true, auditAnnotations: { key: 'value' } }),
  '/patch-label': () => patch([add('/metadata/labels', { mutated: 'yes' })]),
  '/patch-data': () => patch([add('/data/patched', 'yes')]),
  '/patch-missing': () => patch([add('/spec/deep/field', 1)]),
  '/patch-remove-missing': () => patch([{ op: 'remove', path: '/data/nothing' }]),
  '/patch-replace-missing': () => patch([{ op: 'replace', path: '/data/nothing', value: 'x' }]),
  '/patch-test': () => patch([{ op: 'test', path: '/data/a', value: 'other' }]),
  '/patch-op': () => patch([{ op: 'frobnicate', path: '/data/a' }]),
  '/patch-invalid': () => patch([add('/metadata/labels', { 'bad key!': 'x' })]),
  '/patch-name': () => patch([{ op: 'replace', path: '/metadata/name', value: 'another' }]),
  '/patch-type': () => patch([add('/data', 5)]),
  '/patch-unknown': () => patch([add('/colour', 'blue')]),
  '/patch-untyped': () => patch([add('/data/patched', 'yes')], { patchType: undefined }),
  '/patch-strange-type': () => patch([add('/data/patched', 'yes')], { patchType: 'Merge' }),
  '/patch-garbage': () => patch('not json'),
  '/patch-object': () => patch('{"op":"add"}'),
  '/patch-empty': () => patch([]),
  '/patch-kind': () => patch([{ op: 'replace', path: '/kind', value: 'Secret' }]),
  '/type-without-patch': () => ({ allowed: true, patchType: 'JSONPatch' }),
  '/uid-wrong': () => ({ allowed: true, uid: 'another' }),
  '/trace-a': (request) => trace(request, 'a'),
  '/trace-b': (request) => trace(request, 'b'),
  '/trace-c': (request) => trace(request, 'c'),
  '/stage-2': (request) => (dataOf(request)['stage-1'] === 'yes' ? patch([add('/data/stage-2', 'yes')]) : { allowed: true }),
  '/stage-1': (request) => (dataOf(request)['stage-1'] === 'yes' ? { allowed: true } : patch([add('/data/stage-1', 'yes')])),
};

function dataOf(request: Json): Json {
  return ((request['object'] as { readonly data?: Json } | null)?.data ?? {}) as Json;
}

/** Writes down that it was here. */
function trace(request: Json, mark: string): Json {
  const before = dataOf(request)['trace'] ?? '';
  return patch([add('/data/trace', `${String(before)}${mark}`)]);
}

/** Answers that are no reviews. */
const odd: { readonly [path: string]: (response: ServerResponse, review: Json, body: string) => void } = {
  '/empty': (response) => response.end(),
  '/garbage': (response) => response.end('<html>what?</html>'),
  '/array': (response) => json(response, 200, []),
  '/no-kind': (response, review) => json(response, 200, { apiVersion: review['apiVersion'] }),
  '/no-version': (response, review) => json(response, 200, { kind: review['kind'] }),
  '/wrong-kind': (response) => json(response, 200, { kind: 'Pod', apiVersion: 'v1' }),
  '/other-version': (response, review) => {
    const version = review['apiVersion'] === 'admission.k8s.io/v1' ? 'v1beta1' : 'v1';
    json(response, 200, { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, response: { uid: uidOf(review), allowed: true } });
  },
  '/no-response': (response, review) => json(response, 200, { kind: review['kind'], apiVersion: review['apiVersion'] }),
  '/bad-type': (response, review) =>
    json(response, 200, { kind: review['kind'], apiVersion: review['apiVersion'], response: { uid: uidOf(review), allowed: 'yes' } }),
  '/500': (response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('it broke\n'),
  '/500-html': (response) => void response.writeHead(500, { 'content-type': 'text/html' }).end('<b>it broke</b>'),
  '/500-binary': (response) => void response.writeHead(500, { 'content-type': 'application/octet-stream' }).end('xyz'),
  '/500-status': (response) =>
    json(response, 500, { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'said so', reason: 'Weird', code: 507 }),
  '/404': (response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n'),
  '/400': (response) => void response.writeHead(400, { 'content-type': 'text/plain' }).end('bad\n'),
  '/403': (response) => void response.writeHead(403, { 'content-type': 'text/plain' }).end('not you\n'),
  '/429': (response) => void response.writeHead(429, { 'content-type': 'text/plain' }).end('slower\n'),
  '/503': (response) => void response.writeHead(503, { 'content-type': 'text/plain' }).end('later\n'),
  '/204': (response) => void response.writeHead(204).end(),
  '/302': (response) => void response.writeHead(302, { location: '/allow' }).end(),
  '/307': (response) => void response.writeHead(307, { location: '/allow' }).end(),
  '/loop': (response) => void response.writeHead(307, { location: '/loop' }).end(),
  '/reset': (response) => void response.socket?.destroy(),
  '/slow': (response, review) => void setTimeout(() => json(response, 200, answered(review, { allowed: true })), 2_500),
};

function uidOf(review: Json): unknown {
  return (review['request'] as Json | undefined)?.['uid'];
}

function answered(review: Json, response: Json): Json {
  return { kind: review['kind'], apiVersion: review['apiVersion'], response: { uid: uidOf(review), ...response } };
}

function json(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startHookServer(names: readonly string[] = ['127.0.0.1', 'localhost', 'hook.default.svc']): Promise<HookServer> {
  const authority = createAuthority('hooks');
  const { certificatePem: cert, keyPem: key } = issueCertificate(authority, { commonName: 'hook', names, usage: 'server', days: 2 });
  let heard: Heard[] = [];
  const made: { -readonly [name in keyof HookServer]: HookServer[name] } = {
    port: 0,
    caBundle: Buffer.from(authority.certificatePem).toString('base64'),
    otherCaBundle: Buffer.from(createAuthority('another').certificatePem).toString('base64'),
    take: () => {
      const taken = heard;
      heard = [];
      return taken;
    },
    onReview: undefined,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
  const server: Server = createServer({ cert, key }, (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString();
      const path = (request.url ?? '').split('?')[0] ?? '';
      const review = (body === '' ? {} : JSON.parse(body)) as Json;
      const entry = { path: request.url ?? '', review };
      heard.push(entry);
      void Promise.resolve(made.onReview?.(entry)).then(() => {
        const reply = replies[path];
        if (reply !== undefined) json(response, 200, answered(review, reply((review['request'] ?? {}) as Json, path)));
        else (odd[path] ?? odd['/404'])?.(response, review, body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  made.port = (server.address() as AddressInfo).port;
  return made;
}
