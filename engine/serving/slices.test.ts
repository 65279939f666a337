/** Long answers and light ones on one listener. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { listen, type Listener } from './listener.ts';
import { Slices } from './slices.ts';

test('answers take turns, one piece each', async () => {
  const slices = new Slices();
  const seen: string[] = [];
  await new Promise<void>((resolve) => {
    const add = (name: string, pieces: number): void => {
      let left = pieces;
      slices.add(() => {
        seen.push(name);
        left--;
        if (seen.length === 6) resolve();
        return left > 0;
      });
    };
    add('a', 3);
    add('b', 1);
    add('c', 2);
  });
  expect(seen).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
});

test('what is short leaves before a share begins', async () => {
  const seen: string[] = [];
  const slices = new Slices(() => seen.push('short'));
  await new Promise<void>((resolve) => {
    slices.add(() => {
      seen.push('long');
      resolve();
      return false;
    });
  });
  expect(seen).toEqual(['short', 'long']);
});

function get(listener: Listener, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: listener.port, host: '127.0.0.1', path }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

test('a light request is answered while a list is encoded that has no byte to send yet', async () => {
  let isLightServed = false;
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    onDefect: (error) => expect.unreachable(error.message),
    handler: ({ path }) => {
      if (path === '/light') isLightServed = true;
      return { status: 200, headers: {}, body: path === '/light' ? 'light' : heavy() };
    },
  });
  function* heavy(): Iterable<string> {
    // Held up, the light request would never come, and this would never end.
    while (!isLightServed) yield '';
    yield 'hea';
    yield 'vy';
  }
  const [long, light] = await Promise.all([
    get(listener, '/heavy'),
    new Promise((resolve) => setImmediate(resolve)).then(() => get(listener, '/light')),
  ]);
  expect([long, light]).toEqual(['heavy', 'light']);
  await listener.close();
});

test('a list that breaks off half way is no whole answer', async () => {
  const defects: string[] = [];
  const listener = await listen({
    host: '127.0.0.1',
    port: 0,
    onDefect: (error) => defects.push(error.message),
    handler: () => ({ status: 200, headers: {}, body: broken() }),
  });
  function* broken(): Iterable<string> {
    yield 'first';
    throw new Error('no second');
  }
  await expect(get(listener, '/')).rejects.toThrow();
  expect(defects).toEqual(['no second']);
  await listener.close();
});
