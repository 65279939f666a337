/** What a client on a socket gets that takes gzip: compressed where it is long, as it is where it is short, by either HTTP. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { gunzipSync } from 'node:zlib';
import type { PlainResponse } from '../exchange.ts';
import { type Listener, listen } from '../listener.ts';

const over = 128 * 1024;
let listener: Listener | undefined;
const defects: Error[] = [];

afterEach(async () => {
  await listener?.close();
  expect(defects.splice(0)).toEqual([]);
});

async function serve(body: PlainResponse['body'], more: Partial<PlainResponse> = {}): Promise<void> {
  const headers = { 'content-type': 'application/json', vary: 'Accept' };
  const handler = (): PlainResponse => ({ status: 200, headers, body, gzipOver: over, ...more });
  listener = await listen({ host: '127.0.0.1', port: 0, onDefect: (error) => defects.push(error), handler });
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function ask(acceptEncoding: string | undefined, method = 'GET'): Promise<Answer> {
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: listener?.port ?? 0, headers, method }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    }).on('error', reject);
  });
}

/** Lists write more than one piece for each item, and some nothing for a while. */
function pieces(length: number): Iterable<string> {
  const each = 'ä234567890'.repeat(100);
  const texts: string[] = [];
  let bytes = 0;
  while (bytes < length) {
    texts.push(each, '');
    bytes += Buffer.byteLength(each);
  }
  return texts;
}

const text = (body: Iterable<string>): string => [...body].join('');

test.each([
  ['one text', 'x'.repeat(over + 1)],
  ['pieces', pieces(3_000_000)],
])('%s beyond the threshold leaves compressed, and says so', async (_, body) => {
  await serve(body);
  const { headers, body: compressed } = await ask('deflate, gzip, br');
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept, Accept-Encoding', 'content-type': 'application/json' });
  expect(gunzipSync(compressed).toString()).toBe(typeof body === 'string' ? body : text(body));
  expect(compressed.length).toBeLessThan(over);
});

test.each([
  ['one text', 'x'.repeat(over)],
  ['pieces', pieces(over - 2_000)],
])('%s up to the threshold leaves as it is, with its length', async (_, body) => {
  await serve(body);
  const { headers, body: plain } = await ask('gzip');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['content-length']).toBe(String(plain.length));
  expect(plain.toString()).toBe(typeof body === 'string' ? body : text(body));
});

test.each([undefined, 'identity', 'gzip;q=0', '*', 'deflate, br'])('who takes %s gets no gzip, as from upstream', async (accepted) => {
  await serve(pieces(3_000_000));
  const { headers, body } = await ask(accepted);
  expect(headers['content-encoding']).toBeUndefined();
  expect(body.toString()).toBe(text(pieces(3_000_000)));
});

test.each([
  ['GZIP', true],
  ['br, gzip ; q=0.1', true],
  ['gzip;q=0.00', false],
  ['x-gzip', false],
])('of a document that says that it varies by it, %s is weighed', async (accepted, isCompressed) => {
  await serve('x'.repeat(over + 1), { headers: { 'content-type': 'application/json', vary: ['Accept-Encoding', 'Accept'] } });
  const { headers } = await ask(accepted);
  expect(headers['content-encoding'] === 'gzip').toBe(isCompressed);
});

test('a client that leaves in the middle lets the source end', async () => {
  let over = (): void => undefined;
  const ended = new Promise<void>((resolve) => (over = resolve));
  function* endless(): Iterable<string> {
    try {
      for (let i = 0; ; i++) yield `${i}`.repeat(1000);
    } finally {
      over();
    }
  }
  await serve(endless());
  await new Promise<void>((resolve) => {
    const request = get({ host: '127.0.0.1', port: listener?.port ?? 0, headers: { 'accept-encoding': 'gzip' } }, (response) => {
      response.once('data', () => request.destroy());
      response.on('error', () => undefined);
      response.on('close', resolve);
    });
  });
  await ended;
});

test('a source that breaks leaves no answer that looks whole', async () => {
  function* broken(): Iterable<string> {
    yield* pieces(1_000_000);
    throw new Error('no more');
  }
  await serve(broken());
  await expect(ask('gzip')).rejects.toThrow();
  expect(defects.splice(0).map(({ message }) => message)).toEqual(['no more']);
});
