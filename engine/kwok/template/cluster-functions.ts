/** Functions of templates that know the time and the cluster. Mirrors pkg/utils/gotpl/funcs.go and the controllers' own of sigs.k8s.io/kwok. */
import type { Node } from '../../api/core/v1/types.gen.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { RandomStream } from '../../base/random.ts';
import type { Addresses } from '../addresses.ts';
import type { TemplateFunction } from './execute.ts';
import { isTrue, type Value } from './values.ts';

export interface ClusterView {
  nowMs(): number;
  readonly random: RandomStream;
  readonly addresses: Addresses;
  nodeOf(name: string): Node | undefined;
  /** The key of the object that the template is about. */
  holder(): string;
}

/** Where KWOK itself would be found. */
const own = { ip: '10.0.0.1', name: 'kwok-controller', port: 10_247, version: '0.8.0' };

/** https://kubernetes.io/docs/concepts/architecture/nodes/#condition, as KWOK has them. */
const conditions: Value = [
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['NetworkUnavailable', 'False', 'RouteCreated', 'RouteController created a route'],
].map(([type = '', status = '', reason = '', message = '']) => ({ type, status, reason, message }));

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function clusterFunctions(view: ClusterView): readonly (readonly [string, TemplateFunction])[] {
  const startMs = view.nowMs();
  const hostIps = (name: Value): readonly string[] => {
    const addresses = view.nodeOf(String(name ?? ''))?.status?.addresses ?? [];
    const found = ['InternalIP', 'ExternalIP'].flatMap((type) => addresses.filter((each) => each.type === type).map(({ address }) => address));
    const [first] = found;
    if (first === undefined) return [own.ip];
    const other = found.find((address) => address.includes(':') !== first.includes(':'));
    return other === undefined ? [first] : [first, other];
  };
  const podIps = (name: Value, hostNetwork: Value): readonly string[] =>
    isTrue(hostNetwork) ? hostIps(name) : view.addresses.take(view.nodeOf(String(name ?? '')), view.holder());
  return [
    ['Now', () => nanoTime(view.nowMs())],
    ['StartTime', () => nanoTime(startMs)],
    ['Version', () => own.version],
    ['NodeConditions', () => conditions],
    ['NodeIP', () => own.ip],
    ['NodeName', () => own.name],
    ['NodePort', () => own.port],
    ['NodeIPWith', (name) => hostIps(name)[0]],
    ['NodeIPsWith', (name) => [...hostIps(name)]],
    ['PodIP', () => view.addresses.take(undefined, view.holder())[0]],
    ['PodIPWith', (name, hostNetwork) => podIps(name, hostNetwork)[0]],
    ['PodIPsWith', (name, hostNetwork) => [...podIps(name, hostNetwork)]],
    ['randInt', (from, to) => view.random.between(Number(from), Math.max(Number(from), Number(to) - 1))],
    ['randAlphaNum', (size) => view.random.text(Math.min(Math.max(Number(size), 0), 1024), alphabet)],
  ];
}

/** RFC 3339 with as many digits as it takes. */
function nanoTime(ms: number): string {
  const rest = Math.floor(ms) % 1000;
  const seconds = formatTime(Math.floor(ms) - rest);
  return rest === 0 ? seconds : seconds.replace('Z', `.${String(rest).padStart(3, '0').replace(/0+$/, '')}Z`);
}
