/** Plays the cases before an API server, and makes what it answered comparable. */
import type { CaseRequest, WebhookCase } from './cases.ts';
import type { HookServer } from './server.ts';

export interface Answered {
  readonly code: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

export interface Played {
  readonly answers: readonly Answered[];
  readonly heard?: readonly unknown[];
}

/** Sends a request; the warnings are those of its `Warning` headers. */
export type Send = (request: CaseRequest) => Promise<Answered>;

const group = '/apis/admissionregistration.k8s.io/v1';

/** `settle` waits until the server has heard of its configurations. */
export async function play(one: WebhookCase, send: Send, server: HookServer, settle: () => Promise<void>): Promise<Played> {
  const configurations = [
    { path: `${group}/mutatingwebhookconfigurations`, kind: 'MutatingWebhookConfiguration', webhooks: one.mutating },
    { path: `${group}/validatingwebhookconfigurations`, kind: 'ValidatingWebhookConfiguration', webhooks: one.validating },
  ].filter(({ webhooks }) => webhooks !== undefined);
  const made: string[] = [];
  const make = async (path: string, body: object): Promise<void> => {
    const { code, body: answer } = await send({ method: 'POST', path, body });
    if (code !== 201) throw new Error(`${one.name}: ${JSON.stringify(answer)}`);
    made.push(`${path}/${(answer as { readonly metadata: { readonly name: string } }).metadata.name}`);
  };
  for (const { path, body } of one.objects ?? []) await make(path, body);
  for (const { path, kind, webhooks } of configurations) {
    const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'case' }, webhooks };
    await make(path, filledIn(body, server));
  }
  await settle();
  server.take();
  const answers: Answered[] = [];
  for (const request of one.requests) {
    const { code, body, warnings } = await send(request);
    answers.push({ code, body: comparable(body, server.port), warnings });
  }
  const heard = server.take().map(({ path, review }) => ({ path, review: comparable(review, server.port) }));
  for (const path of made.reverse()) await send({ method: 'DELETE', path });
  await settle();
  await send({ method: 'DELETE', path: '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%21%3Dkube-root-ca.crt' });
  await send({ method: 'DELETE', path: '/apis/rbac.authorization.k8s.io/v1/clusterroles/hooked' });
  return one.isHeard === true ? { answers, heard } : { answers };
}

function filledIn<T>(body: T, { port, caBundle, otherCaBundle }: HookServer): T {
  const text = JSON.stringify(body)
    .replaceAll('"PORT"', String(port))
    .replaceAll('HOOK', `https://127.0.0.1:${port}`)
    .replaceAll('"OTHERCA"', JSON.stringify(otherCaBundle))
    .replaceAll('"CA"', JSON.stringify(caBundle));
  return JSON.parse(text) as T;
}

/** Names, times and numbers that are each server's own. */
const own: { readonly [key: string]: unknown } = {
  uid: '<uid>',
  resourceVersion: '<revision>',
  creationTimestamp: '<time>',
  time: '<time>',
  lastTransitionTime: '<time>',
  token: '<token>',
  expirationTimestamp: '<time>',
  userInfo: '<user>',
  manager: '<manager>',
};

export function comparable(value: unknown, port: number, key = ''): unknown {
  if (typeof value === 'string') {
    if (Object.hasOwn(own, key)) return own[key];
    return (
      value
        .replaceAll(String(port), 'PORT')
        // Which of two names Go has for the scheme follows from how the server was built.
        .replaceAll('pkg/api/legacyscheme/scheme.go:30', 'pkg/runtime/scheme.go:111')
        .replaceAll(/127\.0\.0\.1:\d+->/g, '127.0.0.1:<port>->')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
        .replaceAll(/\bgen-[a-z0-9]{5}\b/g, 'gen-<name>')
    );
  }
  if (Array.isArray(value)) return value.map((item) => comparable(item, port));
  if (typeof value !== 'object' || value === null) return value;
  if (key === 'userInfo') return own[key];
  // What a Scale is told of managers is listed in docs/differences.md.
  const isScale = 'kind' in value && value.kind === 'Scale';
  const entries = Object.entries(
    isScale && 'metadata' in value ? { ...value, metadata: { ...(value.metadata as object), managedFields: '<own>' } } : value,
  );
  return Object.fromEntries(entries.map(([name, inner]) => [name, comparable(inner, port, name)]));
}
