/** A metrics server beside the real API server, which finds it by an APIService; it tells what steps said that pods use. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority, issueCertificate } from '../../engine/serving/certificates.ts';
import type { World } from './world.ts';

const group = 'metrics.k8s.io';
const version = 'v1beta1';
const service = { namespace: 'kube-system', name: 'played-metrics' };
const availableTries = 300;

export class PeerMetrics {
  readonly #world: World;
  readonly #server: Server;

  constructor(world: World) {
    this.#world = world;
    const { certificatePem, keyPem } = issueCertificate(createAuthority('played-metrics'), {
      commonName: 'played-metrics',
      names: ['localhost'],
      usage: 'server',
      days: 1,
    });
    this.#server = createServer({ cert: certificatePem, key: keyPem }, (request, response) => {
      const found = this.#answer(new URL(request.url ?? '/', 'https://localhost'));
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
    });
  }

  /** Resolves when the API server passes requests on. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const { namespace, name } = service;
    const apiService = `/apis/apiregistration.k8s.io/v1/apiservices/${version}.${group}`;
    await this.#world.ask('DELETE', apiService);
    await this.#world.ask('DELETE', `/api/v1/namespaces/${namespace}/services/${name}`);
    // What is outside of the cluster is called by its name.
    await this.#world.ask('POST', `/api/v1/namespaces/${namespace}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port }] },
    });
    await this.#world.ask('POST', '/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${version}.${group}` },
      spec: { group, version, service: { ...service, port }, insecureSkipTLSVerify: true, groupPriorityMinimum: 100, versionPriority: 100 },
    });
    for (let tries = 0; tries < availableTries; tries++) {
      const { status } = await this.#world.ask('GET', `/apis/${group}/${version}/namespaces/default/pods`);
      if (status === 200) return;
      await this.#world.sleep(100);
    }
    throw new Error('the real API server does not reach the metrics that the test serves');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer({ pathname, searchParams }: URL): object | undefined {
    const root = `/apis/${group}/${version}`;
    if (pathname === root) {
      const resources = [{ name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] }];
      return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources };
    }
    const namespace = new RegExp(`^${root}/namespaces/([^/]+)/pods$`).exec(pathname)?.[1];
    if (namespace === undefined) return undefined;
    const wanted = (searchParams.get('labelSelector') ?? '').split(',').filter((part) => part !== '');
    const items = this.#world.usage.metrics(this.#world, namespace).filter((one) => {
      const { labels } = (one as { readonly metadata: { readonly labels: Readonly<Record<string, string>> } }).metadata;
      return wanted.every((part) => labels[part.split('=')[0] ?? ''] === part.split('=')[1]);
    });
    return { kind: 'PodMetricsList', apiVersion: `${group}/${version}`, metadata: {}, items };
  }
}
