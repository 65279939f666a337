/**
 * Starting one container: image, configuration, creation, start, postStart. Mirrors pkg/kubelet/images/image_manager.go
 * (EnsureImageExists, with its events and messages) and kuberuntime_container.go (startContainer).
 */
import { assert } from '../../base/assert.ts';
import { mergeCauses } from '../../base/causes.ts';
import { secondsToMs } from '../../base/int64.ts';
import {
  backoffBaseMs,
  backoffMaxMs,
  containerStartMaxMs,
  containerStartMinMs,
  pullBytesPerSecond,
  registryLatencyMaxMs,
  registryLatencyMinMs,
  registryTimeoutMs,
} from '../physics.ts';
import { outOfMemoryMs } from '../metrics/usage.ts';
import { digestOf } from '../runtime/image-catalog.ts';
import type { ImageName } from '../runtime/image-name.ts';
import { startProgram } from '../runtime/program.ts';
import { durationText } from '../timestamps.ts';
import { endContainer, raiseBackoff } from './container-exit.ts';
import { missingConfiguration, skippedVariables } from './container-env.ts';
import { subPathFault } from './container-files.ts';
import { changed, containerSpec, type KubeletEnvironment, noticed, shouldRestart } from './environment.ts';
import { runHook } from './hooks.ts';
import { makeProbes } from './probes.ts';
import { failed } from './retries.ts';
import { rootRefused } from './run-as-user.ts';
import { argvOf, definitionOf, programHost } from './program-host.ts';
import { killContainer } from './stop-pod.ts';
import { snapshotFault, unpackFault } from './system-disk.ts';
import { type BusyStep, type ContainerRun, filesOfImage, type PodWorker } from './worker.ts';

export function beginStart(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  assert(run.state !== 'running' && worker.busy === null, 'one container starts at a time, and only one that does not run');
  const { image = '', imagePullPolicy = 'IfNotPresent' } = containerSpec(worker.pod, run);
  const name = env.catalog.parse(image);
  if (typeof name === 'string') {
    const message = `Failed to apply default image tag ${JSON.stringify(image)}: couldn't parse image name ${JSON.stringify(image)}: ${name}`;
    env.event(worker, 'Warning', 'InspectFailed', message, run);
    fail(worker, run, 'InvalidImageName', message, env);
    return;
  }
  const present = env.machine.images.has(name.full);
  if (present && imagePullPolicy !== 'Always') {
    env.event(worker, 'Normal', 'Pulled', `Container image ${JSON.stringify(image)} already present on machine and can be accessed by the pod`, run);
    create(worker, run, env);
  } else if (imagePullPolicy === 'Never') {
    const message = `Container image ${JSON.stringify(image)} is not present with pull policy of Never`;
    env.event(worker, 'Warning', 'ErrImageNeverPull', message, run);
    fail(worker, run, 'ErrImageNeverPull', message, env);
  } else if (env.nowMs < run.pullRetryMs) {
    const message = `Back-off pulling image ${JSON.stringify(image)}`;
    env.event(worker, 'Normal', 'BackOff', message, run);
    fail(worker, run, 'ImagePullBackOff', `${message}: ErrImagePull: ${run.pullError}`, env);
  } else {
    pull(worker, run, image, name, present, env);
  }
}

/** What took time is over. */
export function finishStep(worker: PodWorker, env: KubeletEnvironment): void {
  const busy = worker.busy;
  if (busy === null) return;
  assert(worker.stopping === null, 'nothing is started in a pod that ends');
  worker.busy = null;
  const run = worker.containers[busy.container] as ContainerRun;
  if (busy.step === 'pull') finishPull(worker, run, busy, env);
  else if (busy.step === 'start') finishCreate(worker, run, env);
  else markStarted(worker, run, env);
}

function occupy(worker: PodWorker, run: ContainerRun, step: BusyStep, tookMs: number, env: KubeletEnvironment, waitMs = 0): void {
  assert(worker.busy === null, 'a kubelet does one thing at a time for a pod');
  assert(tookMs >= 0 && waitMs >= 0, 'steps take time');
  worker.busy = {
    container: worker.containers.indexOf(run),
    step,
    untilMs: env.nowMs + waitMs + tookMs,
    sinceMs: env.nowMs,
    beganMs: env.nowMs + waitMs,
  };
}

function pull(worker: PodWorker, run: ContainerRun, image: string, name: ImageName, present: boolean, env: KubeletEnvironment): void {
  env.event(worker, 'Normal', 'Pulling', `Pulling image ${JSON.stringify(image)}`, run);
  const { machine, catalog } = env;
  const reachable = catalog.reachable(name.host);
  const waitMs = Math.max(0, machine.pullsBusyUntilMs - env.nowMs);
  const slowness = catalog.slowness(name.host);
  const latencyMs = reachable ? env.random.between(registryLatencyMinMs, registryLatencyMaxMs) * slowness : registryTimeoutMs;
  const downloads = reachable && !present && catalog.exists(name);
  const tookMs =
    latencyMs +
    (downloads ? (catalog.definition(name.repository).sizeBytes / pullBytesPerSecond) * 1000 * Math.max(slowness, machine.diskSlowness) : 0);
  if (!reachable || slowness > 1) worker.causes = mergeCauses(catalog.faultCauses(name.host), worker.causes);
  machine.pullsBusyUntilMs = env.nowMs + waitMs + tookMs;
  occupy(worker, run, 'pull', tookMs, env, waitMs);
  run.pullError = '';
  changed(worker, env);
}

function finishPull(
  worker: PodWorker,
  run: ContainerRun,
  times: { readonly sinceMs: number; readonly beganMs: number },
  env: KubeletEnvironment,
): void {
  const { image = '' } = containerSpec(worker.pod, run);
  const name = env.catalog.parse(image) as ImageName;
  const error = pullError(name, env);
  if (error !== undefined) {
    env.event(worker, 'Warning', 'Failed', `Failed to pull image ${JSON.stringify(image)}: ${error}`, run);
    run.pullBackoffMs = run.pullBackoffMs === 0 ? backoffBaseMs : Math.min(backoffMaxMs, run.pullBackoffMs * 2);
    run.pullRetryMs = env.nowMs + run.pullBackoffMs;
    run.pullError = error;
    fail(worker, run, 'ErrImagePull', error, env);
    return;
  }
  // What was held up by a fault says so, also when that is over.
  if (run.pullBackoffMs > 0) worker.causes = mergeCauses(env.catalog.faultCauses(name.host), worker.causes);
  run.pullBackoffMs = 0;
  run.pullRetryMs = 0;
  const { sizeBytes } = env.catalog.definition(name.repository);
  const { machine } = env;
  if (!machine.images.has(name.full)) {
    const id = `${name.repository}@${name.digest !== '' ? name.digest : digestOf(name.full)}`;
    machine.images.set(name.full, { names: [id, name.full], sizeBytes, id, pulledMs: env.nowMs, lastUsedMs: env.nowMs });
    machine.imagesChanged = true;
  }
  const took = durationText(env.nowMs - times.beganMs);
  const inAll = durationText(env.nowMs - times.sinceMs);
  env.event(
    worker,
    'Normal',
    'Pulled',
    `Successfully pulled image ${JSON.stringify(image)} in ${took} (${inAll} including waiting). Image size: ${sizeBytes} bytes.`,
    run,
  );
  create(worker, run, env);
}

function pullError(name: ImageName, env: KubeletEnvironment): string | undefined {
  const { host, repository, tag, full } = name;
  const unreadable = unpackFault(full, env.machine);
  if (unreadable !== undefined) return unreadable;
  if (env.machine.diskFull && !env.machine.images.has(full))
    return `rpc error: code = Unknown desc = failed to pull and unpack image ${JSON.stringify(full)}: failed to extract layer: write /var/lib/containerd: no space left on device`;
  const what = `failed to pull and unpack image ${JSON.stringify(full)}: failed to resolve reference ${JSON.stringify(full)}`;
  if (!env.catalog.reachable(host)) {
    const server = host === 'docker.io' ? 'registry-1.docker.io' : host;
    const path = repository.slice(repository.indexOf('/') + 1);
    return `rpc error: code = DeadlineExceeded desc = ${what}: failed to do request: Head "https://${server}/v2/${path}/manifests/${tag}": dial tcp: i/o timeout`;
  }
  return env.catalog.exists(name) ? undefined : `rpc error: code = NotFound desc = ${what}: ${full}: not found`;
}

function create(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  const missing =
    missingConfiguration(worker, run, env) ?? subPathFault(worker, run, env) ?? rootRefused(worker, run, definitionOf(worker, run, env));
  if (missing !== undefined) {
    fail(worker, run, 'CreateContainerConfigError', missing, env, missing);
    return;
  }
  const fault = snapshotFault(env.machine);
  if (fault !== undefined) {
    fail(worker, run, 'CreateContainerError', fault, env, fault);
    return;
  }
  for (const text of skippedVariables(worker, run, env)) env.event(worker, 'Warning', 'InvalidEnvironmentVariableNames', text);
  occupy(worker, run, 'start', env.random.between(containerStartMinMs, containerStartMaxMs), env);
}

function finishCreate(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  assert(run.state !== 'running', 'a container is created once');
  if (run.ended !== null) {
    raiseBackoff(run, env);
    run.restarts++;
    run.previous = run.ended;
    run.ended = null;
    run.previousLog = run.log;
    run.log = null;
  }
  run.files = filesOfImage(definitionOf(worker, run, env));
  run.id = env.random.hex(64);
  run.startedMs = env.nowMs;
  run.message = '';
  env.event(worker, 'Normal', 'Created', 'Container created', run);
  const { stdin, tty, lifecycle } = containerSpec(worker.pod, run);
  const start = startProgram(argvOf(worker, run, env), programHost(worker, run, env), { stdin: stdin === true, tty: tty === true });
  if (start.program === undefined) {
    const error = start.error ?? '';
    env.event(worker, 'Warning', 'Failed', `Error: ${error}`, run);
    endContainer(worker, run, 128, env, 'StartError', error);
    if (shouldRestart(worker, run, 128)) run.untold = { reason: 'RunContainerError', message: error };
    return;
  }
  env.event(worker, 'Normal', 'Started', 'Container started', run);
  run.state = 'running';
  run.reason = '';
  run.untold = null;
  noticed(worker, env);
  run.program = start.program;
  run.oomMs = outOfMemoryMs(worker, run, env);
  const hook = lifecycle?.postStart;
  if (hook === undefined) {
    markStarted(worker, run, env);
    return;
  }
  const result = runHook(worker, run, hook, env);
  if (result.ok) {
    occupy(worker, run, 'postStart', result.tookMs, env);
  } else {
    env.event(worker, 'Warning', 'FailedPostStartHook', 'PostStartHook failed', run);
    killContainer(worker, run, secondsToMs(worker.pod.spec?.terminationGracePeriodSeconds ?? 30), 'FailedPostStartHook', env);
  }
  changed(worker, env);
}

function markStarted(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): void {
  if (run.state !== 'running') return;
  const { startupProbe, readinessProbe } = containerSpec(worker.pod, run);
  run.started = startupProbe === undefined;
  run.ready = run.started && readinessProbe === undefined;
  run.probes = makeProbes(worker, run, env);
  changed(worker, env);
}

/** The container waits with this reason; upstream tells `Error: <reason>` or, where the runtime said more, that. */
function fail(worker: PodWorker, run: ContainerRun, reason: string, message: string, env: KubeletEnvironment, error = reason): void {
  env.event(worker, 'Warning', 'Failed', `Error: ${error}`, run);
  failed(run, reason, message);
}
