/** A branch behind an endpoint: what `wavetank up`, the desktop app and the library start. */
import { Branch, type BranchOptions } from './branch.ts';
import { metricFamily } from '../apiserver/metrics-text.ts';
import { Endpoint } from './endpoint.ts';
import { publishTrust } from './published-trust.ts';
import { OwnRuns } from './own-runs.ts';
import type { ServingCertificates } from './serving-certificates.ts';

export interface EngineOptions extends BranchOptions {
  /** Ports to try in turn, 0 for any free one; empty: no listener. */
  readonly ports: readonly number[];
  /** Which certificates are shown; absent: this machine's. */
  readonly serving?: ServingCertificates | undefined;
  /** A new cluster's time begins at the wall's, so that what runs beside it and looks at its own clock agrees with it. */
  readonly followsWall?: boolean;
}

export interface Engine {
  readonly endpoint: Endpoint;
  /** The one it was started with. */
  readonly branch: Branch;
  /** Ends the endpoint and every branch that it still has. */
  close(): Promise<void>;
}

/** What the branch is called that an endpoint starts with. */
const mainBranch = 'main';

/** Resolves when the cluster answers and its nodes are Ready. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const served: { endpoint?: Endpoint; address?: string } = {};
  const metrics = (): string => (options.metrics?.() ?? '') + handshakeMetrics(served.endpoint?.failedHandshakes ?? 0);
  const branch = await Branch.start({ ...options, metrics, address: () => served.address, config: { ...options.config, ownRuns: true } });
  const { requestHeader, clientAuthoritiesPem = '' } = options.ways ?? {};
  const endpoint = new Endpoint(options.keys, mainBranch, branch, {
    serving: options.serving,
    clientAuthoritiesPem: `${clientAuthoritiesPem}\n${requestHeader?.authoritiesPem ?? ''}`,
  });
  served.endpoint = endpoint;
  const runs = new OwnRuns({ endpoint, branch, keys: options.keys, ...(options.ways && { ways: options.ways }) });
  const close = async (): Promise<void> => {
    runs.close();
    await endpoint.close();
    await Promise.all(endpoint.listBranches().map((one) => one.branch.close()));
  };
  try {
    await endpoint.listen(options.ports);
    if (options.ports.length > 0) served.address = new URL(endpoint.server).host;
  } catch (error) {
    await close();
    throw error;
  }
  publishTrust((request) => branch.handleAtOnce(request), options.ways ?? {});
  branch.run(options.followsWall === true ? Date.now() : undefined);
  return { endpoint, branch, close };
}

function handshakeMetrics(failed: number): string {
  const help = "[ALPHA] Number of requests dropped with 'TLS handshake error from' error";
  return metricFamily('apiserver_tls_handshake_errors_total', 'counter', help, [[{}, failed]]);
}
