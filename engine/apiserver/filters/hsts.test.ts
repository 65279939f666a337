/** What browsers are told of TLS, on which answers: as a real server with the same option told it on each that it gave. */
import { describe, expect, it } from 'vitest';
import { makeWire } from '../testing/wire.ts';
import { hstsFault } from './hsts.ts';

const told = 'max-age=31536000; includeSubDomains; preload';

describe('directives about TLS', () => {
  const { send } = makeWire({ hstsDirectives: told.split('; ') });

  it.each([
    ['GET', '/api/v1/namespaces/default/configmaps', 200],
    ['GET', '/api/v1/namespaces/default/configmaps/none', 404],
    ['GET', '/nowhere', 404],
    ['POST', '/api/v1/namespaces/default/configmaps', 400],
  ] as const)('stand on the answer to %s %s', (method, path, status) => {
    const answer = send(method, path, method === 'POST' ? '{' : '', { 'content-type': 'application/json' });
    expect([answer.status, answer.headers['strict-transport-security']]).toEqual([status, told]);
  });

  it('stand nowhere unless somebody asked for them', () => {
    const { headers } = makeWire({}).send('GET', '/api/v1/namespaces/default/configmaps');
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it.each([
    [['max-age=1', 'includeSubDomains', 'preload'], true],
    [['max-age='], true],
    [['max-age'], false],
    [['includeSubdomains'], false],
    [['max-age=1=2'], false],
  ] as const)('are read as upstream reads them: %j', (directives, isRight) => {
    expect(hstsFault(directives) === undefined).toBe(isRight);
  });
});
