/**
 * Answers that stay open: watches and followed logs. What is written to one during a turn, or a few milliseconds where much is written,
 * leaves as one piece. A client that leaves too much unread is let go, as upstream ends a slow watch: it lists and watches anew.
 */
import { backlog, hasGone, type RawRequest, type RawResponse, toOutgoing } from './answers.ts';
import type { Departures } from './departures.ts';
import { type Chunk, endInTime, type Gathered, type StreamChunk, type StreamResponse, type StreamSink } from './exchange.ts';
import { type Frame, FrameWriter } from './frames.ts';
import { type Slices, stepMs } from './slices.ts';
import { type Sender, StreamPace } from './stream-pace.ts';

/** Bytes that clients may leave unread of their streams. */
export interface StreamLimits {
  /** Of one stream: the events of a large list leave at once. */
  readonly eachBytes: number;
  /** Of all streams together. */
  readonly allBytes: number;
  /** What a stream may keep waiting even when all together are over the limit. */
  readonly shareBytes: number;
}

const defaultLimits: StreamLimits = { eachBytes: 64 * 1024 * 1024, allBytes: 256 * 1024 * 1024, shareBytes: 1024 * 1024 };

/** What was sent last. */
interface Piece {
  readonly chunks: readonly Chunk[];
  readonly frame: Frame;
}

export interface OpenStreamsOptions {
  readonly departures: Departures;
  readonly slices: Slices;
  /** A chunk could not be made; its stream is broken off. */
  readonly onDefect: (error: Error) => void;
  readonly limits?: StreamLimits;
}

/** What a client that reads has not taken yet is less. */
const behindBytes = 256 * 1024;

const nowhere: StreamSink = { write: () => undefined, end: () => undefined };

export class OpenStreams {
  readonly #slices: Slices;
  readonly #onDefect: (error: Error) => void;
  readonly #limits: StreamLimits;
  readonly #open = new Map<() => void, RawResponse>();
  readonly #pace: StreamPace;
  /** The last piece that left: watches of one collection send the same events, which are made bytes of once. */
  #last: Piece | undefined;

  constructor({ departures, slices, onDefect, limits = defaultLimits }: OpenStreamsOptions) {
    this.#pace = new StreamPace(departures, slices);
    this.#slices = slices;
    this.#onDefect = onDefect;
    this.#limits = limits;
  }

  open(request: RawRequest, response: RawResponse, served: StreamResponse): void {
    // The client went while its request waited: nothing will tell of that again.
    if (hasGone(response)) return served.open(nowhere)();
    response.writeHead(served.status, toOutgoing(served.headers));
    response.flushHeaders();
    const waiting = new Waiting();
    const send = (take: () => readonly Chunk[]): void => {
      if (response.writableEnded || hasGone(response)) return;
      try {
        const chunks = take();
        if (chunks.length === 0) return;
        // Before it is sent: what gathered meanwhile may be much.
        if (this.#isOverLimit(response, lengthOf(chunks))) response.destroy();
        else this.#send(response, chunks);
      } catch (error) {
        // A stream without one of its chunks must not look whole.
        this.#onDefect(error instanceof Error ? error : new Error(String(error)));
        response.destroy();
      }
    };
    const step = (): boolean => {
      send(() => waiting.some());
      return !waiting.isEmpty && !hasGone(response);
    };
    const sender: Sender = {
      get written() {
        return waiting.written;
      },
      cut: () => waiting.cut(),
      flush: () => {
        if (waiting.isMuch) this.#slices.add(step);
        else send(() => waiting.all());
      },
    };
    const end = (): void => {
      waiting.cut();
      send(() => waiting.all());
      response.end();
    };
    const callOff = endInTime(served, end);
    this.#open.set(end, response);
    const close = served.open({
      write: (chunk) => {
        if (waiting.add(chunk)) this.#pace.soon(sender);
      },
      gather: (gathered) => {
        if (waiting.add(gathered)) this.#pace.soon(sender);
      },
      end,
      isBehind: () => backlog(response) > behindBytes,
    });
    const closed = (): void => {
      if (!this.#open.delete(end)) return;
      callOff();
      close();
    };
    response.on('close', closed);
    response.on('finish', closed);
    request.on('error', closed);
  }

  endAll(): void {
    for (const end of [...this.#open.keys()]) end();
  }

  #send(response: RawResponse, chunks: readonly Chunk[]): void {
    const piece = this.#last !== undefined && areSame(chunks, this.#last.chunks) ? this.#last : { chunks, frame: joined(chunks) };
    this.#last = piece.frame.length <= keptBytesMax ? piece : undefined;
    piece.frame.send(response);
  }

  /** Whether so much more would be too much for the stream, or for all together. */
  #isOverLimit(stream: RawResponse, more: number): boolean {
    const bytes = backlog(stream) + more;
    if (bytes <= this.#limits.shareBytes) return false;
    if (bytes > this.#limits.eachBytes) return true;
    let all = more;
    for (const response of this.#open.values()) all += backlog(response);
    return all > this.#limits.allBytes;
  }
}

const muchChunks = 64;
const stepLength = 1 << 16;
/** A larger piece is not kept for others who send it too. */
const keptBytesMax = 1 << 19;

/** By identity for bytes, by content for texts, which is quick where they are the very same. */
function areSame(some: readonly Chunk[], others: readonly Chunk[]): boolean {
  return some.length === others.length && some.every((chunk, index) => chunk === others[index]);
}

function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}

function joined(chunks: readonly Chunk[]): Frame {
  const writer = new FrameWriter(lengthOf(chunks));
  for (const chunk of chunks) writer.add(chunk);
  return writer.take();
}

type Written = StreamChunk | Gathered;

function isGathered(written: Written): written is Gathered {
  return typeof written === 'object' && 'pieces' in written;
}

/** What was written to a stream and has not left. */
class Waiting {
  #written: Written[] = [];
  /** Before the last cut. */
  #leaving: Written[] = [];
  #next = 0;

  /** Pieces since the last cut. */
  get written(): number {
    return this.#written.reduce((sum, one) => sum + (isGathered(one) ? one.pieces.length : 1), 0);
  }

  /** Nothing from before the last cut is left. */
  get isEmpty(): boolean {
    return this.#next === this.#leaving.length;
  }

  /** More than one turn should be kept busy with: it leaves in steps. */
  get isMuch(): boolean {
    return this.#leaving.length - this.#next > muchChunks;
  }

  /** True for the first behind which others will leave without being asked for. */
  add(chunk: Written): boolean {
    this.#closeLast();
    return this.#written.push(chunk) === 1;
  }

  /** What comes next stands behind it. */
  #closeLast(): void {
    const last = this.#written.at(-1);
    if (last !== undefined && isGathered(last)) last.close();
  }

  cut(): void {
    this.#closeLast();
    this.#leaving = this.isEmpty ? this.#written : [...this.#leaving.slice(this.#next), ...this.#written];
    this.#next = 0;
    this.#written = [];
  }

  all(): Chunk[] {
    return this.#take(() => true);
  }

  /** As much as there is time for in one step. */
  some(): Chunk[] {
    const endMs = performance.now() + stepMs;
    return this.#take((length) => length < stepLength && performance.now() < endMs);
  }

  #take(goesOn: (length: number) => boolean): Chunk[] {
    const taken: Chunk[] = [];
    let length = 0;
    while (!this.isEmpty && goesOn(length)) {
      const next = this.#leaving[this.#next++] as Written;
      if (isGathered(next)) {
        for (const piece of next.pieces) length += piece.length;
        taken.push(...next.pieces);
        continue;
      }
      const chunk = typeof next === 'function' ? next() : next;
      length += chunk.length;
      taken.push(chunk);
    }
    if (this.isEmpty) {
      this.#leaving = [];
      this.#next = 0;
    }
    return taken;
  }
}
