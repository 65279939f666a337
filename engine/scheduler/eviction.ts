/**
 * Makes room for a pod that preempts: marks its victims, deletes them and tells of it (framework/preemption/executor.go). The pod
 * itself stays out of the queue until the last victim is going.
 */
import type { Cause } from '../base/causes.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import { StatusError } from '../apimachinery/status.ts';
import type { Client } from '../client/client.ts';
import type { EventRecorder } from '../client/event-recorder.ts';
import { pods as podsType } from '../client/resources.ts';
import type { Victims } from './framework/plugin.ts';
import type { PodInfo } from './framework/pod-info.ts';
import { statusPatch } from './status-patch.ts';

export interface EvictionEnvironment {
  readonly loop: Pick<TaskLoop, 'nowMs'>;
  readonly client: Client;
  recorderOf(schedulerName: string): EventRecorder;
  /** Victims are marked by a condition, and go together but for the last; else one after the other, and Events name who came instead. */
  readonly marks: boolean;
}

export interface Preemptor {
  /** namespace/name. */
  readonly name: string;
  readonly uid: string;
  readonly schedulerName: string;
  readonly causes: readonly Cause[];
}

interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export class Evictions {
  readonly #environment: EvictionEnvironment;
  readonly #find: (namespace: string, name: string) => Pod | undefined;
  /** By preemptor: the last victim once its turn has come. Empty whenever the loop is quiet, so not saved. */
  readonly #running = new Map<string, PodName | undefined>();

  constructor(environment: EvictionEnvironment, find: (namespace: string, name: string) => Pod | undefined) {
    this.#environment = environment;
    this.#find = find;
  }

  isRunning(uid: string): boolean {
    if (!this.#running.has(uid)) return false;
    const last = this.#running.get(uid);
    if (last === undefined) return true;
    const victim = this.#find(last.namespace, last.name);
    return victim !== undefined && victim.metadata.deletionTimestamp === undefined;
  }

  /** False when a victim could not be evicted. The last one waits for the others, so that its going is the signal. */
  async run(preemptor: Preemptor, { node, pods }: Victims): Promise<boolean> {
    const leaving = pods.filter(({ terminating }) => !terminating);
    const last = leaving[leaving.length - 1];
    if (last === undefined) return true;
    this.#running.set(preemptor.uid, undefined);
    const others = leaving.slice(0, -1);
    let evicted = this.#environment.marks ? await this.#together(preemptor, node, others) : await this.#inTurn(preemptor, node, others);
    if (evicted) {
      this.#running.set(preemptor.uid, { namespace: last.namespace, name: last.pod.metadata.name ?? '' });
      evicted = await this.#evict(preemptor, node, last);
    }
    this.#running.delete(preemptor.uid);
    return evicted;
  }

  async #together(preemptor: Preemptor, node: string, victims: readonly PodInfo[]): Promise<boolean> {
    const done = await Promise.all(victims.map((victim) => this.#evict(preemptor, node, victim)));
    return done.every(Boolean);
  }

  async #inTurn(preemptor: Preemptor, node: string, victims: readonly PodInfo[]): Promise<boolean> {
    for (const victim of victims) if (!(await this.#evict(preemptor, node, victim))) return false;
    return true;
  }

  /** False when the API server refused for another reason than that the victim is gone. */
  async #evict(
    { uid: preemptor, name: preemptorName, schedulerName, causes }: Preemptor,
    node: string,
    { pod, namespace, uid }: PodInfo,
  ): Promise<boolean> {
    const { loop, marks } = this.#environment;
    const client = this.#environment.client.because(causes);
    const name = pod.metadata.name ?? '';
    const message = `${schedulerName}: preempting to accommodate a higher priority pod`;
    const patch = statusPatch(pod, loop.nowMs(), { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message }, undefined);
    try {
      if (marks && patch !== undefined) await client.patch(podsType, namespace, name, 'strategic', patch, { subresource: 'status' });
      await client.delete(podsType, namespace, name, { preconditions: { uid } });
    } catch (error) {
      if (error instanceof StatusError) return error.status.code === 404;
      throw error;
    }
    this.#environment
      .recorderOf(schedulerName)
      .event(
        pod,
        'Normal',
        'Preempted',
        marks ? `Preempted by pod ${preemptor} on node ${node}` : `by ${preemptorName} on node ${node}`,
        causes,
        marks ? { action: 'Preempting' } : {},
      );
    return true;
  }
}
