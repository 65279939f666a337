import { expect, test } from 'vitest';
import { createIssuerDocuments } from './issuer-documents.ts';

const answer = createIssuerDocuments({ issuer: 'https://kubernetes.default.svc', keys: [] }, () => '127.0.0.1:6443');
const ask = (path: string, accept: string, method = 'GET') => answer({ method, path, query: '', headers: { accept }, body: new Uint8Array() }, path);

test.each(['/openid/v1/jwks', '/openid/v1/jwks/'])('keys come to who takes their type, at %s', (path) => {
  expect(ask(path, '*/*')?.status).toBe(200);
  expect(ask(path, 'text/html, application/jwk-set+json;q=0.1')?.status).toBe(200);
  expect(() => ask(path, 'application/json')).toThrow('406: Not Acceptable\n\nAvailable representations: application/jwk-set+json');
  expect(() => ask(path, '*/*', 'POST')).toThrow('the server does not allow this method on the requested resource');
});

test('the configuration is JSON, with a slash behind it too', () => {
  expect(ask('/.well-known/openid-configuration/', 'application/json')?.body).toContain('"issuer":"https://kubernetes.default.svc"');
  expect(ask('/.well-known', '*/*')).toBeUndefined();
});
