/**
 * Makes room for a pod that preempts: marks its victims, deletes them and tells of it (framework/preemption/executor.go). The pod
 * itself stays out of the queue until the last victim is going.
 */
import type { Cause } from '../base/causes.ts';
import type { TaskLoop } from '../base/task-loop.ts';
import type { Pod } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
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
  /** Takes the place of a victim that waits for its binding; false for one that does not. */
  preempts(uid: string): boolean;
}

export interface Preemptor {
  /** namespace/name. */
  readonly name: string;
  readonly uid: string;
  readonly schedulerName: string;
  readonly causes: readonly Cause[];
  /** What Events and conditions call it. */
  readonly type: string;
  /** What Events relate to: a group; upstream fails to name a pod there. */
  readonly by?: KubeObject;
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

  /**
   * False when nothing will tell the preemptor to go on: a victim could not be evicted, or the last one gave its place back at once. The
   * last one waits for the others, so that its going is the signal.
   */
  async run(preemptor: Preemptor, { node, pods }: Pick<Victims, 'node' | 'pods'>): Promise<boolean> {
    const leaving = pods.filter(({ terminating }) => !terminating);
    const last = leaving[leaving.length - 1];
    if (last === undefined) return true;
    this.#running.set(preemptor.uid, undefined);
    const others = leaving.slice(0, -1);
    let isLeaving = this.#environment.marks ? await this.#together(preemptor, node, others) : await this.#inTurn(preemptor, node, others);
    if (isLeaving) {
      this.#running.set(preemptor.uid, { namespace: last.namespace, name: last.pod.metadata.name ?? '' });
      isLeaving = (await this.#evict(preemptor, node, last)) === 'leaving';
    }
    this.#running.delete(preemptor.uid);
    return isLeaving;
  }

  async #together(preemptor: Preemptor, node: string, victims: readonly PodInfo[]): Promise<boolean> {
    const done = await Promise.all(victims.map((victim) => this.#evict(preemptor, node, victim)));
    return !done.includes('refused');
  }

  async #inTurn(preemptor: Preemptor, node: string, victims: readonly PodInfo[]): Promise<boolean> {
    for (const victim of victims) if ((await this.#evict(preemptor, node, victim)) === 'refused') return false;
    return true;
  }

  /** Refused when the API server did for another reason than that the victim is gone. */
  async #evict(
    { uid: preemptor, name: preemptorName, schedulerName, causes, by, type }: Preemptor,
    node: string,
    { pod, uid }: PodInfo,
  ): Promise<'leaving' | 'left' | 'refused'> {
    const { marks } = this.#environment;
    // One that is not bound yet goes back into the queue, and nobody has to delete it.
    const isInMemory = this.#environment.preempts(uid);
    try {
      if (!isInMemory) await this.#remove({ schedulerName, causes, type }, pod);
    } catch (error) {
      if (error instanceof StatusError) return error.status.code === 404 ? 'leaving' : 'refused';
      throw error;
    }
    const place = `on node ${node}${isInMemory ? ' (in kube-scheduler memory).' : ''}`;
    this.#environment
      .recorderOf(schedulerName)
      .event(pod, 'Normal', 'Preempted', marks ? `Preempted by ${type} ${preemptor} ${place}` : `by ${preemptorName} ${place}`, causes, {
        ...(marks ? { action: 'Preempting' } : {}),
        ...(by === undefined ? {} : { related: by }),
      });
    return isInMemory ? 'left' : 'leaving';
  }

  async #remove({ schedulerName, causes, type }: Pick<Preemptor, 'schedulerName' | 'causes' | 'type'>, pod: Pod): Promise<void> {
    const { loop, marks } = this.#environment;
    const client = this.#environment.client.because(causes);
    const { namespace, name = '', uid } = pod.metadata;
    const message = `${schedulerName}: preempting to accommodate a higher priority ${type}`;
    const patch = statusPatch(pod, loop.nowMs(), { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message }, undefined);
    if (marks && patch !== undefined) await client.patch(podsType, namespace, name, 'strategic', patch, { subresource: 'status' });
    await client.delete(podsType, namespace, name, { preconditions: uid === undefined ? {} : { uid } });
  }
}
