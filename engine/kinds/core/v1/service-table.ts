/** Cells of `kubectl get services` and `kubectl get endpoints`. Mirrors printService and formatEndpoints of pkg/printers/internalversion. */
import type { Endpoints, Service } from '../../../api/core/v1/types.gen.ts';
import type { TableContext } from '../../../contracts/kind.ts';
import type { JsonValue } from '../../../base/json.ts';
import { ageOf, labelsText, loadBalancerText, nameOf } from '../../shared/table.ts';

export function serviceCells(service: Service, context: TableContext): readonly JsonValue[] {
  const { type = '', clusterIPs, ports = [], selector } = service.spec ?? {};
  const texts = ports.map((port) => `${port.port}${port.nodePort ? `:${port.nodePort}` : ''}/${port.protocol ?? ''}`);
  const internal = clusterIPs?.[0] ?? '<none>';
  return [nameOf(service), type, internal, externalIp(service), texts.join(',') || '<none>', ageOf(service, context), labelsText(selector)];
}

function externalIp(service: Service): string {
  const own = service.spec?.externalIPs ?? [];
  switch (service.spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer': {
      const balancer = loadBalancerText(service.status?.loadBalancer?.ingress);
      return [...(balancer === '' ? [] : [balancer]), ...own].join(',') || '<pending>';
    }
    case 'ExternalName':
      return service.spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

const shownMax = 3;

export function endpointsText(endpoints: Endpoints): string {
  const subsets = endpoints.subsets ?? [];
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const ips = (subset.addresses ?? []).map((address) => address.ip);
    if (!subset.ports?.length) return ips;
    return subset.ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${port.port}`));
  });
  const shown = all.slice(0, shownMax).join(',');
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : shown;
}
