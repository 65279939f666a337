/** Asking a container whether it is well: exec, httpGet, tcpSocket, grpc. Texts as pkg/probe and the Go network stack give them. */
import type { HTTPGetAction, Probe } from '../../api/core/v1/types.gen.ts';
import { answer, isListening } from '../runtime/http.ts';
import { runCommand } from '../runtime/shell.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { programHost } from './program-host.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

export interface ProbeAnswer {
  readonly ok: boolean;
  readonly output: string;
}

export function runProbe(worker: PodWorker, run: ContainerRun, probe: Probe, env: KubeletEnvironment): ProbeAnswer {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  if (probe.exec !== undefined) {
    const command = probe.exec.command ?? [];
    const result = runCommand(command, programHost(worker, run, env));
    if (result.tookMs > timeoutMs)
      return { ok: false, output: `command timed out: ${JSON.stringify(command.join(' '))} timed out after ${probe.timeoutSeconds ?? 1}s` };
    return { ok: result.exitCode === 0, output: result.output };
  }
  if (probe.httpGet !== undefined) return answerHttp(worker, run, probe.httpGet, env);
  const port = probe.tcpSocket !== undefined ? portNumber(worker, run, probe.tcpSocket.port) : Number(probe.grpc?.port ?? 0);
  if (probe.tcpSocket === undefined && probe.grpc === undefined) return { ok: true, output: '' };
  if (listens(worker, run, port, env)) return { ok: true, output: '' };
  const refused = `dial tcp ${worker.ip}:${port}: connect: connection refused`;
  return {
    ok: false,
    output: probe.grpc === undefined ? refused : `error: failed to connect to service ${JSON.stringify(`${worker.ip}:${port}`)}: ${refused}`,
  };
}

export function answerHttp(worker: PodWorker, run: ContainerRun, action: HTTPGetAction, env: KubeletEnvironment): ProbeAnswer {
  const port = portNumber(worker, run, action.port);
  const path = action.path ?? '/';
  const url = `${(action.scheme ?? 'HTTP').toLowerCase()}://${action.host ?? worker.ip}:${port}${path.startsWith('/') ? path : `/${path}`}`;
  if (run.program === null || !listens(worker, run, port, env)) {
    return { ok: false, output: `Get ${JSON.stringify(url)}: dial tcp ${action.host ?? worker.ip}:${port}: connect: connection refused` };
  }
  const question = { method: 'GET', path, port, remote: worker.ip, agent: proberOf(env.machine.kubeletVersion) };
  const response = answer(run.program, programHost(worker, run, env), question);
  if (response.status >= 200 && response.status < 400) return { ok: true, output: response.body };
  return { ok: false, output: `HTTP probe failed with statuscode: ${response.status}` };
}

/** `kube-probe/1.36` for a kubelet v1.36.3. */
function proberOf(kubeletVersion: string): string {
  return `kube-probe/${kubeletVersion.replace(/^v/, '').split('.').slice(0, 2).join('.')}`;
}

export function listens(worker: PodWorker, run: ContainerRun, port: number, env: KubeletEnvironment): boolean {
  return run.state === 'running' && run.program !== null && isListening(run.program, programHost(worker, run, env), port);
}

/** A number, or the container port of that name. */
export function portNumber(worker: PodWorker, run: ContainerRun, port: number | string | undefined): number {
  if (typeof port === 'number') return port;
  const named = containerSpec(worker.pod, run).ports?.find((one) => one.name === port);
  return named?.containerPort ?? Number(port ?? 0);
}
