/**
 * A document that a client may have already, or want parts of: conditions and ranges of bytes as Go's `http.ServeContent` reads them
 * (net/http fs.go, RFC 9110). Methods that are neither GET nor HEAD get the document too, as upstream's handlers look at none.
 */
import { headerOf, type Headers, type HttpPlainResponse, type HttpRequest } from '../http-types.ts';
import { timeOfHeader } from './header-times.ts';

export interface Content {
  readonly contentType: string;
  /** Nothing is made of a document that its client has. */
  body(): string | Uint8Array;
  /** Without quotes; a document without one is told by its time alone. */
  readonly tag?: string | undefined;
  /** In whole seconds. */
  readonly madeMs: number;
  /** Whether the type of what is refused for its conditions is told: it is not where it is found out while the document is sent. */
  readonly isTypeKnown: boolean;
  /** Whether a range that cannot be had is refused with the document's tag and time too: servers of Go before 1.23. */
  readonly refusesWithTag?: boolean;
  /** A long hash in hexadecimal digits: it parts several ranges. */
  hash(text: string): string;
}

interface ByteRange {
  readonly start: number;
  readonly length: number;
}

const encoder = new TextEncoder();
const invalid = 'invalid range';
const noOverlap = 'invalid range: failed to overlap';
const int64Max = 2n ** 63n - 1n;
const boundaryLength = 60;

/** `more` are the handler's own headers. */
export function serveContent(request: HttpRequest, more: Headers, content: Content): HttpPlainResponse {
  const tag = content.tag === undefined ? undefined : `"${content.tag}"`;
  const tagged = { ...more, ...(tag === undefined ? undefined : { etag: tag }) };
  const lastModified = { 'last-modified': new Date(content.madeMs).toUTCString() };
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const type = { 'content-type': content.contentType };
  const refused = { status: 412, headers: { ...tagged, ...lastModified, ...(content.isTypeKnown ? type : undefined) }, body: '' };
  if (isAnother(request, tag, content.madeMs)) return refused;
  if (isKnown(request, tag, content.madeMs, isRead))
    return isRead ? { status: 304, headers: tag === undefined ? { ...tagged, ...lastModified } : tagged, body: '' } : refused;
  const whole = { status: 200, headers: { ...tagged, ...lastModified, ...type, 'accept-ranges': 'bytes' } };
  const wanted = headerOf(request, 'range');
  if (wanted === '' || (isRead && isOfAnother(request, tag, content.madeMs))) return { ...whole, body: content.body() };
  return partial(wanted, more, whole, content);
}

function partial(wanted: string, more: Headers, whole: { readonly status: number; readonly headers: Headers }, content: Content): HttpPlainResponse {
  const made = content.body();
  const bytes = typeof made === 'string' ? encoder.encode(made) : made;
  const size = bytes.length;
  const ranges = parseRanges(wanted, size);
  if (typeof ranges === 'string') return unsatisfiable(content.refusesWithTag === true ? tagsOf(whole.headers) : more, ranges, size);
  const [first, ...others] = ranges;
  // More than there is is no sensible wish.
  if (first === undefined || ranges.reduce((sum, { length }) => sum + length, 0) > size) return { ...whole, body: made };
  const headers = { ...whole.headers, 'content-range': contentRange(first, size) };
  if (others.length === 0) return { status: 206, headers, body: bytes.subarray(first.start, first.start + first.length) };
  const boundary = content
    .hash(`${content.tag ?? content.madeMs} ${wanted}`)
    .slice(0, boundaryLength)
    .toLowerCase();
  const type = `multipart/byteranges; boundary=${boundary}`;
  return { status: 206, headers: { ...whole.headers, 'content-type': type }, body: manyParts(ranges, bytes, content.contentType, boundary) };
}

function tagsOf({ 'content-type': _type, 'accept-ranges': _ranges, ...tags }: Headers): Headers {
  return tags;
}

/** What a cache might keep of the document is not said of a refusal. */
function unsatisfiable({ 'cache-control': _cached, ...kept }: Headers, why: string, size: number): HttpPlainResponse {
  const range = why === noOverlap ? { 'content-range': `bytes */${size}` } : undefined;
  const headers = { ...kept, ...range, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };
  return { status: 416, headers, body: `${why}\n` };
}

function contentRange({ start, length }: ByteRange, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`;
}

function manyParts(ranges: readonly ByteRange[], bytes: Uint8Array, contentType: string, boundary: string): Uint8Array {
  const pieces = ranges.flatMap((range, at) => {
    const head = `${at === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Range: ${contentRange(range, bytes.length)}\r\nContent-Type: ${contentType}\r\n\r\n`;
    return [encoder.encode(head), bytes.subarray(range.start, range.start + range.length)];
  });
  pieces.push(encoder.encode(`\r\n--${boundary}--\r\n`));
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** Why nothing can be sent, as a text. No ranges: everything. */
function parseRanges(text: string, size: number): readonly ByteRange[] | string {
  if (!text.startsWith('bytes=')) return invalid;
  const ranges: ByteRange[] = [];
  let isBeyond = false;
  for (const part of text.slice('bytes='.length).split(',').map(trimmed)) {
    if (part === '') continue;
    const range = parseRange(part, size);
    if (range === undefined) return invalid;
    if (range === 'beyond') isBeyond = true;
    else ranges.push(range);
  }
  return isBeyond && ranges.length === 0 && size > 0 ? noOverlap : ranges;
}

function parseRange(part: string, size: number): ByteRange | 'beyond' | undefined {
  const dash = part.indexOf('-');
  if (dash < 0) return undefined;
  const [from, to] = [trimmed(part.slice(0, dash)), trimmed(part.slice(dash + 1))];
  if (from === '') {
    const last = to.startsWith('-') ? undefined : wholeNumber(to);
    if (last === undefined) return undefined;
    const length = Math.min(last, size);
    return { start: size - length, length };
  }
  const start = wholeNumber(from);
  if (start === undefined) return undefined;
  if (start >= size) return 'beyond';
  if (to === '') return { start, length: size - start };
  const end = wholeNumber(to);
  return end === undefined || end < start ? undefined : { start, length: Math.min(end, size - 1) - start + 1 };
}

/** A number of 64 bits that is not negative; beyond 2⁵³ its last digits do not matter. */
function wholeNumber(text: string): number | undefined {
  if (!/^(?:\+?\d+|-0+)$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^[+-]/, ''));
  return value > int64Max ? undefined : Number(value);
}

/** The client meant another document than this one. */
function isAnother(request: HttpRequest, tag: string | undefined, madeMs: number): boolean {
  const meant = headerOf(request, 'if-match');
  if (meant !== '') return !namesTag(meant, (known) => known === tag && known.startsWith('"'));
  const since = timeOfHeader(headerOf(request, 'if-unmodified-since'));
  return since !== undefined && madeMs > since;
}

/** Who names a tag is asked nothing about times. */
function isKnown(request: HttpRequest, tag: string | undefined, madeMs: number, isRead: boolean): boolean {
  const known = headerOf(request, 'if-none-match');
  if (known !== '') return namesTag(known, (one) => one.replace(/^W\//, '') === (tag ?? ''));
  const since = isRead ? timeOfHeader(headerOf(request, 'if-modified-since')) : undefined;
  return since !== undefined && madeMs <= since;
}

/** The part is wanted of another document than this one. */
function isOfAnother(request: HttpRequest, tag: string | undefined, madeMs: number): boolean {
  const meant = headerOf(request, 'if-range');
  if (meant === '') return false;
  const [named] = tagAt(meant);
  return named === undefined ? timeOfHeader(meant) !== madeMs : named !== tag || !named.startsWith('"');
}

/** Whether one of a list of tags is meant; the list ends where something else stands. */
function namesTag(list: string, isMeant: (tag: string) => boolean): boolean {
  for (let rest = trimmed(list); rest !== ''; rest = trimmed(rest)) {
    if (rest.startsWith('*')) return true;
    const [tag, behind] = rest.startsWith(',') ? ['', rest.slice(1)] : tagAt(rest);
    if (tag === undefined) return false;
    if (tag !== '' && isMeant(tag)) return true;
    rest = behind;
  }
  return false;
}

function tagAt(text: string): readonly [tag: string | undefined, behind: string] {
  const found = /^(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/.exec(trimmed(text));
  return found === null ? [undefined, ''] : [found[0], trimmed(text).slice(found[0].length)];
}

function trimmed(text: string): string {
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}
