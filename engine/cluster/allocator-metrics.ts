/** How many addresses and ports Services have of their ranges. Mirrors the gauges of pkg/registry/core/service/{ip,port}allocator/metrics.go. */
import type { Service } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { parseIP } from '../apimachinery/ip.ts';
import { metricFamily, type Sample } from '../apiserver/metrics-text.ts';
import type { Settings } from './settings.ts';

export function allocatorMetrics(settings: Pick<Settings, 'text'>, stored: (prefix: string) => readonly KubeObject[]): string {
  const services = stored('services/specs') as readonly Service[];
  const ranges = settings.text('service-cluster-ip-range').split(',');
  const addresses = services.flatMap(({ spec }) => spec?.clusterIPs ?? []).filter((address) => parseIP(address) !== undefined);
  const taken = ranges.map((cidr) => ({ cidr, count: addresses.filter((address) => isV6(address) === isV6(cidr)).length }));
  const [portMin = 0, portMax = 0] = settings.text('service-node-port-range').split('-').map(Number);
  const ports = services.flatMap(({ spec }) => [...(spec?.ports ?? []).map(({ nodePort = 0 }) => nodePort), spec?.healthCheckNodePort ?? 0]);
  const portCount = new Set(ports.filter((port) => port >= portMin && port <= portMax)).size;
  const gauge = (name: string, help: string, samples: readonly Sample[]): string =>
    metricFamily(`kube_apiserver_${name}`, 'gauge', `[ALPHA] ${help}`, samples);
  return [
    gauge(
      'clusterip_allocator_allocated_ips',
      'Gauge measuring the number of allocated IPs for Services',
      taken.map(({ cidr, count }) => [{ cidr }, count]),
    ),
    gauge(
      'clusterip_allocator_available_ips',
      'Gauge measuring the number of available IPs for Services',
      taken.map(({ cidr, count }) => [{ cidr }, Math.max(0, sizeOf(cidr) - count)]),
    ),
    gauge('nodeport_allocator_allocated_ports', 'Gauge measuring the number of allocated NodePorts for Services', [[{}, portCount]]),
    gauge('nodeport_allocator_available_ports', 'Gauge measuring the number of available NodePorts for Services', [
      [{}, portMax - portMin + 1 - portCount],
    ]),
  ].join('');
}

function isV6(text: string): boolean {
  return text.includes(':');
}

/** Addresses that Services can have: not that of the network, and of IPv4 not the one for all. */
function sizeOf(cidr: string): number {
  const bits = (isV6(cidr) ? 128 : 32) - Number(cidr.split('/')[1] ?? 0);
  return Math.min(2 ** bits - (isV6(cidr) ? 1 : 2), Number.MAX_SAFE_INTEGER);
}
