/**
 * Who signs the tokens of service accounts, and the keys that tell them: OpenID Connect discovery. Mirrors
 * pkg/serviceaccount/openidmetadata.go and pkg/routes/openidmetadata.go.
 */
import { newGenericServerResponse } from '../../apimachinery/errors.ts';
import type { PublishedIssuer } from '../../contracts/tokens.ts';
import { headerOf, type HttpPlainResponse, type HttpRequest } from '../http-types.ts';
import { negotiateRoute } from '../negotiation.ts';

export const issuerPaths = { configuration: '/.well-known/openid-configuration', keys: '/openid/v1/jwks' } as const;

/** For the option `documents` of the handler of paths that are no resources. `address` is where clients reach the server. */
export function createIssuerDocuments({ issuer, keys, keysUrl = '' }: PublishedIssuer, address: () => string) {
  if (!isDiscoverable(issuer)) return () => undefined;
  const configuration = (): Answer =>
    answer('application/json', {
      issuer,
      jwks_uri: keysUrl || `https://${address()}${issuerPaths.keys}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(keys.map(({ algorithm }) => algorithm))].sort(),
    });
  const published = answer('application/jwk-set+json', { keys: keys.map(({ jwk }) => jwk) });
  const answers: ReadonlyMap<string, () => Answer> = new Map([
    [issuerPaths.configuration, configuration],
    [issuerPaths.keys, () => published],
  ]);
  return (request: HttpRequest, path: string): HttpPlainResponse | undefined => {
    const found = answers.get(path.endsWith('/') ? path.slice(0, -1) : path)?.();
    if (found === undefined) return undefined;
    const { method } = request;
    if (method !== 'GET') throw newGenericServerResponse({ code: 405, verb: method });
    negotiateRoute(headerOf(request, 'accept'), [found.headers['content-type']]);
    return found;
  };
}

type Answer = HttpPlainResponse & { readonly headers: { readonly 'content-type': string } };

function answer(contentType: string, document: object): Answer {
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'public, max-age=3600' }, body: JSON.stringify(document) };
}

/** What no URL of OpenID Connect is nobody looks up. */
export function isDiscoverable(issuer: string): boolean {
  return URL.canParse(issuer) && new URL(issuer).protocol === 'https:' && !/[?#]/.test(issuer);
}
