/** What every request passes before a handler sees it, and what becomes of its answer. */
import { describe, expect, it } from 'vitest';
import type { Authorizer } from '../authorizer.ts';
import type { Codec } from '../codec.ts';
import { createDefaultCodec } from '../default-codec.ts';
import { defineKind } from '../../contracts/kind.ts';
import { cm, configMaps, makeWire, schemas } from '../testing/wire.ts';
import { enterNow } from '../../registry/testing/serve-now.ts';
import { warningHeaders } from './warnings.ts';

const path = '/api/v1/namespaces/default/configmaps';

/** Only `alice` may, and every look at a body is counted. */
function guarded(): { readonly wire: ReturnType<typeof makeWire>; readonly decoded: () => number; readonly inputs: () => number } {
  let decoded = 0;
  const codec = createDefaultCodec(schemas);
  const counting: Codec = {
    ...codec,
    decode: (...args) => {
      decoded++;
      return codec.decode(...args);
    },
  };
  const authorizer: Authorizer = { authorize: ({ name }) => ({ allowed: name === 'alice', reason: '' }) };
  const tokens = [(token: string) => (token === 'secret' ? { identity: { name: 'alice', groups: [] }, audiences: [] } : undefined)];
  const wire = makeWire({
    codec: counting,
    authorizer,
    authentication: { tokens, anonymous: { isEnabled: true }, requestHeader: undefined, certificatesHaveUids: true },
  });
  let inputs = 0;
  const send: typeof wire.send = (method, target, body = '', headers = {}) => {
    const [plain = '', query = ''] = target.split('?');
    const request = { method, path: plain, query, headers, body: new TextEncoder().encode(body) };
    const response = wire.http.handle(request, (admitted, changesState, serve) => {
      if (changesState) inputs++;
      return enterNow(wire.registry)(admitted, changesState, serve);
    });
    if (!('body' in response)) throw new Error('a stream came back');
    return { status: response.status, headers: response.headers, text: String(response.body), bytes: new Uint8Array() };
  };
  return { wire: { ...wire, send }, decoded: () => decoded, inputs: () => inputs };
}

describe('who may not costs no work', () => {
  it('a stranger is refused before a byte of the body is looked at, and nothing is written down', () => {
    const { wire, decoded, inputs } = guarded();
    const answer = wire.send('POST', path, cm('a'));
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('User \\"system:anonymous\\" cannot create resource \\"configmaps\\" in API group');
    expect(wire.send('POST', '/apis/x.y/v1/foos', '{').status).toBe(403);
    expect(wire.send('GET', '/apis').status).toBe(403);
    expect([decoded(), inputs()]).toEqual([0, 0]);
  });

  it('an unknown token is refused, a known one is let in', () => {
    const { wire, inputs } = guarded();
    const unknown = wire.send('POST', path, cm('a'), { authorization: 'Bearer wrong' });
    expect([unknown.status, JSON.parse(unknown.text).reason]).toEqual([401, 'Unauthorized']);
    expect(wire.send('POST', path, cm('a'), { authorization: 'Bearer secret' }).status).toBe(201);
    expect(inputs()).toBe(1);
  });

  it('what cannot be read never becomes an input of history', () => {
    const { wire, inputs } = guarded();
    const alice = { authorization: 'Bearer secret' };
    expect(wire.send('POST', path, '{', alice).status).toBe(400);
    expect(wire.send('POST', `${path}?dryRun=Some`, cm('a'), alice).status).toBe(422);
    expect(wire.send('POST', path, cm('a'), { ...alice, accept: 'text/html' }).status).toBe(406);
    expect(wire.send('PUT', path, cm('a'), alice).status).toBe(405);
    expect(wire.send('GET', `${path}/a`, '', alice).status).toBe(404);
    expect(inputs()).toBe(0);
  });

  it('a failure is said in the form that was asked for', () => {
    const { wire } = guarded();
    const answer = wire.send('GET', path, '', { authorization: 'Bearer wrong', accept: 'application/yaml' });
    expect(answer.headers['content-type']).toBe('application/yaml');
    expect(answer.text).toContain('reason: Unauthorized');
  });
});

it('a defect in a handler is answered with 500 and told, and the server goes on', () => {
  const told: string[] = [];
  const wire = makeWire({
    healthChecks: [
      {
        name: 'broken',
        check: () => {
          throw new TypeError('no such thing');
        },
      },
    ],
    onPanic: (error, what) => told.push(`${what}: ${String(error)}`),
  });
  const answer = wire.send('GET', '/healthz');
  expect([answer.status, answer.text]).toEqual([500, 'This request caused apiserver to panic. Look in the logs for details.\n']);
  expect(told).toEqual(['GET /healthz: TypeError: no such thing']);
  expect(wire.send('GET', '/version').status).toBe(200);
});

it('a defect met while a request acts on the state is answered with 500', () => {
  const told: string[] = [];
  const broken = defineKind({
    ...configMaps,
    kind: 'Broken',
    plural: 'brokens',
    singular: 'broken',
    storagePrefix: 'brokens',
    validate: () => {
      throw new TypeError('no such thing');
    },
  });
  const wire = makeWire({ onPanic: (error, what) => told.push(`${what}: ${String(error)}`) }, [], [broken]);
  expect(wire.send('POST', path.replace('configmaps', 'brokens'), '{"metadata":{"name":"a"}}').status).toBe(500);
  expect(told).toEqual([`POST ${path.replace('configmaps', 'brokens')}: TypeError: no such thing`]);
});

it.each([
  ['5', 'time: missing unit in duration \\"5\\"'],
  ['5x', 'time: unknown unit \\"x\\" in duration \\"5x\\"'],
  ['x', 'time: invalid duration \\"x\\"'],
])('a timeout of %s is refused in words', (timeout, text) => {
  const answer = makeWire().send('GET', `${path}?timeout=${timeout}`);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(`invalid timeout specified in the request URL - ${text}`);
});

it('watches have no deadline', () => {
  expect(makeWire().raw('GET', `${path}?watch=true&timeout=5`)).toMatchObject({ status: 200 });
});

describe('warnings', () => {
  it('texts in any script travel as the bytes of their UTF-8', () => {
    const [header = ''] = warningHeaders(['Größe "日本" \\ 🙂']);
    expect(new TextDecoder().decode(Uint8Array.from(header, (character) => character.charCodeAt(0)))).toBe('299 - "Größe \\"日本\\" \\\\ 🙂"');
    expect([...header].every((character) => character.charCodeAt(0) < 256)).toBe(true);
  });

  it('what no header can hold is left out, what was said is not said again', () => {
    expect(warningHeaders(['a\nb', 'bell \u0007', 'c1 \u0085', 'half \ud800', '', 'plain', 'plain'])).toEqual(['299 - "plain"']);
  });

  it('too many are cut to 256 characters each, up to four thousand together', () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(298)}`);
    const headers = warningHeaders(texts);
    expect(headers).toHaveLength(16);
    expect(headers[0]).toBe(`299 - "00${'x'.repeat(254)}"`);
  });

  it('an unknown field with a name in another script is stored and warned of', () => {
    const wire = makeWire();
    const answer = wire.send('POST', path, '{"metadata":{"name":"a"},"größe":1}');
    expect(answer.status).toBe(201);
    expect(answer.headers['warning']).toEqual(['299 - "unknown field \\"gr\u00c3\u00b6\u00c3\u009fe\\""']);
  });
});
