/** What clients of the pretend cluster have asked for. */
import { iso, sim, type MockObject } from './mock-cluster.ts';

const asked = [
  { userAgent: 'kubectl/v1.36.0', verb: 'create', resource: 'configmaps', code: 201, latencyMs: 12.4, change: [2000, 2000] },
  { userAgent: 'operator/v2', verb: 'update', resource: 'deployments', code: 409, latencyMs: 3.1, message: 'the object has been modified' },
  { userAgent: 'operator/v2', verb: 'list', resource: 'pods', code: 200, latencyMs: 812 },
  { userAgent: 'kubectl/v1.36.0', verb: 'watch', resource: 'pods', code: 200 },
] as const;

export function mockRequests(query: URLSearchParams, now: number): MockObject[] {
  const made = asked.map((one, index) => {
    const { change, ...rest } = one as typeof one & { readonly change?: readonly [number, number]; readonly message?: string };
    return {
      apiVersion: sim,
      kind: 'APIRequest',
      metadata: { name: String(index) },
      status: {
        ...{ ...rest, username: 'kubernetes-admin', requestURI: `/api/v1/namespaces/shop/${one.resource}`, namespace: 'shop' },
        ...{ requestReceivedTimestamp: iso(now - 1000 * (asked.length - index)), requestBytes: 10, responseBytes: 900 },
        ...(change ? { change: { input: 7, firstRevision: change[0], lastRevision: change[1] } } : {}),
      },
    };
  });
  return made.filter(
    ({ status }) =>
      (!query.get('client') || status.userAgent.startsWith(query.get('client') ?? '')) && (query.get('failed') !== 'true' || status.code >= 400),
  );
}

export function mockClients(now: number): MockObject[] {
  const client = (type: string, name: string, requests: number, failed: number): MockObject => ({
    apiVersion: sim,
    kind: 'APIClient',
    metadata: { name: `${type.toLowerCase()}-${name}` },
    status: { client: name, type, requests, failed, requestsPerSecond: 1, meanLatencyMs: 8.2, slowestMs: 812, lastRequestTime: iso(now), verbs: {} },
  });
  return [
    client('Outside', 'kubectl', 2, 0),
    client('Outside', 'operator', 2, 1),
    client('Webhook', 'webhook/guard.example.com', 4, 4),
    client('Component', 'kubelet', 900, 0),
  ];
}
