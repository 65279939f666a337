/** Holds the page's one WebSocket: parses frames off the page's thread and hands changes over in small batches. */
import type { Clock } from '../../engine/api/sim/v1alpha1/clock.ts';
import type { KubeObject } from '../../engine/apimachinery/object.ts';
import { branchBase } from './branch.ts';
import { answerMs, Ear, lookMs } from './ear.ts';
import type { Change, FromWorker, ToWorker } from './watch-messages.ts';

interface Frame {
  readonly id: number;
  readonly type: string;
  readonly atMs?: number;
  readonly object?: KubeObject & { readonly message?: string; readonly row?: object };
}
interface Subscription {
  readonly path: string;
  changes: Map<string, Change>;
  reset: boolean;
  synced: boolean;
  dirty: boolean;
  /** Of what has come. */
  asOfMs: number | undefined;
}

const flushMs = 50;
const retryMaxMs = 1000;
const batchMax = 1500;
const subscriptions = new Map<number, Subscription>();
let socket: WebSocket | undefined;
const ear = new Ear(
  (hearing) => post({ type: 'connection', hearing }),
  () => performance.now(),
);
let retryMs = 250;
let flushTimer: ReturnType<typeof setTimeout> | undefined;

function post(message: FromWorker): void {
  self.postMessage(message);
}

function connect(): void {
  const url = new URL(`${branchBase}/watch`, self.location.origin);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    retryMs = 250;
    ear.heard();
    for (const [id, one] of subscriptions) {
      Object.assign(one, { changes: new Map(), reset: true, synced: false, asOfMs: undefined });
      open(id, one.path);
    }
  });
  socket.addEventListener('message', ({ data }) => {
    ear.heard();
    for (const frame of JSON.parse(String(data)) as Frame[]) receive(frame);
  });
  socket.addEventListener('close', () => void closed());
}

/** A browser does not say why a socket was refused: the branch is asked after. */
async function closed(): Promise<void> {
  ear.closed(await answerCode(), branchBase !== '');
  if (ear.hearing === 'gone') return;
  setTimeout(connect, retryMs);
  retryMs = Math.min(retryMaxMs, retryMs * 2);
}

async function answerCode(): Promise<number> {
  try {
    return (await fetch(`${branchBase}/version`, { signal: AbortSignal.timeout(answerMs), cache: 'no-store' })).status;
  } catch {
    // Nobody answers: the engine is lost.
    return 0;
  }
}

function open(id: number, path: string): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, open: path }));
}

function receive(frame: Frame): void {
  if (frame.type === 'CLOCK') {
    post({ type: 'clock', clock: frame.object as Clock });
    return;
  }
  const one = subscriptions.get(frame.id);
  if (!one) return;
  if (frame.type === 'ERROR') {
    post({ type: 'error', id: frame.id, message: frame.object?.message ?? 'The watch ended.' });
    reopen(frame.id, one);
    return;
  }
  if (frame.type === 'END') {
    reopen(frame.id, one);
    return;
  }
  if (frame.type === 'SYNCED') {
    one.synced = true;
    // Somebody waits for the first of it, and it is whole: there is nothing to gather.
    deliver(frame.id, one);
    if (one.dirty) schedule(one);
    return;
  }
  if (frame.type === 'TOLD') {
    one.asOfMs = frame.atMs;
    schedule(one);
    return;
  }
  if (!frame.object) return;
  const key = `${frame.object.metadata.namespace ?? ''}/${frame.object.metadata.name ?? ''}`;
  one.changes.set(key, frame.type === 'DELETED' ? { key } : { key, row: frame.object.row ?? frame.object });
  schedule(one);
}

/** A watch that expired, or has lasted as long as one may, starts anew with everything that exists. */
function reopen(id: number, one: Subscription): void {
  Object.assign(one, { changes: new Map(), reset: true, synced: false, asOfMs: undefined });
  setTimeout(() => {
    if (subscriptions.get(id) === one) open(id, one.path);
  }, 1000);
}

function schedule(one: Subscription): void {
  one.dirty = true;
  flushTimer ??= setTimeout(flush, flushMs);
}

function flush(): void {
  flushTimer = undefined;
  for (const [id, one] of subscriptions) if (one.dirty) deliver(id, one);
  if ([...subscriptions.values()].some(({ dirty }) => dirty)) flushTimer ??= setTimeout(flush, 16);
}

function deliver(id: number, one: Subscription): void {
  const all = [...one.changes.values()];
  const changes = all.slice(0, batchMax);
  const rest = all.slice(batchMax);
  one.changes = new Map(rest.map((change) => [change.key, change]));
  one.dirty = rest.length > 0;
  const isWhole = rest.length === 0;
  const asOf = isWhole && one.asOfMs !== undefined ? { asOfMs: one.asOfMs } : {};
  post({ type: 'changes', id, changes, reset: one.reset, synced: one.synced && isWhole, ...asOf });
  one.reset = false;
}

setInterval(() => ear.look(), lookMs);

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if ('open' in data) {
    const { id, path } = data.open;
    subscriptions.set(id, { path, changes: new Map(), reset: true, synced: false, dirty: false, asOfMs: undefined });
    open(id, path);
    return;
  }
  subscriptions.delete(data.close);
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id: data.close, close: true }));
});

connect();
