/** What AuditSinks get: batches by HTTPS, buffered, throttled and tried again for each sink by itself. Mirrors plugin/pkg/audit/dynamic. */
import type { OpenSink, SinkWay } from '../apiserver/audit/sinks.ts';
import { AuditWebhook, type AuditWebhookSystem } from './audit-webhook.ts';
import { wallClock } from './pacing.ts';
import { createWebhookReach } from './reach-webhook.ts';

/** Upstream's, which no option changes; a body holds one event, as there. */
const sinkOptions = { bufferSize: 5_000, batchSize: 400, batchWaitMs: 30_000, backoffMs: 500, batchBytesMax: 0 };
const timeoutMs = 30_000;

export class AuditSinkWays {
  readonly #system: Pick<AuditWebhookSystem, 'after' | 'nowMs' | 'say'>;
  readonly #reach = createWebhookReach();
  readonly #ways = new Set<AuditWebhook>();

  constructor(say: (line: string) => void, { after, nowMs }: Pick<AuditWebhookSystem, 'after' | 'nowMs'> = systemClock) {
    this.#system = { after, nowMs, say };
  }

  readonly open: OpenSink = ({ name, throttle, call }) => {
    const { say } = this.#system;
    const post = async (json: string): Promise<void> => {
      const to = call(json);
      if (to === undefined) return;
      const { code } = (await this.#reach(to, AbortSignal.timeout(timeoutMs))) as { readonly code: number };
      if (code < 200 || code >= 300) throw new Error(`the sink answered ${code}`);
    };
    const way = new AuditWebhook({ ...sinkOptions, throttle }, { ...this.#system, post, say: (line) => say(`AuditSink ${name}: ${line}`) });
    this.#ways.add(way);
    const shown: SinkWay = {
      write: (line) => void way.write(line),
      close: async () => {
        await way.close();
        this.#ways.delete(way);
      },
    };
    return shown;
  };

  /** Sends what waits, once. */
  async close(): Promise<void> {
    await Promise.all([...this.#ways].map((way) => way.close()));
  }
}

const systemClock = { after: wallClock.after, nowMs: () => performance.now() };
