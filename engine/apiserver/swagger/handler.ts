/** Swagger 1.2 over HTTP: a listing at `/swaggerapi`, and a document below it for each root of paths. Mirrors swagger_webservice.go of go-restful-swagger12. */
import { newGenericServerResponse, newStatusError } from '../../apimachinery/errors.ts';
import { headerOf, type HttpPlainResponse, type HttpRequest } from '../http-types.ts';
import { parseAccept } from '../negotiation.ts';

const root = '/swaggerapi';
/** Below it, segments of a path that a document can be about. */
const segmentsMax = 7;
const notFound = 'ApiDeclaration not found';

export function isSwaggerPath(path: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}

/** `textOf` gives the document about a path, and the listing for an empty one. */
export function answerSwagger(request: HttpRequest, path: string, textOf: (about: string) => string | undefined): HttpPlainResponse {
  const segments = path.slice(root.length).replace(/\/+$/, '').split('/').slice(1);
  if (segments.length > segmentsMax) throw newGenericServerResponse({ code: 404, verb: request.method });
  if (request.method !== 'GET') throw newGenericServerResponse({ code: 405, verb: request.method });
  if (!takesJson(headerOf(request, 'accept') || '*/*')) throw newStatusError(406, 'NotAcceptable', '406: Not Acceptable', {});
  const body = textOf(aboutOf(segments));
  if (body === undefined) return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: notFound };
  return { status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** What comes after an empty segment is not looked at. */
function aboutOf(segments: readonly string[]): string {
  const [first, ...others] = segments;
  if (first === undefined) return '';
  const end = others.indexOf('');
  return `/${[first, ...(end < 0 ? others : others.slice(0, end))].join('/')}`;
}

/** By its name or as anything at all: half a wildcard is none here. */
function takesJson(accept: string): boolean {
  return parseAccept(accept).some(({ type, subtype }) => ['*/*', 'application/json'].includes(`${type}/${subtype}`));
}
