/** The worker of a pod that has just come to its node. */
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { Cause } from '../../base/causes.ts';
import { podRequests } from '../../component-helpers/resources.ts';
import type { Machine } from '../machine.ts';
import { makeContainerRun, noFiles, noResize, type PodWorker } from './worker.ts';

export function makeWorker(pod: Pod, machine: Machine, nowMs: number, causes: readonly Cause[], isStatic = false): PodWorker {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const hasInit = initContainers.length > 0;
  return {
    uid: pod.metadata.uid ?? '',
    namespace: pod.metadata.namespace ?? '',
    name: pod.metadata.name ?? '',
    node: machine.name,
    pod,
    isStatic,
    mirror: null,
    stage: 'volumes',
    addedMs: nowMs,
    stageMs: nowMs,
    mountBackoffMs: 0,
    setUpSinceMs: null,
    setUpRetryMs: 0,
    attachSinceMs: null,
    hasDevices: false,
    accountUid: '',
    volumeFiles: noFiles,
    mountedMs: null,
    ip: '',
    sandboxMs: 0,
    containers: initContainers
      .map((spec, i) => makeContainerRun(spec.name ?? '', spec.restartPolicy === 'Always' ? 'sidecar' : 'init', i, hasInit))
      .concat((containers ?? []).map((spec, i) => makeContainerRun(spec.name ?? '', 'main', i, hasInit)))
      .concat(ephemeralContainers.map((spec, i) => makeContainerRun(spec.name ?? '', 'ephemeral', i, hasInit))),
    busy: null,
    lookMs: null,
    restartAllMs: null,
    stopping: null,
    teardownMs: null,
    victims: [],
    verdict: null,
    gone: false,
    flushMs: null,
    takeBackMs: undefined,
    causes,
    timer: 0,
    timerMs: null,
    retryMs: null,
    requests: podRequests(pod),
    allocated: null,
    actual: null,
    resize: noResize,
    deleted: false,
  };
}

/** Ephemeral containers that the pod was given meanwhile; whether there are any. */
export function addEphemeral(worker: PodWorker): boolean {
  const known = worker.containers.filter(({ role }) => role === 'ephemeral').length;
  const added = (worker.pod.spec?.ephemeralContainers ?? []).slice(known);
  for (const [i, spec] of added.entries()) worker.containers.push(makeContainerRun(spec.name ?? '', 'ephemeral', known + i, false));
  return added.length > 0;
}
