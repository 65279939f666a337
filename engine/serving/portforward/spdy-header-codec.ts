/**
 * Header blocks of SPDY/3: name and value pairs, compressed with one zlib context per direction and connection that starts with
 * the dictionary of the specification. Every block ends with a sync flush, so each can be done on its own when the last 32 KiB of
 * what came before are given as its dictionary: that keeps frames synchronous, which zlib's streams are not.
 */
import { Buffer } from 'node:buffer';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';

export type SpdyHeaders = Readonly<Record<string, string>>;

/** The peer broke the protocol. */
export class SpdyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SpdyError';
  }
}

/** Words of the dictionary that are written with their length before them. */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization ' +
  'cache-control connection content-base content-encoding content-language content-length content-location content-md5 ' +
  'content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range ' +
  'if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer ' +
  'retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status|200 OK|' +
  'version HTTP/1.1 url public set-cookie keep-alive origin';

const tail =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information' +
  '204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error' +
  '501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, ' +
  'Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,' +
  'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.';

const dictionary = Buffer.concat([
  ...words
    .split('|')
    .flatMap((part, index) => (index === 1 ? [part] : part.split(' ')))
    .map((word) => lengthPrefixed(word)),
  Buffer.from(tail, 'latin1'),
]);

/** Zlib's header that announces a preset dictionary, and the dictionary's Adler-32. */
const zlibHeader = Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2]);
const presetDictionaryBit = 0x20;
/** An empty last block, so that a sync-flushed piece is a whole stream. */
const lastBlock = Buffer.from([0x03, 0x00]);
const windowBytes = 32 * 1024;
const blockBytesMax = 64 * 1024;

export class HeaderEncoder {
  #window: Buffer = dictionary;
  #started = false;

  encode(headers: SpdyHeaders): Buffer {
    const entries = Object.entries(headers);
    const block = Buffer.concat([
      uint32(entries.length),
      ...entries.flatMap(([name, value]) => [lengthPrefixed(name.toLowerCase()), lengthPrefixed(value)]),
    ]);
    const compressed = deflateRawSync(block, { dictionary: this.#window, finishFlush: constants.Z_SYNC_FLUSH });
    this.#window = slide(this.#window, block);
    if (this.#started) return compressed;
    this.#started = true;
    return Buffer.concat([zlibHeader, compressed]);
  }
}

export class HeaderDecoder {
  #window: Buffer = dictionary;
  #started = false;

  /** Every block of the connection must pass through here, wanted or not: the next one builds on it. */
  decode(compressed: Buffer): SpdyHeaders {
    const block = this.#inflate(this.#started ? compressed : withoutZlibHeader(compressed));
    this.#started = true;
    this.#window = slide(this.#window, block);
    return parseBlock(block);
  }

  #inflate(compressed: Buffer): Buffer {
    try {
      return inflateRawSync(Buffer.concat([compressed, lastBlock]), { dictionary: this.#window, maxOutputLength: blockBytesMax });
    } catch (error) {
      throw new SpdyError(`header block: ${(error as Error).message}`);
    }
  }
}

function withoutZlibHeader(compressed: Buffer): Buffer {
  if (compressed.length < 2) throw new SpdyError('header block: no zlib header');
  return compressed.subarray((compressed.readUInt8(1) & presetDictionaryBit) === 0 ? 2 : zlibHeader.length);
}

function slide(window: Buffer, block: Buffer): Buffer {
  const joined = Buffer.concat([window, block]);
  return joined.length <= windowBytes ? joined : joined.subarray(joined.length - windowBytes);
}

function parseBlock(block: Buffer): SpdyHeaders {
  let at = 0;
  const readUInt32 = (): number => {
    if (at + 4 > block.length) throw new SpdyError('header block ends early');
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const readText = (): string => {
    const length = readUInt32();
    if (at + length > block.length) throw new SpdyError('header block ends early');
    at += length;
    return block.toString('latin1', at - length, at);
  };
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let left = readUInt32(); left > 0; left -= 1) {
    const name = readText();
    headers[name] = readText();
  }
  return headers;
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
