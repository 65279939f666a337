/** The worker of a pod that has just come to its node. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { Cause } from '../../base/causes.ts';
import { podRequests } from '../../component-helpers/resources.ts';
import type { Machine } from '../machine.ts';
import { makeContainerRun, type PodWorker } from './worker.ts';

export function makeWorker(pod: Pod, machine: Machine, nowMs: number, causes: readonly Cause[]): PodWorker {
  const { initContainers = [], containers = [] } = pod.spec ?? {};
  const hasInit = initContainers.length > 0;
  return {
    uid: pod.metadata.uid ?? '',
    namespace: pod.metadata.namespace ?? '',
    name: pod.metadata.name ?? '',
    node: machine.name,
    pod,
    stage: 'volumes',
    addedMs: nowMs,
    stageMs: nowMs,
    mountBackoffMs: 0,
    ip: '',
    containers: initContainers
      .map((spec, i) => makeContainerRun(spec.name ?? '', spec.restartPolicy === 'Always' ? 'sidecar' : 'init', i, hasInit))
      .concat((containers ?? []).map((spec, i) => makeContainerRun(spec.name ?? '', 'main', i, hasInit))),
    busy: null,
    stopping: null,
    teardownMs: null,
    verdict: null,
    gone: false,
    flushMs: null,
    causes,
    timer: 0,
    timerMs: null,
    retryMs: null,
    requests: podRequests(pod),
    deleted: false,
  };
}
