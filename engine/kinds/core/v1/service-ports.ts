/** Node ports of services. Mirrors initNodePorts and updateNodePorts of pkg/registry/core/service/storage/alloc.go. */
import type { ServicePort, ServiceSpec } from '../../../api/core/v1/types.gen.ts';
import { newInternalError, newStatusError } from '../../../apimachinery/errors.ts';
import { invalid } from '../../../apimachinery/field-errors.ts';
import type { ServiceAllocator, StrategyContext } from '../../../contracts/kind.ts';
import { specPath } from '../../shared/strategy.ts';
import { refuse } from './service-families.ts';
import { needsHealthCheckPort } from './service-strategy.ts';

const standardProtocol = 'TCP';
/** What a dry run counts on from. */
const dryRunBase = 32768;

export function portsOf(spec: ServiceSpec | undefined): ReadonlySet<number> {
  return new Set((spec?.ports ?? []).flatMap((port) => (port.nodePort ? [port.nodePort] : [])));
}

/** What one write takes. */
class PortOperation {
  readonly #allocator: ServiceAllocator;
  readonly #isDry: boolean;
  readonly #leavesTwins: boolean;
  readonly #taken = new Set<number>();

  /** `leavesTwins`: a port that is asked for twice is refused by others. */
  constructor(allocator: ServiceAllocator, { isDry, leavesTwins }: { readonly isDry: boolean; readonly leavesTwins: boolean }) {
    this.#allocator = allocator;
    this.#isDry = isDry;
    this.#leavesTwins = leavesTwins;
  }

  /** Undefined when the port can be had, else why not. A dry run looks at no range. */
  claim(port: number, protocol: string): string | undefined {
    if (this.#leavesTwins && this.#taken.has(port)) return undefined;
    const text = this.#taken.has(port) ? 'provided port is already allocated' : this.#allocator.claimNodePort(port, protocol);
    if (text !== undefined && !(this.#isDry && text.includes('not in the valid range'))) return text;
    this.#taken.add(port);
    return undefined;
  }

  next(protocol: string): number {
    // A dry run draws nothing: the next one after what it has taken, as Go's 32 bits have it.
    const port = this.#isDry ? ((this.#taken.size === 0 ? dryRunBase : Math.max(0, ...this.#taken)) + 1) | 0 : this.#allocator.allocateNodePort([protocol], this.#taken); // biome-ignore format: one line
    this.#taken.add(port);
    return port;
  }
}

export function allocatePorts(spec: ServiceSpec, old: ServiceSpec | undefined, name: string, context: StrategyContext): ServiceSpec {
  const { services, dryRun } = context;
  if (services === undefined) return spec;
  const operation = new PortOperation(services, { isDry: dryRun, leavesTwins: !context.ratcheted('DryAddresses') });
  let next = spec;
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer')
    next = { ...next, ...withPorts(old === undefined ? newPorts(spec, name, operation) : changedPorts(spec, old, name, operation)) };
  if (!needsHealthCheckPort(next) || (old !== undefined && needsHealthCheckPort(old))) return next;
  const asked = next.healthCheckNodePort ?? 0;
  if (asked === 0) return { ...next, healthCheckNodePort: operation.next(standardProtocol) };
  const fault = operation.claim(asked, standardProtocol);
  if (fault !== undefined) throw newInternalError(`failed to allocate requested HealthCheck NodePort ${asked}: ${fault}`);
  return next;
}

function withPorts(ports: readonly ServicePort[]): Pick<ServiceSpec, 'ports'> | undefined {
  return ports.length === 0 ? undefined : { ports };
}

function allocates({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === 'NodePort' || allocateLoadBalancerNodePorts === true;
}

function claim(port: number, protocol: string, index: number, name: string, operation: PortOperation): void {
  const fault = operation.claim(port, protocol);
  if (fault !== undefined) refuse(name, [invalid(specPath.child('ports').index(index).child('nodePort'), port, fault)]);
}

/** Ports of one number share their node port, where none of them asks for its own. */
function newPorts(spec: ServiceSpec, name: string, operation: PortOperation): readonly ServicePort[] {
  const byPort = new Map<number, number>();
  const ports = spec.ports ?? [];
  return ports.map((port, index) => {
    const { nodePort = 0, protocol = standardProtocol } = port;
    if (nodePort === 0 && !allocates(spec)) return port;
    const had = byPort.get(port.port);
    if (had !== undefined) {
      if (nodePort !== 0 && nodePort !== had) claim(nodePort, protocol, index, name, operation);
      return nodePort === 0 ? { ...port, nodePort: had } : port;
    }
    const asked = ports.find((other) => other.port === port.port && other.nodePort)?.nodePort;
    if (asked !== undefined) claim(asked, protocol, index, name, operation);
    const given = asked ?? operation.next(protocol);
    byPort.set(port.port, given);
    return { ...port, nodePort: given };
  });
}

function changedPorts(spec: ServiceSpec, old: ServiceSpec, name: string, operation: PortOperation): readonly ServicePort[] {
  const before = portsOf(old);
  const [claimed, used] = [new Set<number>(), new Set<string>()];
  return (spec.ports ?? []).map((port, index) => {
    const { protocol = standardProtocol } = port;
    let nodePort = port.nodePort ?? 0;
    if (nodePort === 0 && !allocates(spec)) return port;
    if (nodePort === 0) nodePort = operation.next(protocol);
    else if (!before.has(nodePort) && !claimed.has(nodePort)) {
      claim(nodePort, protocol, index, name, operation);
      claimed.add(nodePort);
    }
    if (used.has(`${protocol}/${nodePort}`)) throw newStatusError(500, '', `duplicate nodePort: {${protocol} ${nodePort}}`);
    used.add(`${protocol}/${nodePort}`);
    return nodePort === port.nodePort ? port : { ...port, nodePort };
  });
}
