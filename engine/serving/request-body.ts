/**
 * Bodies on their way in, from clients of whom nothing is known yet. Each has a size and a time; all together have a budget. When that
 * is used up the one that has been on its way the longest gives way: a body that comes at once is never pushed out by slow ones.
 */
import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { PlainResponse } from './exchange.ts';
import { crowdedOut, largeBody, slowBody } from './refusals.ts';

export interface BodyLimits {
  /** Of one body. */
  readonly bodyBytesMax: number;
  /** From the head of the request to the end of its body. */
  readonly bodyTimeoutMs: number;
  /** Of all bodies that are on their way. */
  readonly bodiesBytesMax: number;
}

/** What a chunk holds besides its bytes; a body may come in chunks of one byte. */
const chunkOverheadBytes = 256;
const emptyBody = new Uint8Array(0);

interface OpenBody {
  readonly sinceMs: number;
  heldBytes: number;
  refuse(answer: PlainResponse): void;
}

export type ReadBody = Uint8Array | 'aborted' | PlainResponse;

export class BodyReader {
  readonly #limits: BodyLimits;
  /** Oldest first. */
  readonly #open = new Set<OpenBody>();
  #heldBytes = 0;
  /** One timer for all: nearly every body is there in the turn that brought its head. */
  #isLooking = false;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Bytes held now, of bodies that are not complete. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Calls back once, with the whole body or what to answer instead; at once where no body is looked at. */
  read(request: IncomingMessage, then: (body: ReadBody) => void): void {
    const { method } = request;
    if (method === 'GET' || method === 'HEAD') return then(emptyBody);
    const { bodyBytesMax } = this.#limits;
    let chunks: Buffer[] = [];
    let size = 0;
    const done = (result: ReadBody): void => {
      if (!this.#open.delete(body)) return;
      this.#heldBytes -= body.heldBytes;
      chunks = [];
      then(result);
    };
    const refuse = (answer: PlainResponse): void => {
      request.off('data', onData);
      done(answer);
    };
    const body: OpenBody = { sinceMs: performance.now(), heldBytes: 0, refuse };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > bodyBytesMax) return refuse(largeBody(bodyBytesMax));
      chunks.push(chunk);
      this.#hold(body, chunk.length + chunkOverheadBytes);
    };
    this.#open.add(body);
    if (!this.#isLooking) this.#lookIn(this.#limits.bodyTimeoutMs);
    request.on('data', onData);
    request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : joined(chunks)));
    // A half-closed connection: nothing of it reaches the API.
    const aborted = (): void => done('aborted');
    request.on('error', aborted);
    request.on('close', aborted);
  }

  #lookIn(ms: number): void {
    this.#isLooking = true;
    setTimeout(() => this.#refuseSlow(), ms).unref();
  }

  #refuseSlow(): void {
    this.#isLooking = false;
    for (const body of this.#open) {
      const leftMs = body.sinceMs + this.#limits.bodyTimeoutMs - performance.now();
      if (leftMs > 0) return this.#lookIn(Math.ceil(leftMs));
      body.refuse(slowBody());
    }
  }

  #hold(body: OpenBody, bytes: number): void {
    body.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#limits.bodiesBytesMax) {
      const [oldest] = this.#open;
      if (oldest === undefined) return;
      oldest.refuse(crowdedOut());
    }
  }
}

function joined(chunks: readonly Buffer[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
