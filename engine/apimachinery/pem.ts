/** PEM (RFC 7468) as strictly as Go's encoding/pem.Decode reads it, in time linear in the text. */
import { decodeBase64 } from '../base/base64.ts';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Uint8Array;
}

interface Line {
  readonly text: string;
  /** Where the next one begins. */
  readonly next: number;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

export interface PemText {
  readonly blocks: readonly PemBlock[];
  /** Whether anything stands behind the last block. */
  readonly hasRest: boolean;
}

/** All blocks of a text whose characters are bytes. What is no whole block is passed over, as text between blocks is. */
export function readPem(text: string): PemText {
  const blocks: PemBlock[] = [];
  let behind = 0;
  for (let from = 0; ; ) {
    const endAt = text.indexOf(end, from);
    if (endAt === -1) return { blocks, hasRest: behind < text.length };
    const found = blockBefore(text, from, endAt);
    if (found === undefined) from = endAt + end.length;
    else {
      blocks.push(found.block);
      from = found.next;
      behind = found.next;
    }
  }
}

/** The block that the end line at `endAt` closes. */
function blockBefore(text: string, from: number, endAt: number): { readonly block: PemBlock; readonly next: number } | undefined {
  const beginAt = text.slice(from, endAt).lastIndexOf(begin) + from;
  if (beginAt < from || (beginAt > from && text[beginAt - 1] !== '\n')) return undefined;
  const first = lineAt(text, beginAt + begin.length);
  if (!first.text.endsWith(dashes)) return undefined;
  const type = first.text.slice(0, -dashes.length);
  let at = first.next;
  let hasHeaders = false;
  // A block without a body has the end line at once: its line break is that of the first line. Behind that no header saves the block.
  for (; at < text.length && at <= endAt + 1; hasHeaders = true) {
    const line = lineAt(text, at);
    if (!line.text.includes(':')) break;
    at = line.next;
  }
  if (at >= text.length || (hasHeaders && at > endAt)) return undefined;
  const trailer = endAt + end.length;
  const closing = `${type}${dashes}`;
  if (!text.startsWith(closing, trailer) || lineAt(text, trailer + closing.length).text !== '') return undefined;
  const bytes = at < endAt ? bodyOf(text.slice(at, endAt)) : new Uint8Array();
  if (bytes === undefined) return undefined;
  return { block: { type, hasHeaders, bytes }, next: lineAt(text, trailer).next };
}

/** Without its end and without blanks before that. */
function lineAt(text: string, from: number): Line {
  const at = text.indexOf('\n', from);
  const stop = at === -1 ? text.length : at;
  let last = at !== -1 && at > from && text[at - 1] === '\r' ? stop - 1 : stop;
  while (last > from && (text[last - 1] === ' ' || text[last - 1] === '\t')) last--;
  return { text: text.slice(from, last), next: at === -1 ? text.length : at + 1 };
}

function bodyOf(text: string): Uint8Array | undefined {
  const base64 = text.replaceAll(/[ \t\r\n]/g, '');
  return base64.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(base64) ? decodeBase64(base64) : undefined;
}
