/** An HTTP/1.1 request that comes in pieces: its head is kept until it is whole, of its body only how much has come. */
import { bytesOfText, textOfBytes } from '../../base/byte-text.ts';
import type { PortProgress } from '../../contracts/connect.ts';

export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly agent: string;
}

/** Servers give a head about as much. */
const headBytesMax = 64 * 1024;
const [carriageReturn, newline] = [13, 10];

export class RequestReader {
  #head: Uint8Array = new Uint8Array(0);
  /** Where the head's empty line ends; undefined until it has come. */
  #headEnd: number | undefined;
  #request: ReadRequest | undefined;
  #bodyBytes = 0;
  #bodyWanted = 0;

  constructor({ head, bodyBytes }: PortProgress) {
    this.take(bytesOfText(head));
    this.#bodyBytes += bodyBytes;
  }

  get progress(): PortProgress {
    return { head: textOfBytes(this.#head), bodyBytes: this.#bodyBytes };
  }

  /** The request once all of it has come; 'too large' where its head does not end. */
  take(data: Uint8Array): ReadRequest | 'too large' | undefined {
    if (this.#headEnd !== undefined) this.#bodyBytes += data.length;
    else if (!this.#takeHead(data)) return this.#head.length > headBytesMax ? 'too large' : undefined;
    return this.#bodyBytes >= this.#bodyWanted ? this.#request : undefined;
  }

  #takeHead(data: Uint8Array): boolean {
    const from = Math.max(0, this.#head.length - 3);
    const joined = new Uint8Array(this.#head.length + data.length);
    joined.set(this.#head);
    joined.set(data, this.#head.length);
    const end = emptyLineEnd(joined, from);
    this.#head = end === undefined ? joined : joined.slice(0, end);
    if (end === undefined) return false;
    this.#headEnd = end;
    this.#bodyBytes = joined.length - end;
    const lines = textOfBytes(this.#head).split('\r\n');
    const header = (name: string): string => {
      const line = lines.find((one) => one.toLowerCase().startsWith(`${name}:`));
      return line === undefined ? '' : line.slice(name.length + 1).trim();
    };
    const [method = '', path = '/'] = (lines[0] ?? '').split(' ');
    this.#request = { method, path, agent: header('user-agent') };
    this.#bodyWanted = Number(header('content-length')) || 0;
    return true;
  }
}

function emptyLineEnd(bytes: Uint8Array, from: number): number | undefined {
  for (let at = bytes.indexOf(carriageReturn, from); at >= 0; at = bytes.indexOf(carriageReturn, at + 1))
    if (bytes[at + 1] === newline && bytes[at + 2] === carriageReturn && bytes[at + 3] === newline) return at + 4;
  return undefined;
}
