/** Logs, ports and processes of containers, asked for through the API server. Mirrors pkg/kubelet/kubelet_pods.go (GetKubeletContainerLogs). */
import type { Slots } from '../base/slots.ts';
import type {
  KubeletConnections,
  KubeletPage,
  LogOptions,
  PodConnection,
  PodServer,
  PortPeer,
  PortProgress,
  PortSink,
  ProcessConnection,
  ProcessSink,
  ProcessTarget,
  StreamHandle,
} from '../contracts/connect.ts';
import { newBadRequest, newNotFound, newStatusError } from '../apimachinery/errors.ts';
import { parseTime } from '../apimachinery/time.ts';
import { componentName, type NodesContext } from './context.ts';
import { listens } from './kubelet/probe-actions.ts';
import { programHost } from './kubelet/program-host.ts';
import type { ContainerRun, PodWorker } from './kubelet/worker.ts';
import { isHeard, type Machine } from './machine.ts';
import { clockAt } from './machine-clock.ts';
import { resourceMetrics } from './metrics/resource-metrics.ts';
import { statsSummary } from './metrics/stats-summary.ts';
import type { PodWorkers } from './pod-workers.ts';
import { Processes } from './processes/processes.ts';
import { answer, responseBytes } from './runtime/http.ts';
import type { ProgramHost } from './runtime/program.ts';
import { RequestReader } from './runtime/request-reader.ts';
import { type LogLine, shownLine } from './runtime/log-buffer.ts';
import { nanoText } from './timestamps.ts';

interface Follower {
  readonly uid: string;
  readonly container: string;
  readonly timestamps: boolean;
  readonly onText: (text: string) => void;
  readonly onEnd: () => void;
}

const noProgress: PortProgress = { head: '', bodyBytes: 0 };
const headTooLarge = { status: 431, contentType: 'text/plain', body: 'Request Header Fields Too Large' };

export class Connections implements KubeletConnections {
  readonly #context: NodesContext;
  readonly #workers: PodWorkers;
  readonly #followers = new Set<Follower>();
  readonly processes: Processes;

  constructor(context: NodesContext, workers: PodWorkers, slots: Slots) {
    this.#context = context;
    this.#workers = workers;
    this.processes = new Processes(context, workers, slots, (namespace, pod) => this.#reach(namespace, pod, streamUnreachable));
    workers.onWrite = (worker, run, text, isError) => this.processes.wrote(worker, run, text, isError);
    workers.onLine = (worker, run, text) => this.#tell(worker, run, text);
    workers.onEnded = (worker) => this.#ended(worker);
  }

  readLogs(namespace: string, pod: string, options: LogOptions): string {
    const { worker, run } = this.#find(namespace, pod, options);
    if (options.previous === true) {
      if (run.previousLog === null && run.previous === null && !(run.state === 'waiting' && run.ended !== null)) {
        throw newBadRequest(`previous terminated container ${JSON.stringify(run.name)} in pod ${JSON.stringify(pod)} not found`);
      }
      return this.#select(run.state === 'waiting' && run.ended !== null ? run.log : run.previousLog, worker.node, options);
    }
    if (run.id === '')
      throw newBadRequest(`container ${JSON.stringify(run.name)} in pod ${JSON.stringify(pod)} is waiting to start: ${waitingText(worker, run)}`);
    return this.#select(run.log, worker.node, options);
  }

  followLogs(namespace: string, pod: string, options: LogOptions, onText: (text: string) => void, onEnd: () => void): StreamHandle {
    const { worker, run } = this.#find(namespace, pod, options);
    const follower: Follower = { uid: worker.uid, container: run.name, timestamps: options.timestamps === true, onText, onEnd };
    if (run.state !== 'running') {
      onEnd();
      return { cancel: () => undefined };
    }
    this.#followers.add(follower);
    return { cancel: () => this.#followers.delete(follower) };
  }

  openPort(namespace: string, pod: string, port: number, sink: PortSink): PodConnection {
    const { worker, machine } = this.#reach(namespace, pod);
    const env = this.#workers.environment(machine);
    const run = worker.containers.find((one) => listens(worker, one, port, env));
    if (run === undefined) {
      sink.onError(
        `failed to connect to localhost:${port} inside namespace "${worker.uid}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6 [::1]:${port}: connect: connection refused `,
      );
      sink.onEnd();
      return { write: () => undefined, end: () => undefined, peer: { uid: worker.uid, container: '' }, progress: noProgress };
    }
    return this.#converse({ uid: worker.uid, container: run.name }, port, sink);
  }

  serverAt(namespace: string, pod: string, port: number): PodServer | string | undefined {
    const node = this.#workers.find(namespace, pod)?.node ?? this.#workers.nodeOf(namespace, pod) ?? '';
    const machine = this.#context.machines.get(node);
    if (machine === undefined || !isHeard(machine) || !machine.hears) return undefined;
    const worker = this.#workers.find(namespace, pod);
    const env = this.#workers.environment(machine);
    const run = worker?.containers.find((one) => listens(worker, one, port, env));
    const program = run?.program;
    if (worker === undefined || run === undefined || program === undefined || program === null) return `nobody listens at port ${port}`;
    const host = programHost(worker, run, env);
    return {
      isDescribed: program.type === 'service' && program.program !== '',
      get certificate() {
        return servedCertificate(host);
      },
      answer: (question) => answer(program, host, { ...question, port, remote: machine.address, agent: 'kube-apiserver-admission' }),
    };
  }

  openProcess(id: number, target: ProcessTarget, sink: ProcessSink): ProcessConnection {
    return this.processes.open(id, target, sink);
  }

  reopenProcess(id: number): ProcessConnection | undefined {
    return this.processes.reopen(id);
  }

  reopenPort(peer: PortPeer, port: number, sink: PortSink, progress: PortProgress): PodConnection {
    return this.#converse(peer, port, sink, progress);
  }

  readNode(node: string, path: readonly string[]): KubeletPage | undefined {
    const machine = this.#context.machines.get(node);
    if (machine === undefined) return undefined;
    const { address } = machine;
    if (!isHeard(machine) || !machine.hears)
      throw newStatusError(503, 'ServiceUnavailable', `error trying to reach service: dial tcp ${address}:10250: i/o timeout`);
    const workers = this.#workers.on(machine);
    switch (path.join('/')) {
      case 'healthz':
        return { text: 'ok', contentType: 'text/plain; charset=utf-8' };
      case 'stats/summary':
        return { text: `${JSON.stringify(statsSummary(machine, workers, this.#context), null, 1)}\n`, contentType: 'application/json' };
      case 'metrics/resource':
        return { text: resourceMetrics(machine, workers, this.#context), contentType: 'text/plain; version=0.0.4; charset=utf-8' };
      default:
        throw newStatusError(404, 'NotFound', 'the server could not find the requested resource');
    }
  }

  /** Collects bytes until a request is whole, answers it, closes. */
  #converse(peer: PortPeer, port: number, sink: PortSink, progress = noProgress): PodConnection {
    const reader = new RequestReader(progress);
    let isOver = false;
    const finish = (): void => {
      if (isOver) return;
      isOver = true;
      sink.onEnd();
    };
    return {
      peer,
      get progress() {
        return reader.progress;
      },
      write: (data) => {
        if (isOver) return;
        const request = reader.take(data);
        if (request === undefined) return;
        const worker = this.#context.workers.get(peer.uid);
        const machine = this.#context.machines.get(worker?.node ?? '');
        const run = worker?.containers.find(({ name }) => name === peer.container);
        if (worker === undefined || machine === undefined || run === undefined) return finish();
        const env = this.#workers.environment(machine);
        if (run.program === null || !listens(worker, run, port, env)) return finish();
        try {
          const found =
            request === 'too large' ? headTooLarge : answer(run.program, programHost(worker, run, env), { ...request, port, remote: '127.0.0.1' });
          sink.onData(responseBytes(found, env.nowMs, 'wavetank (simulated)'));
        } catch (error) {
          this.#context.loop.crashed(componentName, `port ${port} of pod ${worker.namespace}/${worker.name}`, error);
        }
        finish();
      },
      end: finish,
    };
  }

  #select(lines: readonly LogLine[] | null, node: string, options: LogOptions): string {
    let selected = lines ?? [];
    const sinceMs =
      options.sinceSeconds !== undefined
        ? this.#clockMs(node) - options.sinceSeconds * 1000
        : options.sinceTime === undefined
          ? undefined
          : parseTime(options.sinceTime);
    if (sinceMs !== undefined) selected = selected.filter((line) => line.atMs >= sinceMs);
    if (options.tailLines !== undefined) selected = options.tailLines <= 0 ? [] : selected.slice(-options.tailLines);
    const text = selected.map((line) => (options.timestamps === true ? `${nanoText(line.atMs)} ${shownLine(line)}` : shownLine(line))).join('');
    return options.limitBytes === undefined ? text : firstBytes(text, options.limitBytes);
  }

  /** What the clock of the machine shows. */
  #clockMs(node: string): number {
    const nowMs = this.#context.loop.nowMs();
    const machine = this.#context.machines.get(node);
    return machine === undefined ? nowMs : clockAt(machine, nowMs);
  }

  #reach(namespace: string, pod: string, tell = logUnreachable): { readonly worker: PodWorker; readonly machine: Machine } {
    const worker = this.#workers.find(namespace, pod);
    const node = worker?.node ?? this.#workers.nodeOf(namespace, pod) ?? '';
    const machine = this.#context.machines.get(node);
    if (node === '') throw newBadRequest(`pod ${pod} does not have a host assigned`);
    if (machine === undefined) throw this.#unreached(node, (address) => tell(address, namespace, pod));
    if (!isHeard(machine) || !machine.hears) throw unreachable(tell(machine.address, namespace, pod));
    if (worker === undefined) throw unreachable(`pod ${pod} is not known to the kubelet of ${node}`);
    return { worker, machine };
  }

  /** Of a node behind which nobody stands: what comes of looking for its kubelet. */
  #unreached(name: string, tell: (address: string) => string): Error {
    const node = this.#context.nodeInformer.get(undefined, name);
    if (node === undefined) return newNotFound({ group: '', resource: 'nodes' }, name);
    const [first] = node.status?.addresses ?? [];
    return unreachable(first === undefined ? 'no preferred addresses found; known addresses: []' : tell(first.address));
  }

  #find(namespace: string, pod: string, options: LogOptions): { readonly worker: PodWorker; readonly run: ContainerRun } {
    const { worker } = this.#reach(namespace, pod);
    const mains = worker.containers.filter((run) => run.role === 'main');
    const preferred = worker.pod.metadata.annotations?.['kubectl.kubernetes.io/default-container'];
    const name = options.container ?? (mains.length > 1 && preferred !== undefined ? preferred : mains[0]?.name);
    const run = worker.containers.find((one) => one.name === name);
    if (run === undefined) throw newBadRequest(`container ${name} is not valid for pod ${pod}`);
    return { worker, run };
  }

  #tell(worker: PodWorker, run: ContainerRun, line: LogLine): void {
    this.processes.logged(worker, run, line.text);
    const text = shownLine(line);
    for (const follower of this.#followers) {
      if (follower.uid !== worker.uid || follower.container !== run.name) continue;
      follower.onText(follower.timestamps ? `${nanoText(line.atMs)} ${text}` : text);
    }
  }

  #ended(worker: PodWorker): void {
    this.processes.settle(worker);
    for (const follower of this.#followers) {
      if (follower.uid !== worker.uid || worker.containers.some((run) => run.name === follower.container && run.state === 'running')) continue;
      this.#followers.delete(follower);
      follower.onEnd();
    }
  }
}

function waitingText(worker: PodWorker, run: ContainerRun): string {
  if (worker.containers.length > 1 && run.reason === 'PodInitializing') return 'PodInitializing';
  if (run.reason === 'ErrImagePull') return "image can't be pulled";
  if (run.reason === 'ImagePullBackOff') return 'trying and failing to pull image';
  return run.reason;
}

function logUnreachable(address: string, namespace: string, pod: string): string {
  return `Get "https://${address}:10250/containerLogs/${namespace}/${pod}": dial tcp ${address}:10250: i/o timeout`;
}

function streamUnreachable(address: string): string {
  return `error dialing backend: dial tcp ${address}:10250: i/o timeout`;
}

/** The API server could not reach the kubelet: 500 without a reason, as its proxy answers. */
function unreachable(message: string): Error {
  return newStatusError(500, '', message);
}

/** So many bytes of it as the wire has them; a character that does not fit whole is left out. */
function firstBytes(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= most ? text : new TextDecoder().decode(bytes.subarray(0, most), { stream: true });
}

/** Of several that are mounted it is the one that the command line names, else the first. */
function servedCertificate({ mounted, readFile, argv }: ProgramHost): string | undefined {
  const paths = (mounted?.() ?? []).filter((path) => path.endsWith('/tls.crt'));
  const words = paths.length > 1 ? (argv?.() ?? []) : [];
  const path = paths.find((one) => words.some((word) => word.includes(one.slice(0, -'/tls.crt'.length)))) ?? paths[0];
  return path === undefined ? undefined : readFile(path);
}
