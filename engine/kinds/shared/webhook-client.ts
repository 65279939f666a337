/** Where a webhook is reached. Mirrors apiserver pkg/util/webhook/validation.go. */
import { type FieldPath, invalid, required } from '../../apimachinery/field-errors.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { isDNS1123Subdomain, isValidPortNum } from '../../apimachinery/validation.ts';
import type { Faults } from '../core/v1/resource-validation.ts';

export interface WebhookClient {
  readonly url?: string;
  readonly service?: { readonly namespace?: string; readonly name?: string; readonly path?: string; readonly port?: number };
}

const form = '; desired format: https://host[/path]';

/** Exactly one of URL and service, and that one well-formed. `takesPlain`: http will do. */
export function validateWebhookClient({ url, service }: WebhookClient, path: FieldPath, out: Faults, takesPlain = false): void {
  if ((url === undefined) === (service === undefined)) out.push(required(path, 'exactly one of url or service is required'));
  else if (url !== undefined) validateUrl(url, path.child('url'), takesPlain, out);
  else if (service !== undefined) validateService(service, path.child('service'), out);
}

interface ParsedUrl {
  readonly scheme: string;
  readonly user: string;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

function validateUrl(text: string, path: FieldPath, takesPlain: boolean, out: Faults): void {
  const parsed = parseUrl(text);
  if (typeof parsed === 'string') return void out.push(required(path, `url must be a valid URL: parse ${goQuote(text)}: ${parsed}${form}`));
  const { scheme, host, user, fragment, query } = parsed;
  if (scheme !== 'https' && !takesPlain) out.push(invalid(path, scheme, `'https' is the only allowed URL scheme${form}`));
  if (host === '') out.push(invalid(path, host, `host must be specified${form}`));
  if (user !== '') out.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment !== '') out.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') out.push(invalid(path, query, 'query parameters are not permitted in the URL'));
}

const badEscape = /%(?![0-9a-fA-F]{2}).{0,2}/s;

/** As Go's net/url reads it, so far as a webhook's may go; a text says what is wrong. */
function parseUrl(text: string): ParsedUrl | string {
  if (/\p{Cc}/u.test(text)) return 'net/url: invalid control character in URL';
  const [before = '', fragment = ''] = cut(text, '#');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(before)?.[1] ?? '';
  if (scheme === '' && before.startsWith(':')) return 'missing protocol scheme';
  const [rest = '', query = ''] = cut(scheme === '' ? before : before.slice(scheme.length + 1), '?');
  const hasAuthority = rest.startsWith('//');
  const end = hasAuthority ? rest.indexOf('/', 2) : 0;
  const authority = hasAuthority ? rest.slice(2, end < 0 ? undefined : end) : '';
  const place = end < 0 ? '' : rest.slice(end);
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const misplaced = portFault(host);
  if (misplaced !== undefined) return misplaced;
  const bad = /[\s\\^`{|}]/.exec(host)?.[0];
  if (bad !== undefined) return `invalid character ${goQuote(bad)} in host name`;
  const escape = badEscape.exec(host)?.[0] ?? badEscape.exec(place)?.[0];
  if (escape !== undefined) return `invalid URL escape ${goQuote(escape)}`;
  if (scheme === '' && !hasAuthority && /^[^/]*:/.test(rest)) return 'first path segment in URL cannot contain colon';
  return { scheme: scheme.toLowerCase(), user: at < 0 ? '' : authority.slice(0, at), host, query, fragment };
}

/** What stands behind the host, or behind the brackets around it, is a port. */
function portFault(host: string): string | undefined {
  const isBracketed = host.startsWith('[');
  const end = host.lastIndexOf(isBracketed ? ']' : ':');
  if (end < 0) return isBracketed ? "missing ']' in host" : undefined;
  const port = host.slice(isBracketed ? end + 1 : end);
  return /^(?::\d*)?$/.test(port) ? undefined : `invalid port ${goQuote(port)} after host`;
}

function cut(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function validateService(service: NonNullable<WebhookClient['service']>, path: FieldPath, out: Faults): void {
  const { name = '', namespace = '', port = 443, path: place } = service;
  // Upstream takes the one for the other.
  if (namespace === '') out.push(required(path.child('name')));
  if (name === '') out.push(required(path.child('namespace')));
  for (const fault of isValidPortNum(port)) out.push(invalid(path.child('port'), port, `port is not valid: ${fault}`));
  if (place !== undefined) validatePlace(place, path.child('path'), out);
}

function validatePlace(place: string, path: FieldPath, out: Faults): void {
  if (place === '' || place === '/') return;
  if (place === '//') return void out.push(invalid(path, place, 'segment[0] may not be empty'));
  if (!place.startsWith('/')) out.push(invalid(path, place, "must start with a '/'"));
  // Its first byte is cut off, whatever it is the first of.
  const rest = (place.codePointAt(0) ?? 0) < 0x80 ? place.slice(1) : `\u{FFFD}${place.slice(1)}`;
  const steps = (rest.endsWith('/') ? rest.slice(0, -1) : rest).split('/');
  for (const [index, step] of steps.entries()) {
    if (step === '') out.push(invalid(path, place, `segment[${index}] may not be empty`));
    else for (const fault of isDNS1123Subdomain(step)) out.push(invalid(path, place, `segment[${index}]: ${fault}`));
  }
}
