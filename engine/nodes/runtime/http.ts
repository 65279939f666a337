/** How programs answer HTTP: routes of the image definition, and for programs nobody has described a line that says so. */
import { formatTime } from '../../apimachinery/time.ts';
import type { GrpcHealth, HttpRoute, ListeningPort, ProgramDefinition } from './image-definition.ts';
import { argumentOf, fillIn, programDefinition, type Program, type ProgramHost } from './program.ts';

export interface HttpQuestion {
  readonly method: string;
  readonly path: string;
  readonly port: number;
  readonly remote: string;
  readonly agent: string;
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** It comes so long after the question. */
  readonly tookMs?: number;
  /** Where it leads on to. */
  readonly location?: string;
}

export function isListening(program: Program, host: ProgramHost, port: number): boolean {
  if (program.type === 'shell' || (program.endMs !== null && program.endMs <= host.nowMs)) return false;
  if (host.nowMs < program.readyMs) return false;
  if (program.program === '') return true;
  return portAt(programDefinition(program, host.definition), host, port) !== undefined;
}

/** What listens there; its arguments may have named another port. */
function portAt(definition: ProgramDefinition | undefined, host: Pick<ProgramHost, 'argv' | 'env'>, port: number): ListeningPort | undefined {
  const found = definition?.ports?.find(
    ({ port: usual, argument }) => (argument === undefined ? usual : portOf(argumentOf(argument, host.argv?.() ?? []), usual)) === port,
  );
  return found ?? definition?.listens?.(port, host.env(), host.argv?.() ?? []);
}

function portOf(text: string | undefined, usual: number): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : usual;
}

export function answer(program: Program, host: ProgramHost, question: HttpQuestion): HttpAnswer {
  const definition = programDefinition(program, host.definition);
  if (program.type === 'shell' || definition === undefined) {
    const review = allowedReview(question, host.definition.repository);
    if (review !== undefined) return review;
    return { status: 200, contentType: 'text/plain', body: `${host.hostname}: a simulated answer of ${host.definition.repository}\n` };
  }
  const [path = '/', query = ''] = question.path.split('?');
  const listening = portAt(definition, host, question.port);
  const route = listening?.routes?.find((one) => matches(one, path));
  const found =
    listening?.respond?.({ method: question.method, path: question.path, body: question.body ?? '' }, question) ??
    (route !== undefined
      ? (redirect(route, query) ?? routeAnswer(route, host, program.startMs))
      : (fileAnswer(listening?.folder, path, host) ?? notFound(definition.server)));
  if (definition.server === 'nginx' || definition.server === 'apache') host.log(accessLine(host, question, found));
  return found;
}

/** What a server says of its health by gRPC: `unspoken` where it does not speak it, `unknown` where it does not know the service. */
export type HealthAnswer = { readonly status: GrpcHealth['status'] | 'unspoken' | 'unknown'; readonly tookMs: number };

export function answerHealth(program: Program, host: ProgramHost, port: number, service: string): HealthAnswer {
  // Nobody has said what it is: it is taken to do as its pod expects.
  if (program.type === 'service' && program.program === '') return { status: 'SERVING', tookMs: 0 };
  const health = portAt(programDefinition(program, host.definition), host, port)?.grpc;
  if (health === undefined || program.type === 'shell') return { status: 'unspoken', tookMs: 0 };
  const found = health.find((one) => one.service === service);
  if (found === undefined) return { status: 'unknown', tookMs: 0 };
  const hasFailed = found.failAfterMs !== undefined && host.nowMs - program.startMs > found.failAfterMs;
  return { status: hasFailed ? 'NOT_SERVING' : found.status, tookMs: found.delayMs ?? 0 };
}

/** One HTTP/1.1 response as bytes; the connection closes after it. */
export function responseBytes(found: HttpAnswer, nowMs: number, server: string): Uint8Array {
  const body = new TextEncoder().encode(found.body);
  const head = [
    `HTTP/1.1 ${found.status} ${statusTexts[found.status] ?? 'Status'}`,
    `Server: ${server}`,
    `Date: ${new Date(nowMs).toUTCString()}`,
    `Content-Type: ${found.contentType}`,
    `Content-Length: ${body.length}`,
    ...(found.location === undefined ? [] : [`Location: ${found.location}`]),
    'Connection: close',
  ];
  const bytes = new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\n`);
  const whole = new Uint8Array(bytes.length + body.length);
  whole.set(bytes);
  whole.set(body, bytes.length);
  return whole;
}

const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  302: 'Found',
  400: 'Bad Request',
  404: 'Not Found',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

function matches(route: HttpRoute, path: string): boolean {
  return route.path.endsWith('*') ? path.startsWith(route.path.slice(0, -1)) : route.path === path;
}

/** As Go's http.Redirect answers. */
function redirect({ status, redirectsTo }: HttpRoute, query: string): HttpAnswer | undefined {
  const location = redirectsTo === undefined ? undefined : new URLSearchParams(query).get(redirectsTo) || '/';
  if (location === undefined) return undefined;
  const href = location.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&#34;').replaceAll("'", '&#39;');
  return { status, contentType: 'text/html; charset=utf-8', body: `<a href="${href}">${statusTexts[status]}</a>.\n\n`, location };
}

function routeAnswer(route: HttpRoute, host: ProgramHost, startMs: number): HttpAnswer {
  const runsMs = host.nowMs - startMs;
  const took = route.delayMs === undefined ? undefined : { tookMs: route.delayMs };
  if (route.failAfterMs !== undefined && runsMs > route.failAfterMs) {
    return {
      ...took,
      status: 500,
      contentType: 'text/plain; charset=utf-8',
      body: `error: ${runsMs / 1000}`,
    };
  }
  return { ...took, status: route.status, contentType: route.contentType ?? 'text/plain; charset=utf-8', body: fillIn(route.body, host, []) };
}

/** As Go's file server answers: a file, or the names in a folder. */
function fileAnswer(folder: string | undefined, path: string, { files, readFile, folders }: ProgramHost): HttpAnswer | undefined {
  if (folder === undefined) return undefined;
  const full = `${folder.replace(/\/$/, '')}${path}`;
  const text = files[full] ?? readFile(full);
  if (text !== undefined) return { status: 200, contentType: 'text/plain; charset=utf-8', body: text };
  const below = full.endsWith('/') ? full : `${full}/`;
  const names = [...Object.keys(files), ...(folders?.() ?? [])].filter((one) => one.startsWith(below)).map((one) => one.slice(below.length));
  if (names.length === 0 && full !== '/') return undefined;
  const links = [...new Set(names.map((name) => (name.includes('/') ? name.slice(0, name.indexOf('/') + 1) : name)))].sort();
  const lines = links.map((name) => `<a href="${encodeURI(name)}">${name}</a>\n`);
  return { status: 200, contentType: 'text/html; charset=utf-8', body: `<!doctype html>\n<pre>\n${lines.join('')}</pre>\n` };
}

function notFound(server: string | undefined): HttpAnswer {
  if (server === 'nginx') {
    return {
      status: 404,
      contentType: 'text/html',
      body: '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx (simulated)</center>\r\n</body>\r\n</html>\r\n',
    };
  }
  return { status: 404, contentType: 'text/plain; charset=utf-8', body: '404 page not found\n' };
}

function accessLine(host: ProgramHost, { remote, method, path, agent }: HttpQuestion, found: HttpAnswer): string {
  return `${remote} - - [${formatTime(host.nowMs)}] "${method} ${path} HTTP/1.1" ${found.status} ${found.body.length} "-" "${agent}" "-"`;
}

const reviewGroup = 'admission.k8s.io/';
const conversionGroup = 'apiextensions.k8s.io/';

/** What nobody has described is taken to do as its cluster expects: a webhook allows, and says that it does not look. */
function allowedReview({ method, body = '' }: HttpQuestion, repository: string): HttpAnswer | undefined {
  if (method !== 'POST') return undefined;
  if (body.startsWith('{"kind":"ConversionReview"') && body.includes(`"apiVersion":"${conversionGroup}`)) return renamedObjects(body);
  if (!body.includes(`"apiVersion":"${reviewGroup}`)) return undefined;
  const { kind, apiVersion, request } = JSON.parse(body) as {
    readonly kind: string;
    readonly apiVersion: string;
    readonly request?: { readonly uid?: string };
  };
  const warnings = [`wavetank: the webhook of ${repository} is simulated and allows everything`];
  const review = { kind, apiVersion, response: { uid: request?.uid ?? '', allowed: true, warnings } };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(review) };
}

/** A conversion changes versions and nothing else. */
function renamedObjects(body: string): HttpAnswer {
  const { kind, apiVersion, request } = JSON.parse(body) as {
    readonly kind: string;
    readonly apiVersion: string;
    readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly object[] };
  };
  const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion }));
  const review = { kind, apiVersion, response: { uid: request.uid, convertedObjects, result: { status: 'Success' } } };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(review) };
}
