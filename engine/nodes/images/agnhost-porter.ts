/** `agnhost porter`: serves what variables of its environment say, at the ports that they name. Mirrors test/images/agnhost/porter. */
import { getOwn } from '../../base/dictionary.ts';
import type { ListeningPort } from '../runtime/image-definition.ts';

const prefixes = ['SERVE_PORT_', 'SERVE_TCP_PORT_', 'SERVE_TLS_PORT_'];

export function porterPort(port: number, env: { readonly [name: string]: string }, args: readonly string[]): ListeningPort | undefined {
  const body = prefixes.map((prefix) => getOwn(env, `${prefix}${port}`)).find((text) => text !== undefined);
  if (body === undefined) return undefined;
  const asJson = args.includes('--json-response') || args.includes('--json-response=true');
  return {
    port,
    respond: ({ method }) =>
      asJson
        ? { status: 200, contentType: 'application/json', body: JSON.stringify({ Method: method, Body: body }) }
        : { status: 200, contentType: sniffed(body), body },
  };
}

/** What Go's servers take a text without a type for: HTML where it begins with one of the usual tags. */
function sniffed(body: string): string {
  return /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)[ >]/i.test(body)
    ? 'text/html; charset=utf-8'
    : 'text/plain; charset=utf-8';
}
