/** What the scheduler is given, and what its parts share. */
import type { RandomStream } from '../base/random.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { Answer, Question } from '../contracts/questions.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import type { InformerFactory } from '../client/informer.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import type { SchedulerCache } from './cache.ts';
import type { CycleNodes } from './cycle.ts';
import type { DecisionRecord } from './decision.ts';
import type { PlacedVerdict } from './verdicts.ts';
import type { PluginDefinition } from './framework/plugin.ts';
import type { GroupCache } from './groups.ts';
import type { Listers } from './listers.ts';
import type { Nominator } from './nominator.ts';
import type { SchedulerOptions } from './options.ts';
import type { SchedulingQueue } from './queue.ts';

export interface SchedulerEnvironment {
  readonly loop: Pick<TaskLoop, 'nowMs' | 'setTimer' | 'track' | 'crashed'>;
  readonly client: Client;
  /** The limiter that the client waits for: a pod waits for it in the queue, as data, and not in a binding. */
  readonly limiter?: RateLimiter;
  readonly informers: InformerFactory;
  /** Events of a profile name it as their source. */
  recorderOf(schedulerName: string): EventRecorder;
  readonly random: RandomStream;
  readonly options?: Partial<SchedulerOptions>;
  /** Plugins beside the default ones, as upstream's out-of-tree ones: on wherever they can be. */
  readonly plugins?: readonly PluginDefinition[];
  /** `nodes`: what became of each of them, where they were looked at. */
  readonly onDecision: (record: DecisionRecord, nodes?: CycleNodes) => void;
  /** A pod is bound, by its namespace/name and the attempt that chose its node: what plugins said on the way, a list that many pods share. */
  readonly onBound?: (pod: string, attempt: number, placed: readonly PlacedVerdict[]) => void;
  /** Puts a question to an extender; `goOn` is called with the answer in a task or an input. Needed where there are extenders. */
  readonly ask?: (question: Question, goOn: (answer: Answer) => void) => void;
}

/** One set for each scheduler. */
export interface SchedulerParts {
  readonly environment: SchedulerEnvironment;
  readonly options: SchedulerOptions;
  readonly listers: Listers;
  readonly cache: SchedulerCache;
  readonly nominator: Nominator;
  readonly queue: SchedulingQueue;
  /** Where pods of a group are tried together. */
  readonly groups: GroupCache | undefined;
  /** Runs a task's work, then sets the timers that it made necessary. */
  after(work: () => void): void;
}

export const schedulerName = 'kube-scheduler';

export function isAssigned(pod: Pod): boolean {
  return Boolean(pod.spec?.nodeName);
}

export function isTerminal(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}
