/** The scheduler of a cluster: whom it writes as, and who hears of what it decides. */
import type { Component } from '../base/task-loop.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import { SeriesRecorder } from '../client/series-recorder.ts';
import type { Answer } from '../contracts/questions.ts';
import type { HistoryDigest } from '../history/digest.ts';
import type { NodeVerdicts } from '../history/node-verdicts.ts';
import type { FeatureGates } from '../releases/feature-gates.ts';
import { createScheduler, type Scheduler } from '../scheduler/scheduler.ts';
import type { Cluster } from './cluster.ts';
import { schedulerLimits, schedulerOptions } from './component-options.ts';
import { schedulerIdentity } from './identities.ts';
import type { Wiring } from './wiring.ts';

export interface SchedulerSurroundings {
  readonly wiring: Wiring;
  readonly digest: Pick<HistoryDigest, 'onDecision'>;
  readonly verdicts: NodeVerdicts;
  readonly gates: FeatureGates;
  /** Registers what the cluster has to run and to remember. */
  readonly add: (component: Component) => void;
}

const component = 'kube-scheduler';

export function createClusterScheduler(cluster: Cluster, { wiring, digest, verdicts, gates, add }: SchedulerSurroundings): Scheduler {
  const { loop, random, settings, release, decisions } = cluster;
  const limiter = wiring.limiter(component, ...schedulerLimits(settings));
  const client = wiring.client(schedulerIdentity, component, component, limiter);
  const eventClient = wiring.client(schedulerIdentity, component, component);
  const options = schedulerOptions(settings, release, gates);
  const name = settings.text('scheduler-name');
  const names = new Set([name, ...(options.profiles ?? []).map(({ schedulerName }) => schedulerName)]);
  // Where policies go, Events are core ones yet.
  const recorderOf = (source: string): EventRecorder =>
    release.schedulesByPolicy ? wiring.recorder(eventClient, source) : series(eventClient, source);
  const series = (client: Client, source: string): EventRecorder => {
    const recorder = new SeriesRecorder({ loop, client, controller: source, host: 'wavetank' });
    add(recorder);
    return recorder;
  };
  const recorders = new Map([...names].map((source) => [source, recorderOf(source)] as const));
  const scheduler = createScheduler({
    loop,
    client,
    limiter,
    informers: wiring.informers(schedulerIdentity, component, component),
    recorderOf: (source) => recorders.get(source) ?? (recorders.get(name) as EventRecorder),
    random: random.stream(component),
    options,
    onDecision: (record, nodes) => {
      digest.onDecision(record);
      decisions.onDecision(record);
      if (nodes !== undefined) verdicts.keep(record.pod, record.virtualMs, record.attempt, nodes);
    },
    onBound: (pod, attempt, placed) => decisions.onBound(pod, attempt, placed),
    ask: (question, goOn) => cluster.door.ask([question], component, ([answer]) => goOn(answer as Answer)),
  });
  add(scheduler);
  return scheduler;
}
