/**
 * Sends audit events to a webhook: what `--audit-webhook-*` asks for. In batches, for which nobody waits, or one by one, and the request
 * waits until it is taken. What it does not take after some tries is lost and counted. Mirrors apiserver plugin/pkg/audit/{webhook,buffered}.
 */
import type { AuditSink } from '../apiserver/audit/auditor.ts';
import { eventHead } from '../apiserver/audit/event.ts';
import { bytesOfLine } from '../apiserver/audit/truncation.ts';
import { Throttle, type ThrottleOptions } from './audit-throttle.ts';

export interface AuditWebhookOptions {
  /** `batch` where absent. Whether requests wait, and whether one is refused whose first event is lost. */
  readonly mode?: 'batch' | 'blocking' | 'blocking-strict';
  /** Events that wait; more are lost. */
  readonly bufferSize: number;
  readonly batchSize: number;
  /** How long a batch waits to become full. */
  readonly batchWaitMs: number;
  /** Before the second try; half as long again before each further one. */
  readonly backoffMs: number;
  /** Of the events of one request to the webhook; a batch with more is sent in parts. */
  readonly batchBytesMax?: number;
  readonly throttle?: ThrottleOptions;
}

/** What it needs of the outside; a test gives its own. */
export interface AuditWebhookSystem {
  /** Rejects when it was not taken. */
  post(json: string): Promise<void>;
  after(delayMs: number, call: () => void): () => void;
  /** Wall time. */
  nowMs(): number;
  /** Trouble is told once until it is over. */
  say(line: string): void;
}

const triesMax = 5;
const backoffFactor = 1.5;

export class AuditWebhook implements AuditSink {
  readonly #options: AuditWebhookOptions;
  readonly #system: AuditWebhookSystem;
  readonly #throttle: Throttle;
  #buffer: string[] = [];
  #cancelFlush: (() => void) | undefined;
  readonly #cancelBackoffs = new Set<() => void>();
  readonly #awaited = new Set<Promise<boolean>>();
  #sending: Promise<void> | undefined;
  #isClosed = false;
  #isFailing = false;
  #errors = 0;

  constructor(options: AuditWebhookOptions, system: AuditWebhookSystem) {
    this.#options = options;
    this.#system = system;
    this.#throttle = new Throttle(options.throttle ?? { qps: 0, burst: 1 }, () => system.nowMs());
  }

  /** Events that are lost. */
  get errors(): number {
    return this.#errors;
  }

  write(line: string): boolean | Promise<boolean> {
    const { mode = 'batch' } = this.#options;
    if (mode !== 'batch') return this.#sendAwaited(line, mode === 'blocking-strict');
    if (this.#buffer.length >= this.#options.bufferSize) this.#lost(1, new Error('audit buffer queue blocked'));
    else this.#buffer.push(line);
    this.#sendDue();
    return true;
  }

  /** Sends what waits, once; resolves when that is over. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const cancel of this.#cancelBackoffs) cancel();
    await Promise.all(this.#awaited);
    while (this.#buffer.length > 0 || this.#sending !== undefined) {
      this.#flush();
      await this.#sending;
    }
  }

  #sendDue(): void {
    if (this.#buffer.length >= this.#options.batchSize) this.#flush();
    else if (this.#buffer.length > 0) this.#cancelFlush ??= this.#system.after(this.#options.batchWaitMs, () => this.#flush());
  }

  /** One batch at a time: what comes meanwhile waits in the buffer. */
  #flush(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#sending !== undefined) return;
    const items = this.#buffer.splice(0, this.#options.batchSize);
    if (items.length === 0) return;
    this.#sending = this.#sendBatch(items).then(() => {
      this.#sending = undefined;
      this.#sendDue();
    });
  }

  async #sendBatch(items: readonly string[]): Promise<void> {
    const waitMs = this.#throttle.take();
    if (waitMs > 0 && !this.#isClosed) await this.#wait(waitMs);
    for (const part of partsOf(items, this.#options.batchBytesMax ?? Number.POSITIVE_INFINITY)) {
      await this.#send(part);
    }
  }

  #sendAwaited(line: string, isStrict: boolean): Promise<boolean> {
    const sent = this.#send([line])
      .then((isTaken) => isTaken || !isStrict)
      .finally(() => this.#awaited.delete(sent));
    this.#awaited.add(sent);
    return sent;
  }

  /** False: they are lost. */
  async #send(lines: readonly string[]): Promise<boolean> {
    const json = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${lines.map(untyped).join(',')}]}`;
    for (let tries = 1, waitMs = this.#options.backoffMs; ; tries++, waitMs *= backoffFactor) {
      try {
        await this.#system.post(json);
        if (this.#isFailing) this.#system.say('audit events are taken by the webhook again');
        this.#isFailing = false;
        return true;
      } catch (error) {
        if (tries >= triesMax || this.#isClosed) {
          this.#lost(lines.length, error as Error);
          return false;
        }
      }
      await this.#wait(waitMs);
    }
  }

  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        this.#cancelBackoffs.delete(over);
        cancel();
        resolve();
      };
      const cancel = this.#system.after(delayMs, over);
      this.#cancelBackoffs.add(over);
    });
  }

  #lost(count: number, error: Error): void {
    this.#errors += count;
    if (!this.#isFailing) this.#system.say(`Error in audit plugin 'webhook' affecting ${count} audit events: ${error.message}`);
    this.#isFailing = true;
  }
}

function partsOf(items: readonly string[], bytesMax: number): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const more = bytesOfLine(item);
    if (bytes + more > bytesMax || parts.length === 0) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(item);
    bytes += more;
  }
  return parts;
}

/** Items of a list do not say what they are. */
function untyped(line: string): string {
  return line.startsWith(eventHead) ? `{${line.slice(eventHead.length)}` : line;
}
