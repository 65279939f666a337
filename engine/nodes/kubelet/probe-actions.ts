/** Asking a container whether it is well: exec, httpGet, tcpSocket, grpc. Texts as pkg/probe and the Go network stack give them. */
import type { HTTPGetAction, Probe } from '../../api/core/v1/types.gen.ts';
import { answer, answerHealth, type HttpAnswer, isListening } from '../runtime/http.ts';
import { hasCommand, missingText, scripted } from '../runtime/program.ts';
import { runCommand } from '../runtime/shell.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { programHost } from './program-host.ts';
import { commandFault } from './system-disk.ts';
import type { ContainerRun, PodWorker, ProbeAnswer } from './worker.ts';

/** What is known of it after so long; a question that nobody answers ends with its time. */
export interface TimedAnswer {
  readonly answer: ProbeAnswer;
  readonly tookMs: number;
}

export function runProbe(worker: PodWorker, run: ContainerRun, probe: Probe, env: KubeletEnvironment): TimedAnswer {
  const timeoutSeconds = probe.timeoutSeconds ?? 1;
  if (probe.exec !== undefined) return execute(worker, run, probe.exec.command ?? [], timeoutSeconds, env);
  if (probe.httpGet !== undefined) return answerHttp(worker, run, probe.httpGet, env, timeoutSeconds);
  if (probe.grpc !== undefined) return askHealth(worker, run, probe.grpc, timeoutSeconds, env);
  if (probe.tcpSocket === undefined) return atOnce({ ok: true, output: '' });
  const port = portNumber(worker, run, probe.tcpSocket.port);
  if (typeof port === 'string') return unaskable(port);
  if (listens(worker, run, port, env)) return atOnce({ ok: true, output: '' });
  return atOnce({ ok: false, output: `dial tcp ${worker.ip}:${port}: connect: connection refused` });
}

function execute(worker: PodWorker, run: ContainerRun, given: readonly string[], timeoutSeconds: number, env: KubeletEnvironment): TimedAnswer {
  const host = programHost(worker, run, env);
  const command = scripted(given, host.definition);
  const unreadable = commandFault(given[0] ?? '', env.machine);
  if (unreadable !== undefined || !hasCommand(command, host.definition)) {
    const missing = `OCI runtime exec failed: exec failed: unable to start container process: ${missingText(command[0] ?? '')}`;
    const why = `failed to exec in container: failed to start exec "${env.random.hex(64)}": ${unreadable ?? missing}`;
    return unaskable(`rpc error: code = Unknown desc = ${why}`);
  }
  const result = runCommand(command, host);
  if (result.tookMs > timeoutSeconds * 1000)
    return tooLate(`command timed out: ${JSON.stringify(given.join(' '))} timed out after ${timeoutSeconds}s`, timeoutSeconds);
  return { answer: { ok: result.exitCode === 0, output: result.output }, tookMs: result.tookMs };
}

/** A connection that is refused is tried again until the time is over: only that is told. Mirrors pkg/probe/grpc. */
function askHealth(
  worker: PodWorker,
  run: ContainerRun,
  { port, service = '' }: NonNullable<Probe['grpc']>,
  timeoutSeconds: number,
  env: KubeletEnvironment,
): TimedAnswer {
  const { program } = run;
  const address = `${worker.ip}:${port}`;
  const found =
    program === null || !listens(worker, run, port, env) ? undefined : answerHealth(program, programHost(worker, run, env), port, service ?? '');
  if (found === undefined || found.status === 'unspoken')
    return tooLate(
      `timeout: failed to connect service ${JSON.stringify(address)} within ${timeoutSeconds}s: context deadline exceeded`,
      timeoutSeconds,
    );
  const { status, tookMs } = found;
  if (tookMs > timeoutSeconds * 1000) return tooLate(`timeout: health rpc did not complete within ${timeoutSeconds}s`, timeoutSeconds);
  const failed = (output: string): TimedAnswer => ({ answer: { ok: false, output }, tookMs });
  if (status === 'unknown') return failed('error: health rpc probe failed: rpc error: code = NotFound desc = unknown service');
  if (status !== 'SERVING') return failed(`service unhealthy (responded with ${JSON.stringify(status)})`);
  return { answer: { ok: true, output: 'service healthy' }, tookMs };
}

/** Redirects are followed as long as they stay on the host: who leads away is well, and that is told. Mirrors pkg/probe/http. */
function answerHttp(worker: PodWorker, run: ContainerRun, action: HTTPGetAction, env: KubeletEnvironment, timeoutSeconds: number): TimedAnswer {
  const first = urlOf(worker, run, action);
  if (typeof first === 'string') return unaskable(first);
  let url = first;
  let location = '';
  let tookMs = 0;
  const finished = (ok: boolean, output: string, isWarning = false): TimedAnswer => ({
    answer: { ok, output, ...(isWarning ? { isWarning } : undefined) },
    tookMs,
  });
  for (let asked = 0; asked < redirectsMax; asked++) {
    const found = ask(worker, run, url, env);
    if (typeof found === 'string') return finished(false, found);
    tookMs += found.tookMs ?? 0;
    if (tookMs > timeoutSeconds * 1000) return tooLate(`${questionText(url)}: ${lateText}`, timeoutSeconds);
    const next = found.location === undefined ? undefined : URL.parse(found.location, url);
    if (next !== undefined && next !== null && next.hostname === first.hostname) {
      url = next;
      location = found.location ?? '';
      continue;
    }
    if (found.status >= 300 && found.status < 400) return finished(true, `Probe terminated redirects, Response body: ${found.body}`, true);
    if (found.status >= 200 && found.status < 400) return finished(true, found.body);
    return finished(false, `HTTP probe failed with statuscode: ${found.status}`);
  }
  return finished(false, `Get ${JSON.stringify(location)}: stopped after ${redirectsMax} redirects`);
}

const redirectsMax = 10;

/** Whether something answered the hook, whatever it said. */
export function answersHook(worker: PodWorker, run: ContainerRun, action: HTTPGetAction, env: KubeletEnvironment): boolean {
  const url = urlOf(worker, run, action);
  return typeof url !== 'string' && typeof ask(worker, run, url, env) !== 'string';
}

/** Where the question goes, or why it goes nowhere. */
function urlOf(worker: PodWorker, run: ContainerRun, action: HTTPGetAction): URL | string {
  const port = portNumber(worker, run, action.port);
  if (typeof port === 'string') return port;
  const path = action.path ?? '/';
  const host = `${(action.scheme ?? 'HTTP').toLowerCase()}://${action.host || worker.ip}:${port}`;
  return URL.parse(`${host}${path.startsWith('/') ? path : `/${path}`}`) ?? `parse ${JSON.stringify(host)}: invalid character in host name`;
}

/** Go keeps a port that goes without saying. */
function textOf({ protocol, hostname, pathname, search, port }: URL): string {
  return `${protocol}//${hostname}:${port || portOf(protocol)}${pathname}${search}`;
}

function portOf(protocol: string): number {
  return protocol === 'https:' ? 443 : 80;
}

/** An answer, or why there is none. */
function ask(worker: PodWorker, run: ContainerRun, url: URL, env: KubeletEnvironment): HttpAnswer | string {
  const port = url.port === '' ? portOf(url.protocol) : Number(url.port);
  if (run.program === null || !listens(worker, run, port, env))
    return `${questionText(url)}: dial tcp ${url.hostname}:${port}: connect: connection refused`;
  const question = { method: 'GET', path: `${url.pathname}${url.search}`, port, remote: worker.ip, agent: proberOf(env.machine.kubeletVersion) };
  return answer(run.program, programHost(worker, run, env), question);
}

const lateText = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

function questionText(url: URL): string {
  return `Get ${JSON.stringify(textOf(url))}`;
}

/** `kube-probe/1.36` for a kubelet v1.36.3. */
function proberOf(kubeletVersion: string): string {
  return `kube-probe/${kubeletVersion.replace(/^v/, '').split('.').slice(0, 2).join('.')}`;
}

export function listens(worker: PodWorker, run: ContainerRun, port: number, env: KubeletEnvironment): boolean {
  return run.state === 'running' && run.program !== null && isListening(run.program, programHost(worker, run, env), port);
}

/** A number, the container port of that name, or what is wrong with it. Mirrors ResolveContainerPort of pkg/probe. */
function portNumber(worker: PodWorker, run: ContainerRun, port: number | string | undefined): number | string {
  const named = containerSpec(worker.pod, run).ports?.find((one) => one.name === port)?.containerPort;
  const text = String(port ?? 0);
  if (named === undefined && !/^[+-]?\d+$/.test(text)) return `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
  const number = named ?? Number(text);
  return number > 0 && number < 65_536 ? number : `invalid port number: ${number}`;
}

function unaskable(output: string): TimedAnswer {
  return atOnce({ ok: false, isError: true, output });
}

function atOnce(answer: ProbeAnswer): TimedAnswer {
  return { answer, tookMs: 0 };
}

function tooLate(output: string, timeoutSeconds: number): TimedAnswer {
  return { answer: { ok: false, output }, tookMs: timeoutSeconds * 1000 };
}
