/** Our scheduler on host time against any API server. */
import { hostname } from 'node:os';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { EventRecorder } from '../../client/event-recorder.ts';
import { pods } from '../../client/resources.ts';
import { SeriesRecorder } from '../../client/series-recorder.ts';
import { qpsOfClient, RateLimiter } from '../../client/rate-limiter.ts';
import type { SchedulerOptions } from '../../scheduler/options.ts';
import { schedulerName } from '../../scheduler/parts.ts';
import { createScheduler, type Scheduler } from '../../scheduler/scheduler.ts';
import { createAsk } from '../asking.ts';
import { wallClock } from '../pacing.ts';
import { createReach } from '../reach.ts';
import type { RemoteRuntime } from './runtime.ts';

export interface RemoteSchedulerOptions {
  readonly runtime: RemoteRuntime;
  readonly options: Partial<SchedulerOptions>;
  readonly qps: number;
  readonly burst: number;
  /** Who events say they come from. */
  readonly eventSource: string;
  /** Whether Events say who reports them. */
  readonly namesReporter: boolean;
}

export interface RemoteScheduler {
  readonly scheduler: Scheduler;
  /** All that it sees. */
  pods(): readonly Pod[];
}

/** Resolves when all informers are synced and the scheduler has begun. */
export async function startScheduler({ runtime, options, qps, burst, eventSource, namesReporter }: RemoteSchedulerOptions): Promise<RemoteScheduler> {
  const limiter = new RateLimiter(qpsOfClient(qps), burst);
  const { loop, random } = runtime;
  const ask = createAsk(createReach(), wallClock);
  const informers = runtime.informers();
  const recorder = (source: string): EventRecorder => {
    // Where policies go, Events are core ones yet.
    if (options.policy !== undefined) return runtime.recorder(schedulerName, source, undefined, namesReporter);
    const series = new SeriesRecorder({ loop, client: runtime.client(schedulerName), controller: source, host: hostname() });
    loop.register(series);
    return series;
  };
  const own = recorder(eventSource);
  const sources = (options.profiles ?? []).map((profile) => profile.schedulerName).filter((source) => source !== eventSource);
  const recorders = new Map(sources.map((source) => [source, recorder(source)] as const));
  const scheduler = createScheduler({
    loop,
    client: runtime.client(schedulerName, limiter),
    limiter,
    informers,
    recorderOf: (source) => recorders.get(source) ?? own,
    random: random.stream(schedulerName),
    options,
    onDecision: () => undefined,
    ask: (question, goOn) => void ask(question).then((answer) => runtime.arrivals.answer(schedulerName, () => goOn(answer))),
  });
  loop.register(scheduler);
  const seen = informers.informer(pods);
  await informers.start();
  runtime.deliver(schedulerName, () => scheduler.start());
  return { scheduler, pods: () => seen.list() };
}
