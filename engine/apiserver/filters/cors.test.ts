/** Which pages may read answers, as a real server with the same option answered. */
import { describe, expect, it } from 'vitest';
import { makeWire } from '../testing/wire.ts';
import { parseCorsOrigins } from './cors.ts';

const path = '/api/v1/namespaces/default/configmaps';
const good = 'https://good.example';

function wire(refuses = false): ReturnType<typeof makeWire> {
  const authorizer = { authorize: () => ({ allowed: !refuses, reason: '' }) };
  return makeWire({ corsOrigins: parseCorsOrigins(['^https://good\\.example$']) as RegExp[], authorizer });
}

describe('pages of other origins', () => {
  it('may read where their origin is named', () => {
    const answer = wire().send('GET', path, '', { origin: good });
    expect([answer.status, answer.headers]).toMatchObject([
      200,
      {
        'access-control-allow-origin': good,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Date',
        'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
      },
    ]);
  });

  it('may read refusals too', () => {
    const answer = wire(true).send('GET', path, '', { origin: good });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, good]);
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Status', reason: 'Forbidden' });
  });

  it('are answered beforehand without a credential and without a look at the path', () => {
    const answer = wire(true).send('OPTIONS', path, '', { origin: good, 'access-control-request-method': 'GET' });
    expect([answer.status, answer.text, answer.headers['access-control-allow-origin']]).toEqual([204, '', good]);
  });

  it.each(['https://bad.example', 'https://good.example.evil', 'http://good.example', `https://good.example${' '.repeat(2000)}`, ''])(
    'are served as everybody where it is not: %s',
    (origin) => {
      const answer = wire().send('GET', path, '', { origin });
      expect([answer.status, Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))]).toEqual([200, []]);
      expect(wire().send('OPTIONS', path, '', { origin }).status).toBe(405);
    },
  );

  it('may follow watches', () => {
    const response = wire().raw('GET', `${path}?watch=true`, '', { origin: good });
    expect(response).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': good } });
  });
});

// Asked of kube-apiserver 1.36.
describe('expressions', () => {
  it.each(['^a$', 'a//b:c', '(^|x)a(:|$)', '//example\\.com(:|$)', ':^a'])('%s is fine', (text) => {
    expect(parseCorsOrigins([text])).toHaveLength(1);
  });

  it.each(['//x', '^x', 'x$', '.*', 'a/b:c', '^($'])('%s is refused', (text) => {
    expect(parseCorsOrigins(['^a$', text])).toContain(text);
  });
});
