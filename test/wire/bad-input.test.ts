/**
 * Bad input over a real connection: each gets the Status that a server of release 1.36.3 gives and leaves no trace. The cases were put
 * to both servers; where words differ on purpose docs/kubectl.md says so.
 */
import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEngine, type ServedEngine } from '../support/engine.ts';

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly reason: string | undefined;
}

const maps = '/api/v1/namespaces/default/configmaps';
const json = 'application/json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const patch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const one = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x1"}}';
const root = `${maps}/kube-root-ca.crt`;

type Case = readonly [name: string, method: string, path: string, body: string, type: string, code: number, message: string];

const cases: readonly Case[] = [
  ['half a document', 'POST', maps, '{', json, 400, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['no document', 'POST', maps, '', json, 400, ''],
  ['a list', 'POST', maps, '[]', json, 400, 'the object provided is unrecognized (must be of type ConfigMap)'],
  ['no name', 'POST', maps, '{"apiVersion":"v1","kind":"ConfigMap"}', json, 422, 'metadata.name: Required value: name or generateName is required'],
  [
    'number for text',
    'POST',
    maps,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x1"},"data":{"a":1}}',
    json,
    400,
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  ['other kind', 'POST', maps, '{"apiVersion":"v1","kind":"Gadget","metadata":{"name":"x1"}}', json, 400, 'Gadget'],
  [
    'other namespace',
    'POST',
    maps,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x1","namespace":"other"}}',
    json,
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
  ['missing namespace', 'POST', '/api/v1/namespaces/nosuch/configmaps', one, json, 404, 'namespaces "nosuch" not found'],
  [
    'bad name',
    'POST',
    maps,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"X_1"}}',
    json,
    422,
    'a lowercase RFC 1123 subdomain must consist of',
  ],
  [
    'unknown fields',
    'POST',
    `${maps}?fieldValidation=Strict`,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x1","bar":2},"foo":1}',
    json,
    400,
    'strict decoding error: unknown field "metadata.bar", unknown field "foo"',
  ],
  ['unknown validation', 'POST', `${maps}?fieldValidation=Bogus`, one, json, 422, 'fieldValidation'],
  ['unknown dry run', 'POST', `${maps}?dryRun=Some`, one, json, 422, 'dryRun'],
  ['unknown media type', 'POST', maps, one, 'text/plain', 415, 'the body of the request was in an unknown format'],
  ['YAML that is none', 'POST', maps, '\tx', 'application/yaml', 400, 'ConfigMap'],
  ['protobuf that is none', 'POST', maps, 'garbage', 'application/vnd.kubernetes.protobuf', 400, 'ConfigMap'],
  ['a truncated envelope', 'POST', maps, 'k8s\0garbage', 'application/vnd.kubernetes.protobuf', 400, 'ConfigMap'],
  [
    'base64 that is none',
    'POST',
    '/api/v1/namespaces/default/secrets',
    '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"x1"},"data":{"a":"not base64!"}}',
    json,
    400,
    'illegal base64 data at input byte',
  ],
  [
    'a quantity that is none',
    'POST',
    '/api/v1/namespaces/default/pods',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x1"},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"lots"}}}]}}',
    json,
    400,
    'quantities must match the regular expression',
  ],
  [
    'nothing in it',
    'POST',
    '/api/v1/namespaces/default/pods',
    '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x1"}}',
    json,
    422,
    'spec.containers: Required value',
  ],
  ['very deep', 'POST', maps, '['.repeat(20_000), json, 400, ''],
  ['the name on the URL', 'PUT', `${maps}/other`, one, json, 400, 'the name of the object (x1) does not match the name on the URL (other)'],
  [
    'an old version',
    'PUT',
    root,
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kube-root-ca.crt","resourceVersion":"1"}}',
    json,
    409,
    'the object has been modified; please apply your changes to the latest version and try again',
  ],
  ['delete nothing', 'DELETE', `${maps}/nosuch`, '', json, 404, 'configmaps "nosuch" not found'],
  ['other uid', 'DELETE', root, '{"preconditions":{"uid":"x"}}', json, 409, 'the UID in the precondition (x) does not match the UID in record'],
  ['unknown policy', 'DELETE', root, '{"propagationPolicy":"Nope"}', json, 422, 'propagationPolicy: Unsupported value: "Nope"'],
  ['patch of no kind', 'PATCH', root, '{}', json, 415, '415: Unsupported Media Type'],
  ['half a patch', 'PATCH', root, '{', merge, 400, ''],
  ['unknown operation', 'PATCH', root, '[{"op":"bogus","path":"/data"}]', patch, 422, ''],
  [
    'a failed test',
    'PATCH',
    root,
    '[{"op":"test","path":"/metadata/name","value":"x"}]',
    patch,
    422,
    'the server rejected our request due to an error in our request',
  ],
  ['no list', 'PATCH', root, '{}', patch, 400, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
  ['patch to a wrong type', 'PATCH', root, '{"immutable":"x"}', strategic, 422, 'patch: Invalid value: "map[immutable:x]": unrecognized type: bool'],
  ['no manager', 'PATCH', `${maps}/a`, '{}', apply, 422, 'fieldManager: Required value: is required for apply patch'],
  ['apply another name', 'PATCH', `${maps}/a?fieldManager=m`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}', apply, 400, 'does not match'],
  [
    'unknown field label',
    'GET',
    `${maps}?fieldSelector=foo%3Dbar`,
    '',
    '',
    400,
    '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
  ],
  ['limit', 'GET', `${maps}?limit=abc`, '', '', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
  ['a selector that is none', 'GET', `${maps}?labelSelector=%21%21`, '', '', 400, 'unable to parse requirement'],
  ['a version that is none', 'GET', `${maps}?resourceVersion=abc`, '', '', 400, 'Invalid value: "abc"'],
  ['a version to come', 'GET', `${maps}?resourceVersion=99999999`, '', '', 504, 'Too large resource version: 99999999'],
  [
    'match without version',
    'GET',
    `${maps}?resourceVersionMatch=Exact`,
    '',
    '',
    422,
    'resourceVersionMatch is forbidden unless resourceVersion is provided',
  ],
  ['a token that is none', 'GET', `${maps}?continue=abc`, '', '', 400, 'continue key is not valid'],
  ['unknown resource', 'GET', '/api/v1/namespaces/default/nosuch', '', '', 404, 'the server could not find the requested resource'],
  ['logs of no pod', 'GET', '/api/v1/namespaces/default/pods/x/log', '', '', 404, 'pods "x" not found'],
];

describe('bad input', () => {
  let engine: ServedEngine['engine'];
  let keys: ServedEngine['keys'];
  let served: ServedEngine;

  beforeAll(async () => {
    served = await anEngine({}, (error) => expect.unreachable(error.message));
    ({ engine, keys } = served);
  });
  afterAll(() => served.close());

  function send(method: string, path: string, body: string | Buffer, type: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${keys.adminToken}`,
      'content-length': Buffer.byteLength(body),
      ...(type === '' ? {} : { 'content-type': type }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${engine.endpoint.server}${path}`, { method, headers, rejectUnauthorized: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const status = JSON.parse(Buffer.concat(chunks).toString()) as { readonly message?: string; readonly reason?: string };
          resolve({ code: response.statusCode ?? 0, message: status.message ?? '', reason: status.reason });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it.each(cases)('%s', async (_name, method, path, body, type, code, message) => {
    const before = engine.branch.cluster.store.currentRevision();
    const answer = await send(method, path, body, type);
    expect(answer).toMatchObject({ code });
    expect(answer.message).toContain(message);
    expect(engine.branch.cluster.store.currentRevision()).toBe(before);
  });

  it('a body over three megabytes', async () => {
    const answer = await send('POST', maps, Buffer.alloc(3 * 1024 * 1024 + 1, 0x20), json);
    expect(answer).toEqual({ code: 413, message: 'Request entity too large: limit is 3145728', reason: 'RequestEntityTooLarge' });
  });

  it('a credential that nobody knows', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      request(`${engine.endpoint.server}/api/v1/pods`, { headers: { authorization: 'Bearer nobody' }, rejectUnauthorized: false }, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toBe(401);
  });

  it.each([
    [
      'a body that ends early',
      (socket: TLSSocket) =>
        socket.end(
          `POST ${maps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.adminToken}\r\nContent-Type: ${json}\r\nContent-Length: 5000\r\n\r\n${one}`,
        ),
    ],
    ['headers that end early', (socket: TLSSocket) => socket.end(`POST ${maps} HTTP/1.1\r\nHost: x\r\nAuth`)],
    ['no HTTP at all', (socket: TLSSocket) => socket.end('\0\0\0hello\r\n\r\n')],
    [
      'a client that vanishes in the middle',
      (socket: TLSSocket) => void socket.write(`POST ${maps} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{`, () => socket.destroy()),
    ],
  ])('%s leaves no trace', async (_name, speak) => {
    const before = engine.branch.cluster.store.currentRevision();
    const { port } = new URL(engine.endpoint.server);
    await new Promise<void>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => speak(socket));
      socket.resume();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
    });
    expect(engine.branch.cluster.store.currentRevision()).toBe(before);
    expect(await send('GET', `${maps}/x1`, '', '')).toMatchObject({ code: 404 });
  });

  it('what never comes to speak TLS is counted', async () => {
    const asked = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${keys.adminToken}` };
        request(`${engine.endpoint.server}/metrics`, { headers, rejectUnauthorized: false }, (response) => {
          let text = '';
          response.on('data', (piece: Buffer) => {
            text += piece.toString();
          });
          response.on('end', () => resolve(text));
        })
          .on('error', reject)
          .end();
      });
    const counted = async (): Promise<number> => Number(/^apiserver_tls_handshake_errors_total (\d+)$/m.exec(await asked())?.[1]);
    const before = await counted();
    await new Promise<void>((resolve) => {
      const socket = connectPlain({ host: '127.0.0.1', port: Number(new URL(engine.endpoint.server).port) }, () =>
        socket.write('GET / HTTP/1.1\r\n\r\n'),
      );
      socket.resume();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => resolve());
    });
    expect(await counted()).toBe(before + 1);
  });
});
