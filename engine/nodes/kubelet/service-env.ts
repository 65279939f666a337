/** Variables that tell a container of the services of its namespace. Mirrors pkg/kubelet/envvars and getServiceEnvVarMap of pkg/kubelet/kubelet_pods.go. */
import type { Service } from '../../api/core/v1/types.gen.ts';
import { parseTime } from '../../apimachinery/time.ts';
import type { KubeletEnvironment } from './environment.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

const masterNamespace = 'default';
const masterService = 'kubernetes';

/** Of services that were there when the container started; without service links of the API server alone. */
export function serviceVariables(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly (readonly [name: string, value: string])[] {
  const chosen = new Map<string, Service>();
  const master = env.services(masterNamespace).find(({ metadata }) => metadata.name === masterService);
  if (master !== undefined) chosen.set(masterService, master);
  const isKnown = ({ metadata }: Service): boolean =>
    (parseTime(metadata.creationTimestamp ?? '') ?? 0) <= (run.id === '' ? env.nowMs : run.startedMs);
  if (worker.pod.spec?.enableServiceLinks !== false) {
    for (const service of env.services(worker.namespace)) if (isKnown(service)) chosen.set(service.metadata.name ?? '', service);
  }
  return [...chosen.values()].flatMap((service) => variablesOf(service));
}

function variablesOf({ metadata, spec }: Service): (readonly [string, string])[] {
  const { clusterIP = '', ports = [] } = spec ?? {};
  const [first] = ports;
  if (clusterIP === '' || clusterIP === 'None' || first === undefined) return [];
  const prefix = variableName(metadata.name ?? '');
  const found: (readonly [string, string])[] = [
    [`${prefix}_SERVICE_HOST`, clusterIP],
    [`${prefix}_SERVICE_PORT`, String(first.port)],
  ];
  for (const { name, port } of ports) if (name) found.push([`${prefix}_SERVICE_PORT_${variableName(name)}`, String(port)]);
  for (const each of ports) {
    const protocol = (each.protocol ?? 'TCP').toLowerCase();
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
