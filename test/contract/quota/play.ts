/** Plays the cases against whatever answers, ours in process or a real API server without controllers. */
import type { QuotaCase } from './cases.ts';

/** Gives the code of the answer and its body. */
export type Ask = (method: string, path: string, body?: object, type?: string) => Promise<{ readonly code: number; readonly body: Reply }>;

export interface Reply {
  readonly message?: string;
  readonly reason?: string;
  readonly items?: readonly { readonly metadata: { readonly name: string }; readonly status?: { readonly used?: object } }[];
}

/** What was answered to one request, and what the quotas said then. */
export interface QuotaFact {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly used: Readonly<Record<string, object>>;
}

/** Makes what the cases ask for: a priority class `vip`, and classes of devices, one of which stands for `example.com/served`. */
export async function prepare(ask: Ask): Promise<void> {
  await ask('POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'vip' }, value: 5 });
  await ask('POST', '/apis/resource.k8s.io/v1/deviceclasses', {
    metadata: { name: 'serving' },
    spec: { extendedResourceName: 'example.com/served' },
  });
  await ask('POST', '/apis/resource.k8s.io/v1/deviceclasses', { metadata: { name: 'plain' }, spec: {} });
}

/** `settled` resolves when the server has heard of what was written. */
export async function play(
  ask: Ask,
  { quotas, requests }: QuotaCase,
  namespace: string,
  settled: () => Promise<void> = async () => {},
): Promise<readonly QuotaFact[]> {
  await must(ask, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  const base = `/api/v1/namespaces/${namespace}`;
  await must(ask, 'POST', `${base}/serviceaccounts`, { metadata: { name: 'default' } });
  for (const { name, spec, used } of quotas) {
    await must(ask, 'POST', `${base}/resourcequotas`, { metadata: { name }, spec });
    if (used === undefined) continue;
    const status = { hard: (spec as { readonly hard: object }).hard, used };
    await must(ask, 'PATCH', `${base}/resourcequotas/${name}/status`, { status }, 'application/merge-patch+json');
  }
  await settled();
  const facts: QuotaFact[] = [];
  for (const { method = 'POST', group = 'api/v1', path, query, body, type } of requests) {
    const at = `/${group}/namespaces/${namespace}/${path}${query === undefined ? '' : `?${query}`}`;
    const answer = await ask(method, at, body, type);
    const { items = [] } = (await ask('GET', `${base}/resourcequotas`)).body;
    const used = Object.fromEntries(
      items
        .filter(({ metadata }) => quotas.some(({ name }) => name === metadata.name))
        .map(({ metadata, status }) => [metadata.name, status?.used ?? {}]),
    );
    facts.push({ code: answer.code, ...(answer.code < 400 ? {} : why(answer.body)), used });
  }
  return facts;
}

/** Without the letters that a generated name was given. */
function why({ reason, message = '' }: Reply): Pick<QuotaFact, 'reason' | 'message'> {
  return { ...(reason === undefined ? {} : { reason }), message: message.replaceAll(/"([a-z]+-)[a-z0-9]{5}"/g, '"$1<drawn>"') };
}

async function must(ask: Ask, method: string, path: string, body: object, type?: string): Promise<void> {
  const answer = await ask(method, path, body, type);
  // The account may have been made by a controller.
  if (answer.code >= 400 && answer.code !== 409) throw new Error(`${method} ${path}: ${answer.body.message}`);
}
