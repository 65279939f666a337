/** What the type of an option cannot say: ranges of addresses and ports, names that are known, options that must fit together. */
import { partsOf } from '../base/text.ts';
import { getOwn } from '../base/dictionary.ts';
import { controllers } from '../controllers/index.gen.ts';
import { simulatedCloudName } from '../cloud/provider.ts';
import { parseCIDR } from '../apimachinery/ip.ts';
import { readAbacPolicies } from '../apiserver/auth/abac.ts';
import { ConfigurationFault } from '../apiserver/configuration-reader.ts';
import { parseCorsOrigins } from '../apiserver/filters/cors.ts';
import { hstsFault } from '../apiserver/filters/hsts.ts';
import { readConfiguration } from '../scheduler/configuration/configuration.ts';
import { ConfigurationError } from '../scheduler/configuration/fields.ts';
import { providers, readPolicy, standardGates } from '../scheduler/policy/policy.ts';

const checks: Readonly<Record<string, (text: string) => string | undefined>> = {
  'authorization-policy-file': (text) => policyFault(text),
  controllers: unknownController,
  'cloud-provider': (text) => (['', 'external', simulatedCloudName].includes(text) ? undefined : `${simulatedCloudName}, external, or nothing`),
  'cluster-cidr': (text) => rangesOfAddresses(text) ?? sixFits(text),
  'service-cluster-ip-range': rangesOfAddresses,
  'service-node-port-range': rangeOfPorts,
  'cors-allowed-origins': listOfOrigins,
  'strict-transport-security-directives': (text) => hstsFault(partsOf(text)),
  'cidr-allocator-type': (text) => (text === 'RangeAllocator' ? undefined : 'RangeAllocator'),
  'leader-elect-resource-lock': (text) => (['leases', 'endpoints', 'configmaps'].includes(text) ? undefined : 'leases, endpoints or configmaps'),
  'percentage-of-nodes-to-score': (text) => (Number(text) > 100 ? 'at most 100' : undefined),
  'scheduler-config': (text) => fault('a KubeSchedulerConfiguration', () => text !== '' && readConfiguration(text)),
  'policy-config-file': (text) => fault('a Policy', () => text !== '' && readPolicy(text, { ...standardGates, scoresLimits: true })),
  'algorithm-provider': (text) => (text === '' || providers.includes(text) ? undefined : providers.join(' or ')),
  'hard-pod-affinity-symmetric-weight': (text) => (Number(text) > 100 ? 'at most 100' : undefined),
  'scheduler-name': (text) => (text === '' ? 'a name' : undefined),
};

function policyFault(text: string): string | undefined {
  try {
    readAbacPolicies(text);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationFault) return `a policy a line: ${error.message}`;
    throw error;
  }
}

function fault(what: string, read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return `${what}: ${error.message}`;
    throw error;
  }
}

/** What the text should have been, or undefined when it is right. */
export function expectedOf(name: string, text: string): string | undefined {
  return getOwn(checks, name)?.(text);
}

/** One line when durations do not fit together. */
export function mistakeTogether(milliseconds: (name: string) => number): string | undefined {
  if (milliseconds('leader-elect-renew-deadline') > milliseconds('leader-elect-lease-duration'))
    return '--leader-elect-renew-deadline must not exceed --leader-elect-lease-duration';
  if (milliseconds('attach-detach-reconcile-sync-period') < 1000) return '--attach-detach-reconcile-sync-period must be at least one second';
  for (const name of ['node-monitor-period', 'node-status-update-frequency', 'etcd-compaction-interval'])
    if (milliseconds(name) < 1000) return `--${name} must be at least one second`;
  return undefined;
}

/** Names of controllers that run here, and of upstream's that are asked not to run, are both fine. */
function unknownController(text: string): string | undefined {
  const known = new Set(controllers.flatMap((controller) => [controller.name, ...controller.aliases]));
  const wrong = partsOf(text).find((part) => part !== '*' && !part.startsWith('-') && !known.has(part));
  return wrong === undefined
    ? undefined
    : `names of controllers (${wrong} is not one); they are ${[...controllers.map((controller) => controller.name)].sort().join(', ')}`;
}

/** One range, or one of each family: the first is that of who says nothing. */
function rangesOfAddresses(text: string): string | undefined {
  const families = text.split(',').map((range) => parseCIDR(range)?.ip.family);
  const isFine = families.length <= 2 && !families.includes(undefined) && families[0] !== families[1];
  return isFine ? undefined : 'a range such as 10.96.0.0/12, or two of different families such as 10.96.0.0/16,fd00:10:96::/108';
}

/** Machines have a /64 each, and upstream makes 65,536 of them at most. */
function sixFits(text: string): string | undefined {
  const isFine = text.split(',').every((range) => {
    const parsed = parseCIDR(range);
    return parsed?.ip.family !== 6 || (parsed.prefixLength >= 48 && parsed.prefixLength <= 64);
  });
  return isFine ? undefined : 'a range of IPv6 between /48 and /64';
}

function listOfOrigins(text: string): string | undefined {
  const parsed = parseCorsOrigins(text.split(',').filter((part) => part.trim() !== ''));
  return typeof parsed === 'string' ? parsed : undefined;
}

function rangeOfPorts(text: string): string | undefined {
  const [first, last] = text.split('-').map(Number);
  const isRange = /^\d+-\d+$/.test(text) && (first ?? 0) >= 1 && (last ?? 0) <= 65_535 && (first ?? 0) <= (last ?? 0);
  return isRange ? undefined : 'a range of ports such as 30000-32767';
}
