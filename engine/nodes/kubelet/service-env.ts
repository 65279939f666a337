/** Variables that tell a container of the services of its namespace. Mirrors pkg/kubelet/envvars and getServiceEnvVarMap of pkg/kubelet/kubelet_pods.go. */
import type { Service } from '../../api/core/v1/types.gen.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** What variables are made of. */
export interface ServedService {
  readonly name: string;
  readonly clusterIP: string;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
}

export function toServed({ metadata, spec }: Service): ServedService {
  const ports = (spec?.ports ?? []).map(({ name = '', port, protocol = 'TCP' }) => ({ name, port: Number(port), protocol }));
  return { name: metadata.name ?? '', clusterIP: spec?.clusterIP ?? '', ports };
}

const masterNamespace = 'default';
const masterService = 'kubernetes';

/** Of services that were there when the container started; without service links of the API server alone. */
export function serviceVariables(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly (readonly [name: string, value: string])[] {
  const startMs = run.state === 'running' ? run.startedMs : env.nowMs;
  const master = env.services(masterNamespace, startMs).filter(({ name }) => name === masterService);
  const linked = worker.pod.spec?.enableServiceLinks === false ? [] : env.services(worker.namespace, startMs);
  // One of that name in the pod's own namespace goes before that of the API server.
  const chosen = new Map([...master, ...linked].map((service) => [service.name, service]));
  return [...chosen.values()].flatMap((service) => variablesOf(service));
}

function variablesOf({ name: serviceName, clusterIP, ports }: ServedService): (readonly [string, string])[] {
  const [first] = ports;
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return [];
  const prefix = variableName(serviceName);
  const found: (readonly [string, string])[] = [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
  ];
  for (const { name, port } of ports) if (name) found.push([`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]);
  for (const each of ports) {
    const protocol = each.protocol.toLowerCase();
    const host = clusterIP.includes(':') ? `[${clusterIP}]` : clusterIP;
    const address = `${protocol}://${host}:${each.port}`;
    const port = `${prefix}_PORT_${each.port}_${protocol.toUpperCase()}`;
    if (each === first) found.push([`${prefix}_PORT`, address]);
    found.push([port, address], [`${port}_PROTO`, protocol], [`${port}_PORT`, String(each.port)], [`${port}_ADDR`, clusterIP]);
  }
  return found;
}

function variableName(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}
