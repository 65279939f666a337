/**
 * One WebSocket carries all watches of one page. The page opens and closes watches by number; events go out as arrays, gathered for
 * one frame of the screen, so that a storm of changes costs the page one message per picture. Objects arrive here as JSON text that
 * was made once per revision: it is joined, never encoded again.
 *
 * A client that reads slowly is held back here: its events wait as references to that shared text, and it is dropped when it takes
 * nothing for a while or too much waits.
 */
import type { WebSocket } from 'ws';
import { newBadRequest, newInternalError, newTooManyRequests } from '../../apimachinery/errors.ts';
import { type Status, StatusError } from '../../apimachinery/status.ts';

export type PageEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface PageWatchSink {
  /** `json` is the object's text, ready to send. */
  event(type: PageEventType, json: string): void;
  /** What was sent so far is whole as of that virtual instant, of what is computed. */
  told(atMs: number): void;
  /** Every object that existed has been sent as ADDED. */
  synced(): void;
  /** The watch failed and is over. */
  error(statusJson: string): void;
  /** The watch is over; the page opens another if it still wants one. */
  end(): void;
  /** The page has not taken what was sent: more would only wait. */
  isBehind(): boolean;
}

/** Starts a list and watch of a path with query; returns what cancels it. The sink may be called before this returns. */
export type PageWatch = (pathWithQuery: string, sink: PageWatchSink) => () => void;

export interface WatchSocketOptions {
  readonly watch: PageWatch;
  readonly onDefect: (error: Error) => void;
  /** Time goes as fast as it can: what is told of it is of its instant anyway, and each message costs time. */
  readonly isRushing?: () => boolean;
  readonly limits?: Partial<WatchLimits>;
}

export interface WatchLimits {
  /** Events gather this long: one picture at 60 a second. What a watch begins with leaves when it is whole. */
  readonly frameMs: number;
  /** The same while time rushes. */
  readonly rushMs: number;
  /** Text in one message; long lists go out in several. */
  readonly frameChars: number;
  /** Bytes handed to the socket and not yet taken; above this events wait here. */
  readonly socketBytesMax: number;
  /** Text that may wait here: a large list leaves at once, and nobody may keep two. */
  readonly heldCharsMax: number;
  /** Watches that one page may have open. */
  readonly watchesMax: number;
  /** A client that takes nothing for this long, while something waits for it, is gone. */
  readonly stallMs: number;
}

const defaultLimits: WatchLimits = {
  frameMs: 16,
  rushMs: 100,
  frameChars: 1024 * 1024,
  socketBytesMax: 4 * 1024 * 1024,
  heldCharsMax: 96 * 1024 * 1024,
  watchesMax: 64,
  stallMs: 15_000,
};

interface Message {
  readonly id: number;
  readonly text: string;
}

export class WatchSocket {
  readonly #socket: WebSocket;
  readonly #options: WatchSocketOptions;
  readonly #limits: WatchLimits;
  readonly #watches = new Map<number, { cancel: () => void }>();
  #pending: Message[] = [];
  #pendingChars = 0;
  #timer: NodeJS.Timeout | undefined;
  #stall: NodeJS.Timeout | undefined;

  constructor(socket: WebSocket, options: WatchSocketOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? '' : data.toString()));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#closed());
  }

  /** Sends something that belongs to no watch, e.g. the clock. */
  announce(type: string, objectJson: string): void {
    this.#push({ id: 0, text: `{"id":0,"type":"${type}","object":${objectJson}}` });
  }

  #receive(text: string): void {
    const request = parseRequest(text);
    if (request === undefined) {
      this.#socket.close(1008, 'a message is {"id":N,"open":"/path"} or {"id":N,"close":true}');
    } else if (request.open === undefined) {
      this.#close(request.id);
    } else if (this.#watches.has(request.id)) {
      this.#sendError(request.id, newBadRequest(`watch ${request.id} is already open`).status);
    } else if (this.#watches.size >= this.#limits.watchesMax) {
      this.#sendError(request.id, newTooManyRequests(`a page has at most ${this.#limits.watchesMax} watches open`, 1).status);
    } else {
      this.#open(request.id, request.open);
    }
  }

  #open(id: number, path: string): void {
    const watch = { cancel: (): void => {} };
    this.#watches.set(id, watch);
    const current = (): boolean => this.#watches.get(id) === watch;
    const over = (text: string): void => {
      if (!current()) return;
      this.#watches.delete(id);
      this.#push({ id, text });
    };
    const sink: PageWatchSink = {
      event: (type, json) => {
        if (current()) this.#push({ id, text: `{"id":${id},"type":"${type}","object":${json}}` });
      },
      told: (atMs) => {
        if (current()) this.#push({ id, text: `{"id":${id},"type":"TOLD","atMs":${atMs}}` });
      },
      synced: () => {
        if (!current()) return;
        this.#push({ id, text: `{"id":${id},"type":"SYNCED"}` });
        // Somebody waits for what is whole now: there is nothing to gather.
        this.#flush();
      },
      error: (statusJson) => over(`{"id":${id},"type":"ERROR","object":${statusJson}}`),
      end: () => over(`{"id":${id},"type":"END"}`),
      isBehind: () => !this.#canSend() || this.#pendingChars >= this.#limits.frameChars,
    };
    try {
      watch.cancel = this.#options.watch(path, sink);
      if (!current()) watch.cancel();
    } catch (error) {
      this.#watches.delete(id);
      if (!(error instanceof StatusError)) this.#options.onDefect(error instanceof Error ? error : new Error(String(error)));
      this.#sendError(id, error instanceof StatusError ? error.status : newInternalError(String(error)).status);
    }
  }

  /** What still waits of the watch is forgotten too: the page may use its number again at once. */
  #close(id: number): void {
    const watch = this.#watches.get(id);
    if (watch === undefined) return;
    this.#watches.delete(id);
    this.#pending = this.#pending.filter((message) => message.id !== id);
    this.#pendingChars = this.#pending.reduce((sum, message) => sum + message.text.length, 0);
    watch.cancel();
  }

  #sendError(id: number, status: Status): void {
    this.#push({ id, text: `{"id":${id},"type":"ERROR","object":${JSON.stringify(status)}}` });
  }

  #push(message: Message): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#pending.push(message);
    this.#pendingChars += message.text.length;
    if (this.#pendingChars > this.#limits.heldCharsMax) this.#socket.terminate();
    else if (this.#pendingChars >= this.#limits.frameChars && this.#canSend()) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#options.isRushing?.() === true ? this.#limits.rushMs : this.#limits.frameMs);
  }

  #canSend(): boolean {
    return this.#socket.bufferedAmount < this.#limits.socketBytesMax;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let from = 0;
    while (from < this.#pending.length && this.#canSend()) from = this.#sendFrame(from);
    if (from > 0) this.#pending = this.#pending.slice(from);
  }

  /** Sends one message of events beginning at `from`; returns the index after the last. */
  #sendFrame(from: number): number {
    const texts: string[] = [];
    let chars = 0;
    let index = from;
    while (index < this.#pending.length && chars < this.#limits.frameChars) {
      const { text } = this.#pending[index] as Message;
      texts.push(text);
      chars += text.length;
      index += 1;
    }
    this.#pendingChars -= chars;
    this.#stall ??= this.#watchForStall();
    this.#socket.send(`[${texts.join(',')}]`, () => this.#taken());
    return index;
  }

  /** The client took a message: what waits for that goes on. */
  #taken(): void {
    clearTimeout(this.#stall);
    this.#stall = this.#socket.bufferedAmount > 0 ? this.#watchForStall() : undefined;
    if (this.#timer === undefined && this.#pending.length > 0) this.#flush();
  }

  #watchForStall(): NodeJS.Timeout {
    return setTimeout(() => this.#socket.terminate(), this.#limits.stallMs);
  }

  #closed(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#stall);
    this.#pending = [];
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    for (const watch of watches) watch.cancel();
  }
}

interface WatchRequest {
  readonly id: number;
  /** Absent: close. */
  readonly open?: string;
}

function parseRequest(text: string): WatchRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, open, close } = value as { readonly id?: unknown; readonly open?: unknown; readonly close?: unknown };
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return undefined;
  if (typeof open === 'string' && open.startsWith('/')) return { id, open };
  return close === true ? { id } : undefined;
}
