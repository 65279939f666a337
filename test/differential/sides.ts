/** Both sides: the real API server over TLS, and a cluster of ours in this process, asked through the filters that HTTP passes too. */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parse } from 'yaml';
import type { JsonValue } from '../../engine/base/json.ts';
import { Cluster } from '../../engine/cluster/cluster.ts';
import { adminIdentity } from '../../engine/cluster/identities.ts';
import type { TokenSigner } from '../../engine/contracts/tokens.ts';
import { certificateJudge } from '../../engine/serving/x509/certificate-judge.ts';
import { readTypes } from '../../engine/host/type-files.ts';
import { testConfig, testHost } from '../support/cluster.ts';
import { withoutTokens } from './peer.ts';
import { versionHere } from './draw.ts';
import type { Asked } from './reads.ts';

export interface Answered {
  readonly code: number;
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly text: string;
}

export interface Side {
  /** `version`: what stands for `versionHere`. */
  ask(asked: Asked, version?: string): Promise<Answered>;
  /** Gives the server time for what it does by itself. */
  settle(): Promise<void>;
  close(): void;
}

const agentName = 'diff/1';

/** The body as it is sent to a side on which the fixture has this version. */
function bodyText({ body, raw }: Asked, version: string): string {
  if (raw === true && typeof body === 'string') return body;
  return body === undefined ? '' : JSON.stringify(body).replaceAll(`"${versionHere}"`, `"${version}"`);
}
/** What of an answer's head a client looks at. */
const seenHeaders = ['content-type', 'warning', 'retry-after', 'allow'];

export function headersOf({ accept, type, body, as }: Asked): { readonly [name: string]: string } {
  return {
    accept,
    'user-agent': agentName,
    ...(body === undefined || type === '' ? {} : { 'content-type': type }),
    ...impersonation(as),
  };
}

/** Behind a comma stands the group. */
function impersonation(as: string | undefined): { readonly [name: string]: string } {
  const [user, group] = as?.split(',') ?? [];
  if (user === undefined) return {};
  return { 'impersonate-user': user, ...(group === undefined ? {} : { 'impersonate-group': group }) };
}

/** The real server's handler broke down, or its connection had its end of life just then. */
const hungUp: Answered = { code: 0, headers: {}, text: 'hung up' };

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority'?: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}

/** From a kubeconfig with one cluster and a token; without an authority nothing is verified, as the old peer's says. */
export function peerSide(kubeconfig: string): Side {
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const cluster = clusters[0]?.cluster;
  if (cluster === undefined) throw new Error(`${kubeconfig} names no cluster`);
  const authority = cluster['certificate-authority'];
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 48,
    ...(authority === undefined ? { rejectUnauthorized: false } : { ca: readFileSync(authority) }),
  });
  const authorization = `Bearer ${users[0]?.user.token ?? ''}`;
  const ask = (asked: Asked, version = ''): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const text = bodyText(asked, version);
      const path = asked.query === '' ? asked.path : `${asked.path}?${asked.query}`;
      const headers = { ...headersOf(asked), authorization, ...(asked.body === undefined ? {} : { 'content-length': Buffer.byteLength(text) }) };
      // As it is written: a URL would be tidied up on the way, and `..` be gone.
      const sent = request(cluster.server, { path, method: asked.method, headers, agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ code: answer.statusCode ?? 0, headers: rawHeaders(answer.rawHeaders), text: Buffer.concat(chunks).toString() }),
        );
      });
      sent.on('error', (error) => ('code' in error && error.code === 'ECONNRESET' ? resolve(hungUp) : reject(error)));
      sent.end(text);
    });
  const askAgain = async (asked: Asked, version?: string): Promise<Answered> => {
    const answer = await ask(asked, version);
    return answer === hungUp ? ask(asked, version) : answer;
  };
  return { ask: askAgain, settle: () => new Promise((resolve) => setTimeout(resolve, 1500)), close: () => agent.destroy() };
}

/** The real 1.36.3 was built without a version, and tells of deprecations that come in later releases. */
const comesLater = / is deprecated in v1\.(3[7-9]|[4-9]\d)\+/;

/** Several headers of one name stay several. */
function rawHeaders(raw: readonly string[]): Answered['headers'] {
  const found = new Map<string, string[]>();
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]?.toLowerCase() ?? '';
    if (name === 'warning' && comesLater.test(raw[i + 1] ?? '')) continue;
    if (seenHeaders.includes(name)) found.set(name, [...(found.get(name) ?? []), raw[i + 1] ?? '']);
  }
  return Object.fromEntries(found);
}

/** Nothing runs beside the API server, as on the real side. */
const alone = { controllers: '-*', scheduler: 'false' };

/** Tokens are told apart by nobody. */
const tokenSigner: TokenSigner = { audiences: ['https://kubernetes.default.svc'], extendsExpiration: true, sign: () => '<token>' };

/** No virtual time passes but in `settle`, and while something is watched, as it does before a real server. `given`: options of the server. */
export async function wavetankSide(release?: string, given: Readonly<Record<string, string>> = {}): Promise<Side> {
  const isOld = release === '1.13';
  const options = { ...alone, ...(isOld && { 'disable-admission-plugins': withoutTokens }), ...given };
  const cluster = new Cluster(testConfig({ seed: 1, nodes: 0, options, ...(release === undefined ? {} : { release }) }), {
    ...testHost(),
    certificateJudge,
    readTypes,
    ...(!isOld && { tokenSigner }),
  });
  await cluster.start();
  const { door, loop } = cluster;
  // Stories are played beside each other: one second passes after the other.
  let passing = Promise.resolve();
  const settle = async (): Promise<void> => {
    passing = passing.then(async () => void (await loop.run(loop.nowMs() + 1000)));
    await passing;
  };
  await settle();
  const ask = (asked: Asked, version: string): Answered => {
    const body = new TextEncoder().encode(bodyText(asked, version));
    const response = door.serveAtOnce({
      method: asked.method,
      path: asked.path,
      query: asked.query,
      headers: headersOf(asked),
      body,
      identity: { ...adminIdentity, uid: 'admin', ...(isOld && { name: 'admin' }) },
    });
    if ('upgrade' in response) return { code: 101, headers: {}, text: '' };
    const chunks: Buffer[] = [];
    const add = (chunk: string | Uint8Array): void => void chunks.push(Buffer.from(chunk as string));
    if ('open' in response) response.open({ write: (chunk) => add(typeof chunk === 'function' ? chunk() : chunk), end: () => {} })();
    else if (typeof response.body === 'string' || response.body instanceof Uint8Array) add(response.body);
    else for (const chunk of response.body) add(chunk);
    const headers = Object.fromEntries(
      Object.entries(response.headers)
        .filter(([name]) => seenHeaders.includes(name))
        .map(([name, value]) => [name, typeof value === 'string' ? [value] : value]),
    );
    // What the answer to HEAD says stays behind.
    return { code: response.status, headers, text: asked.method === 'HEAD' ? '' : Buffer.concat(chunks).toString() };
  };
  for (const path of ['storage.k8s.io/v1/storageclasses/standard', 'networking.k8s.io/v1/ingressclasses/wavetank'])
    ask({ method: 'DELETE', path: `/apis/${path}`, query: '', type: '', accept: 'application/json' }, '');
  return {
    settle,
    ask: async (asked, version = '') => {
      try {
        const answered = ask(asked, version);
        if (isWatch(asked) && answered.code === 200) await settle();
        return answered;
      } catch (error) {
        return { code: 0, headers: {}, text: `thrown: ${error instanceof Error ? error.message : String(error)}` };
      }
    },
    close: () => {},
  };
}

function isWatch({ query }: Asked): boolean {
  return new URLSearchParams(query).get('watch') === 'true';
}

/** What a watch tells is a list of its events. */
export function bodyOf({ text }: Answered): JsonValue {
  if (/^\{"type":"[A-Z]+","object":/.test(text)) return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as JsonValue); // biome-ignore format: one line
  // `[+]ping ok`, a line of a check of health, is none.
  if (!/^(\{|\[(?![+-]\]))/.test(text)) return text;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A real 1.13.12 at times writes two documents into one body, which is no document.
    return text;
  }
}
