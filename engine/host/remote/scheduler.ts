/** Our scheduler on host time against any API server. */
import { RateLimiter } from '../../client/rate-limiter.ts';
import type { SchedulerOptions } from '../../scheduler/options.ts';
import { createScheduler, type Scheduler, schedulerName } from '../../scheduler/scheduler.ts';
import type { RemoteRuntime } from './runtime.ts';

export interface RemoteSchedulerOptions {
  readonly runtime: RemoteRuntime;
  readonly options: Partial<SchedulerOptions>;
  readonly qps: number;
  readonly burst: number;
  /** Who events say they come from. */
  readonly eventSource: string;
}

/** Resolves when all informers are synced and the scheduler has begun. */
export async function startScheduler({ runtime, options, qps, burst, eventSource }: RemoteSchedulerOptions): Promise<Scheduler> {
  const limiter = new RateLimiter(qps, burst);
  const { loop, random } = runtime;
  const informers = runtime.informers();
  const scheduler = createScheduler({
    loop,
    client: runtime.client(schedulerName, limiter),
    limiter,
    informers,
    recorder: runtime.recorder(schedulerName, eventSource),
    random: random.stream(schedulerName),
    options,
    onDecision: () => undefined,
  });
  loop.register(scheduler);
  await informers.start();
  runtime.deliver(schedulerName, () => scheduler.start());
  return scheduler;
}
