/** Whether an answer is to be compressed: its client takes it so, and it is long enough. */
import { Buffer } from 'node:buffer';
import type { RawRequest } from '../answers.ts';
import type { Chunk, PlainResponse } from '../exchange.ts';
import { stepMs } from '../slices.ts';

/** As upstream's server reads it: the name alone, whatever stands beside it. Documents that say that they vary by it are answered by a handler which weighs names. */
export function takesGzip({ method, headers: { 'accept-encoding': accepted } }: RawRequest, { headers: { vary } }: PlainResponse): boolean {
  if (method === 'HEAD' || typeof accepted !== 'string') return false;
  const isWeighed = vary !== undefined && [vary].flat().includes('Accept-Encoding');
  return accepted.split(',').some((token) => (isWeighed ? isWeighedGzip(token) : token.trim() === 'gzip'));
}

function isWeighedGzip(token: string): boolean {
  const [name = '', weight = ''] = token.split(';', 2);
  return name.trim().toLowerCase() === 'gzip' && !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(weight);
}

export function gzipHeaders(headers: PlainResponse['headers']): PlainResponse['headers'] {
  const { vary = [] } = headers;
  const others = (typeof vary === 'string' ? [vary] : vary).filter((one) => one !== 'Accept-Encoding');
  return { ...headers, 'content-encoding': 'gzip', vary: [...others, 'Accept-Encoding'] };
}

/** The pieces of an answer until it is known whether it is longer than so many bytes. */
export class Beginning {
  readonly #pieces: Iterator<Chunk>;
  readonly #overBytes: number;
  readonly #taken: Chunk[] = [];
  #bytes = 0;

  constructor(pieces: Iterator<Chunk>, overBytes: number) {
    this.#pieces = pieces;
    this.#overBytes = overBytes;
  }

  /** Goes on for as long as a step may take. */
  step(): 'short' | 'long' | 'unknown' {
    const endMs = performance.now() + stepMs;
    do {
      const next = this.#pieces.next();
      if (next.done === true) return 'short';
      if (next.value.length === 0) return 'unknown';
      this.#taken.push(next.value);
      this.#bytes += byteLength(next.value);
      if (this.#bytes > this.#overBytes) return 'long';
    } while (performance.now() < endMs);
    return 'unknown';
  }

  /** Of a short one. */
  whole(): Chunk {
    return Buffer.concat(this.#taken.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  }

  /** No generator: what is let go before it was begun gives its pieces back too. */
  all(): Iterator<Chunk, undefined> {
    const [taken, pieces] = [this.#taken.values(), this.#pieces];
    return {
      next: () => {
        const first = taken.next();
        return first.done === true ? pieces.next() : first;
      },
      return: () => {
        pieces.return?.();
        return { done: true, value: undefined };
      },
    };
  }
}

export function byteLength(body: Chunk): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}
