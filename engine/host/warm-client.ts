/**
 * The client of a warm-up. It has a thread of its own: in the server's it would teach the code that both share about sockets of
 * clients, and every request after that would be slower than without any warm-up.
 */
import { once } from 'node:events';
import type * as tls from 'node:tls';
import type * as threads from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import type { Keys } from './home.ts';

export interface WarmRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly contentType?: string;
  /** Absent: JSON. */
  readonly accept?: string;
  readonly body?: string;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly token: string;
}

/** What the thread is told: requests, each on a connection of its own, which stay open when they are watches. */
interface Batch {
  readonly requests: readonly WarmRequest[];
  readonly areWatches: boolean;
}

export class WarmClient {
  readonly #worker: Worker;
  readonly #failed: Promise<never>;

  constructor(server: string, { authority, admin, adminToken }: Keys) {
    const { hostname: host, port } = new URL(server);
    const place: Place = {
      host,
      port: Number(port),
      ca: authority.certificatePem,
      cert: admin.certificatePem,
      key: admin.keyPem,
      token: adminToken,
    };
    // Its text and not a file: the engine is one file in one build and several in another.
    this.#worker = new Worker(`(${runClient.toString()})(process.getBuiltinModule)`, { eval: true, workerData: place });
    this.#worker.unref();
    this.#failed = once(this.#worker, 'error').then(([error]) => {
      throw error as Error;
    });
    // Not swallowed: every `#tell` races with it. One that dies while nobody waits must not end the process before the next one says so.
    this.#failed.catch(() => undefined);
  }

  /** Opens watches and takes what comes. */
  watch(paths: readonly string[]): Promise<void> {
    return this.#tell({ requests: paths.map((path) => ({ method: 'GET', path })), areWatches: true });
  }

  /** Resolves when all are answered, whatever the answers are. */
  send(requests: readonly WarmRequest[]): Promise<void> {
    return this.#tell({ requests, areWatches: false });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  async #tell(batch: Batch): Promise<void> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage(batch);
    await Promise.race([answered, this.#failed]);
  }
}

/**
 * Runs in the thread, of which it knows nothing but what it is given. Speaks HTTP/1.1 over TLS with a request on each connection, as
 * Go's clients write it, and of what comes back only looks whether an answer has begun.
 */
function runClient(load: (id: string) => unknown): void {
  const { connect } = load('node:tls') as typeof tls;
  const { parentPort, workerData } = load('node:worker_threads') as typeof threads;
  const { host, port, ca, cert, key, token } = workerData as Place;
  const mark = 'HTTP/1.1 ';
  type Line = (text: string) => Promise<void>;
  // Each client writes other headers, in an order of its own: kubectl, a controller with a token, Go's plain client.
  const headersOf = [
    (kind: string): string[] => ['User-Agent: kubectl/warm-up', ...kind.split('\n'), 'Kubectl-Command: kubectl create', 'Kubectl-Session: warm-up'],
    (kind: string): string[] => ['User-Agent: warm-up/controller', ...kind.split('\n'), `Authorization: Bearer ${token}`],
    (kind: string): string[] => ['User-Agent: Go-http-client/1.1', ...kind.split('\n')],
  ];
  let written = 0;
  const textOf = ({ method, path, contentType, accept = 'application/json', body = '' }: WarmRequest): string => {
    const kind = [
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      `Accept: ${accept}`,
      ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ].join('\n');
    const headers = headersOf[written++ % headersOf.length]?.(kind) ?? [];
    return [`${method} ${path} HTTP/1.1`, `Host: ${host}:${port}`, ...headers, 'Accept-Encoding: gzip', '', body].join('\r\n');
  };
  const open = (): Promise<Line> =>
    new Promise((resolve, reject) => {
      let answered = (): void => undefined;
      let tail = '';
      const socket = connect({ host, port, ca, cert, key, ALPNProtocols: ['http/1.1'] }, () =>
        resolve((text) => {
          socket.write(text);
          return new Promise((done) => {
            answered = done;
          });
        }),
      );
      socket.on('data', (data) => {
        const text = tail + data.toString('latin1');
        // A mark may come in two pieces.
        tail = text.slice(1 - mark.length);
        if (text.includes(mark)) answered();
      });
      socket.on('error', reject);
    });
  const lines: Line[] = [];
  const serve = async ({ requests, areWatches }: Batch): Promise<void> => {
    const used = areWatches ? [] : lines;
    while (used.length < requests.length) used.push(await open());
    await Promise.all(requests.map((request, index) => (used[index] as Line)(textOf(request))));
    parentPort?.postMessage('answered');
  };
  parentPort?.on('message', (batch: Batch) => void serve(batch));
}
