/**
 * The files by which a container finds others: `/etc/hosts` and `/etc/resolv.conf`. Mirrors managedHostsFileContent of
 * pkg/kubelet/kubelet_pods.go and pkg/kubelet/network/dns/dns.go; the addresses are those of a usual cluster.
 */
import type { HostAlias, PodDNSConfig } from '../../api/core/v1/types.gen.ts';
import { assert } from '../../base/assert.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { Machine } from '../machine.ts';
import type { PodWorker } from './worker.ts';

const clusterServer = '10.96.0.10';
const clusterDomain = 'cluster.local';
/** What a machine's own resolver asks. */
const machineServer = '172.18.0.1';
const serversMax = 3;
const searchesMax = 32;

const ofBothFamilies = ['127.0.0.1\tlocalhost', '::1\tlocalhost ip6-localhost ip6-loopback'];
const ofVersion6 = ['fe00::0\tip6-localnet', 'fe00::0\tip6-mcastprefix', 'fe00::1\tip6-allnodes', 'fe00::2\tip6-allrouters'];

export function hostsFile({ pod, ip, namespace }: PodWorker, hostname: string, machine: Machine): string {
  const { hostNetwork, subdomain = '', hostAliases = [] } = pod.spec ?? {};
  const aliases = linesOf(hostAliases);
  if (hostNetwork === true) return `# Kubernetes-managed hosts file (host network).\n${machineHosts(machine)}${aliases}`;
  const names = subdomain === '' ? hostname : `${hostname}.${subdomain}.${namespace}.svc.${clusterDomain}\t${hostname}`;
  return `${['# Kubernetes-managed hosts file.', ...ofBothFamilies, ...ofVersion6, `${ip}\t${names}`].join('\n')}\n${aliases}`;
}

function linesOf(aliases: readonly HostAlias[]): string {
  if (aliases.length === 0) return '';
  return `\n# Entries added by HostAliases.\n${aliases.map(({ ip, hostnames = [] }) => `${[ip, ...hostnames].join('\t')}\n`).join('')}`;
}

function machineHosts({ name, address }: Machine): string {
  return `${[...ofBothFamilies, `${address}\t${name}`].join('\n')}\n`;
}

/** Files of a machine that pods may mount, as far as somebody may want to read them. */
export function machineFile(path: string, machine: Machine): string | undefined {
  switch (path) {
    case '/etc/hosts':
      return machineHosts(machine);
    case '/etc/hostname':
      return `${machine.name}\n`;
    case '/etc/machine-id':
      return `${machine.machineId}\n`;
    case '/etc/os-release':
      return 'NAME="Wavetank simulated Linux"\nPRETTY_NAME="Wavetank simulated Linux"\nID=wavetank\n';
    case '/etc/resolv.conf':
      return textOf({ nameservers: [machineServer], searches: [], options: [] });
    default:
      return undefined;
  }
}

export function resolverFile({ pod, namespace }: PodWorker): string {
  const { dnsPolicy = 'ClusterFirst', hostNetwork, dnsConfig } = pod.spec ?? {};
  const ofCluster = dnsPolicy === 'ClusterFirstWithHostNet' || (dnsPolicy === 'ClusterFirst' && hostNetwork !== true);
  const searches = [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
  assert(namespace !== '', 'a pod is in a namespace');
  const usual: Resolver = ofCluster
    ? { nameservers: [clusterServer], searches, options: [{ name: 'ndots', value: '5' }] }
    : { nameservers: dnsPolicy === 'None' ? [] : [machineServer], searches: [], options: [] };
  return textOf({
    nameservers: [...new Set([...usual.nameservers, ...(dnsConfig?.nameservers ?? [])])].slice(0, serversMax),
    searches: [...new Set([...usual.searches, ...(dnsConfig?.searches ?? [])])].slice(0, searchesMax),
    options: merged(usual.options, dnsConfig?.options ?? []),
  });
}

type Resolver = Required<PodDNSConfig>;
type Options = NonNullable<PodDNSConfig['options']>;

/** Who names an option again changes it. */
function merged(usual: Options, more: Options): Options {
  const found: Record<string, Options[number]> = Object.create(null) as Record<string, Options[number]>;
  for (const option of [...usual, ...more]) found[option.name ?? ''] = option;
  return Object.keys(found).flatMap((name) => getOwn(found, name) ?? []);
}

function textOf({ nameservers, searches, options }: Resolver): string {
  const words = options.map(({ name = '', value }) => (value === undefined || value === '' ? name : `${name}:${value}`));
  const lines = [
    ...(searches.length === 0 ? [] : [`search ${searches.join(' ')}`]),
    ...nameservers.map((server) => `nameserver ${server}`),
    ...(words.length === 0 ? [] : [`options ${words.join(' ')}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
