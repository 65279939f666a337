/** Connections through proxies: SOCKS 5 (RFC 1928, 1929) and HTTP's CONNECT. What goes wrong is said in Go's words. */
import { request as requestInTheOpen } from 'node:http';
import { request } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';

export interface Target {
  readonly host: string;
  readonly port: number;
}

/** A connection to the target itself, or through a proxy (`socks5:`, `http:` or `https:`). Whoever gives up by `signal` leaves none behind. */
export function dial(target: Target, proxy: string | undefined, signal?: AbortSignal): Promise<Socket> {
  if (proxy === undefined) return connected(connect({ host: target.host, port: target.port }), 'connect', signal);
  const url = new URL(proxy);
  return url.protocol === 'socks5:' || url.protocol === 'socks5h:' ? throughSocks(url, target, signal) : throughHttp(url, target, signal);
}

/** Resolves with the socket once it has said so. */
export function connected<T extends Socket>(socket: T, event: 'connect' | 'secureConnect', signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => void socket.destroy(new Error('context canceled'));
    const forget = (): void => signal?.removeEventListener('abort', abort);
    socket.once(event, () => {
      forget();
      socket.removeListener('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => {
      forget();
      reject(new Error('EOF'));
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
  });
}

function throughHttp(proxy: URL, { host, port }: Target, signal: AbortSignal | undefined): Promise<Socket> {
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = loginOf(proxy);
  const headers = { host: at, ...(login === undefined ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login.join(':')).toString('base64')}` }) };
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === 'https:' ? request : requestInTheOpen;
    const asked = send(proxy, { method: 'CONNECT', path: at, headers, agent: false, ...(signal === undefined ? {} : { signal }) });
    asked.on('error', reject);
    asked.on('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(response.statusMessage ?? String(response.statusCode)));
    });
    asked.on('response', (response) => {
      response.destroy();
      reject(new Error(response.statusMessage ?? String(response.statusCode)));
    });
    asked.end();
  });
}

function loginOf({ username, password }: URL): readonly [string, string] | undefined {
  return username === '' && password === '' ? undefined : [decodeURIComponent(username), decodeURIComponent(password)];
}

const refusals: readonly string[] = [
  ...['', 'general SOCKS server failure', 'connection not allowed by ruleset', 'network unreachable', 'host unreachable'],
  ...['connection refused', 'TTL expired', 'command not supported', 'address type not supported'],
];

async function throughSocks(proxy: URL, target: Target, signal: AbortSignal | undefined): Promise<Socket> {
  const at = `${proxy.hostname}:${proxy.port === '' ? '1080' : proxy.port}`;
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const port = Number(proxy.port === '' ? 1080 : proxy.port);
  const failed = (why: string): Error => new Error(`socks connect tcp ${at}->${target.host}:${target.port}: ${why}`);
  let socket: Socket;
  try {
    socket = await connected(connect({ host, port }), 'connect', signal);
  } catch (error) {
    const refused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    throw failed(refused ? `dial tcp ${at}: connect: connection refused` : (error as Error).message);
  }
  const abort = (): void => void socket.destroy(new Error('context canceled'));
  signal?.addEventListener('abort', abort);
  try {
    await greet(socket, target, loginOf(proxy));
    return socket;
  } catch (error) {
    socket.destroy();
    throw failed((error as Error).message);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function greet(socket: Socket, { host, port }: Target, login: readonly [string, string] | undefined): Promise<void> {
  const heard = new Heard(socket);
  try {
    socket.write(Buffer.from(login === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
    const [version, method] = await heard.take(2);
    if (version !== 5) throw new Error(`unexpected protocol version ${version}`);
    if (method === 2 && login !== undefined) await logIn(socket, heard, login);
    else if (method !== 0) throw new Error(method === 0xff ? 'no acceptable authentication methods' : `unsupported authentication method ${method}`);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(host), Buffer.from([port >> 8, port & 255])]));
    const [again, reply = 0, , type] = await heard.take(4);
    if (again !== 5) throw new Error(`unexpected protocol version ${again}`);
    if (reply !== 0) throw new Error(`unknown error ${refusals[reply] ?? `unknown code: ${reply}`}`);
    const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? ((await heard.take(1))[0] ?? 0) : undefined;
    if (length === undefined) throw new Error(`unknown address type ${type}`);
    await heard.take(length + 2);
  } finally {
    heard.end();
  }
}

async function logIn(socket: Socket, heard: Heard, login: readonly [string, string]): Promise<void> {
  const [name, password] = login.map((text) => Buffer.from(text)) as [Buffer, Buffer];
  if (name.length === 0 || name.length > 255 || password.length > 255) throw new Error('invalid username/password');
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([password.length]), password]));
  const [version, status] = await heard.take(2);
  if (version !== 1) throw new Error('invalid username/password version');
  if (status !== 0) throw new Error('username/password authentication failed');
}

/** Names are looked up by the proxy. */
function addressOf(host: string): Buffer {
  const family = isIP(host);
  if (family === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (family === 6) return Buffer.concat([Buffer.from([4]), bytesOf(host)]);
  const name = Buffer.from(host);
  if (name.length > 255) throw new Error('FQDN too long');
  return Buffer.concat([Buffer.from([3, name.length]), name]);
}

function bytesOf(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): readonly string[] => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const between = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.concat([...first, ...between, ...last].map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}

/** Exactly the bytes that somebody waits for; what comes behind them stays in the socket. */
class Heard {
  readonly #socket: Socket;
  #wake: () => void = () => undefined;
  #end: Error | undefined;
  readonly #onReadable = (): void => this.#wake();
  readonly #onEnd = (error?: Error): void => {
    this.#end = error instanceof Error ? error : new Error('EOF');
    this.#wake();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('readable', this.#onReadable).on('end', this.#onEnd).on('error', this.#onEnd).on('close', this.#onEnd);
  }

  async take(length: number): Promise<Buffer> {
    for (;;) {
      const piece = this.#socket.read(length) as Buffer | null;
      if (piece !== null && piece.length === length) return piece;
      if (this.#end !== undefined) throw this.#end;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(): void {
    this.#socket.off('readable', this.#onReadable).off('end', this.#onEnd).off('error', this.#onEnd).off('close', this.#onEnd);
  }
}
