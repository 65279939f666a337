/**
 * Texts for the user as `Warning` headers: each once, cut when they are too long together. Mirrors WithWarningRecorder of apiserver
 * pkg/endpoints/filters and NewWarningHeader of apimachinery pkg/util/net: text that is no UTF-8 or has control characters is left
 * out, everything else is sent as the bytes of its UTF-8.
 */
import type { HttpResponse } from '../http-types.ts';
import type { Filter } from './filter.ts';

const totalMax = 4 * 1024;
const itemMax = 256;

export const warnings: Filter = {
  name: 'warnings',
  handle(exchange, next, { warns }) {
    return withHeaders(next(exchange), warns);
  },
};

function withHeaders(response: HttpResponse, warns: boolean): HttpResponse {
  if ('upgrade' in response || response.warnings === undefined) return response;
  const { warnings: texts, ...rest } = response;
  const warning = warns ? warningHeaders(texts) : [];
  return warning.length === 0 ? rest : { ...rest, headers: { ...rest.headers, warning } };
}

export function warningHeaders(texts: readonly string[]): readonly string[] {
  const sendable = [...new Set(texts)].filter((text) => text !== '' && isSendable(text)).map((text) => [...text]);
  const total = sendable.reduce((sum, text) => sum + text.length, 0);
  if (total <= totalMax) return sendable.map((text) => header(text));
  const headers: string[] = [];
  let written = 0;
  for (const text of sendable) {
    if (written >= totalMax) break;
    const cut = text.slice(0, itemMax);
    written += cut.length;
    headers.push(header(cut));
  }
  return headers;
}

function isSendable(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

const encoder = new TextEncoder();

/** Headers are bytes, which Node.js takes as characters of one byte each. */
function header(text: readonly string[]): string {
  const quoted = text.map((character) => (character === '"' || character === '\\' ? `\\${character}` : character)).join('');
  return `299 - "${Array.from(encoder.encode(quoted), (byte) => String.fromCharCode(byte)).join('')}"`;
}
