/**
 * The environment of a container, from values, ConfigMaps, Secrets and fields of the pod. Mirrors pkg/kubelet/kubelet_pods.go
 * (makeEnvironmentVariables) and third_party/forked/golang/expansion.
 */
import { decodeBase64Text } from '../../base/base64.ts';
import { isEnvVarName } from '../../apimachinery/formats.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { dictionary, getOwn, setOwn } from '../../base/dictionary.ts';
import type { EnvFromSource, EnvVar, ResourceFieldSelector } from '../../api/core/v1/types.gen.ts';
import { milliAmount, unitAmount } from '../../component-helpers/quantity-amount.ts';
import { addressesOf } from '../pod-ranges.ts';
import { containerSpec, type KubeletEnvironment } from './environment.ts';
import { definitionOf, hostnameOf } from './program-host.ts';
import { serviceVariables } from './service-env.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

/** The error of upstream for the first ConfigMap, Secret or key that is not there, if any. */
export function missingConfiguration(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): string | undefined {
  const { envFrom = [], env: variables = [] } = containerSpec(worker.pod, run);
  const { namespace } = worker;
  for (const { configMapRef, secretRef } of envFrom) {
    if (configMapRef?.name && configMapRef.optional !== true && env.configMap(namespace, configMapRef.name) === undefined)
      return `configmap "${configMapRef.name}" not found`;
    if (secretRef?.name && secretRef.optional !== true && env.secret(namespace, secretRef.name) === undefined)
      return `secret "${secretRef.name}" not found`;
  }
  for (const { valueFrom } of variables) {
    const map = valueFrom?.configMapKeyRef;
    if (map !== undefined && map.optional !== true) {
      const object = env.configMap(namespace, map.name ?? '');
      if (object === undefined) return `configmap "${map.name}" not found`;
      if (getOwn(object.data, map.key ?? '') === undefined) return `couldn't find key ${map.key} in ConfigMap ${namespace}/${map.name}`;
    }
    const secret = valueFrom?.secretKeyRef;
    if (secret !== undefined && secret.optional !== true) {
      const object = env.secret(namespace, secret.name ?? '');
      if (object === undefined) return `secret "${secret.name}" not found`;
      if (getOwn(object.data, secret.key ?? '') === undefined) return `couldn't find key ${secret.key} in Secret ${namespace}/${secret.name}`;
    }
  }
  return undefined;
}

export function containerEnv(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): Record<string, string> {
  const { envFrom = [], env: variables = [] } = containerSpec(worker.pod, run);
  const values = dictionary<string>();
  Object.assign(values, {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOSTNAME: hostnameOf(worker),
    HOME: '/root',
  });
  Object.assign(values, definitionOf(worker, run, env).env);
  for (const [name, value] of serviceVariables(worker, run, env)) setOwn(values, name, value);
  for (const source of envFrom)
    for (const [name, value] of variablesOf(source, worker, env).entries) if (isAllowed(name, env)) setOwn(values, name, value);
  for (const variable of variables) {
    const value = valueOf(variable, worker, run, values, env);
    if (value !== undefined) setOwn(values, variable.name ?? '', value);
  }
  return values;
}

/** Variables of all sources that have names which this kubelet does not take, one sentence for each source. */
export function skippedVariables(worker: PodWorker, run: ContainerRun, env: KubeletEnvironment): readonly string[] {
  const { envFrom = [] } = containerSpec(worker.pod, run);
  return envFrom.flatMap((source) => {
    const { what, entries } = variablesOf(source, worker, env);
    const skipped = entries.map(([name]) => name).filter((name) => !isAllowed(name, env));
    if (skipped.length === 0) return [];
    const keys = skipped.sort().join(', ');
    return [`Keys [${keys}] from the EnvFrom ${what} were skipped since they are considered invalid environment variable names.`];
  });
}

interface SourcedVariables {
  /** `configMap namespace/name` */
  readonly what: string;
  readonly entries: readonly (readonly [name: string, value: string])[];
}

function variablesOf({ prefix = '', configMapRef, secretRef }: EnvFromSource, { namespace }: PodWorker, env: KubeletEnvironment): SourcedVariables {
  const map = configMapRef?.name ? env.configMap(namespace, configMapRef.name)?.data : undefined;
  const secret = secretRef?.name ? env.secret(namespace, secretRef.name)?.data : undefined;
  return {
    what: configMapRef?.name ? `configMap ${namespace}/${configMapRef.name}` : `secret ${namespace}/${secretRef?.name ?? ''}`,
    entries: [
      ...Object.entries(map ?? {}).map(([key, value]) => [prefix + key, value] as const),
      ...Object.entries(secret ?? {}).map(([key, value]) => [prefix + key, decodeBase64Text(value)] as const),
    ],
  };
}

function isAllowed(name: string, { relaxedVariableNames }: KubeletEnvironment): boolean {
  return relaxedVariableNames || isEnvVarName(name).length === 0;
}

/** Linux passes no longer argument or variable to a program; references that would make one stay as they are. */
const argumentCharsMax = 128 * 1024;

/** `$(NAME)` becomes its value where there is one; `$$` is a dollar sign. */
export function expandReferences(text: string, values: { readonly [name: string]: string }): string {
  if (!text.includes('$')) return text;
  let expandedChars = 0;
  return text.replaceAll(/\$\$|\$\(([^()]*)\)/g, (whole, name: string | undefined) => {
    const value = name === undefined ? '$' : (getOwn(values, name) ?? whole);
    expandedChars += value.length;
    return expandedChars > argumentCharsMax ? whole : value;
  });
}

function valueOf(
  variable: EnvVar,
  worker: PodWorker,
  run: ContainerRun,
  values: Record<string, string>,
  env: KubeletEnvironment,
): string | undefined {
  const from = variable.valueFrom;
  if (from === undefined) return expandReferences(variable.value ?? '', values);
  if (from.configMapKeyRef !== undefined)
    return getOwn(env.configMap(worker.namespace, from.configMapKeyRef.name ?? '')?.data, from.configMapKeyRef.key ?? '');
  if (from.secretKeyRef !== undefined) {
    const encoded = getOwn(env.secret(worker.namespace, from.secretKeyRef.name ?? '')?.data, from.secretKeyRef.key ?? '');
    return encoded === undefined ? undefined : decodeBase64Text(encoded);
  }
  if (from.fieldRef !== undefined) return fieldValue(worker, from.fieldRef.fieldPath ?? '', env);
  if (from.resourceFieldRef !== undefined) return resourceValue(worker, run, from.resourceFieldRef, env);
  return undefined;
}

export function fieldValue(worker: PodWorker, path: string, env: KubeletEnvironment): string {
  const { metadata, spec } = worker.pod;
  const key = /^metadata\.(labels|annotations)\['([^']*)'\]$/.exec(path);
  if (key !== null) return getOwn(key[1] === 'labels' ? metadata.labels : metadata.annotations, key[2] ?? '') ?? '';
  switch (path) {
    case 'metadata.name':
      return worker.name;
    case 'metadata.namespace':
      return worker.namespace;
    case 'metadata.uid':
      return worker.uid;
    case 'metadata.labels':
      return linesOf(metadata.labels);
    case 'metadata.annotations':
      return linesOf(metadata.annotations);
    case 'spec.nodeName':
      return worker.node;
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? 'default';
    case 'status.hostIP':
      return env.machine.address;
    case 'status.hostIPs':
      return addressesOf(env.machine, env.machine.address).join();
    case 'status.podIP':
      return worker.ip;
    case 'status.podIPs':
      return addressesOf(env.machine, worker.ip).join();
    default:
      return '';
  }
}

/** As FormatMap of pkg/fieldpath/fieldpath.go. */
function linesOf(map: { readonly [key: string]: string } = {}): string {
  const keys = Object.keys(map).toSorted();
  return keys.map((key) => `${key}=${goQuote(map[key] ?? '')}`).join('\n');
}

/**
 * What a container asks for or may use, in units of the divisor, rounded up; what it has no limit of is what the node has. Mirrors
 * ExtractContainerResourceValue of pkg/api/v1/resource/helpers.go.
 */
export function resourceValue(worker: PodWorker, run: Pick<ContainerRun, 'name'>, selector: ResourceFieldSelector, env: KubeletEnvironment): string {
  const { resource = '', containerName, divisor } = selector;
  const name = containerName || run.name;
  const spec = worker.pod.spec;
  const container = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].find((one) => one.name === name);
  const dot = resource.indexOf('.');
  const [side, what] = [resource.slice(0, dot), resource.slice(dot + 1)];
  const own = getOwn(side === 'limits' ? container?.resources?.limits : container?.resources?.requests, what);
  const text = own ?? (side === 'limits' ? getOwn(env.machine.capacity, what) : undefined) ?? '0';
  const unit = divisor === undefined || divisor === '0' || divisor === '' ? '1' : divisor;
  return String(what === 'cpu' ? Math.ceil(milliAmount(text) / milliAmount(unit)) : Math.ceil(unitAmount(text) / unitAmount(unit)));
}
