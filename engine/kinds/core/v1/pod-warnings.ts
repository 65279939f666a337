/** What users of pods and templates are warned of. Mirrors warningsForPodSpecAndMeta of pkg/api/pod/warnings.go and the strategies of workloads. */
import { getOwn } from '../../../base/dictionary.ts';
import { semanticEqual } from '../../../apimachinery/semantic-equal.ts';
import type { AppArmorProfile, Container, Pod, PodSpec, PodTemplateSpec } from '../../../api/core/v1/types.gen.ts';
import { type FieldPath, FieldPath as Path, root } from '../../../apimachinery/field-errors.ts';
import { formatIP, parseIP } from '../../../apimachinery/ip.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { isDNS1123Label } from '../../../apimachinery/validation.ts';
import { eachContainer } from './containers.ts';
import { deprecationOf, warnOfTerm } from './node-label-warnings.ts';
import { appArmorContainer, seccompContainer, seccompPod } from './pod-annotation-validation.ts';
import { warnOfFraction, warnOfVolumes } from './volume-warnings.ts';
import { WarningList } from './warning-list.ts';

const annotationTexts = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const;
const appArmorText = 'deprecated since v1.30; use the "appArmorProfile" field instead';

/** Of a new pod; changes of pods are not looked at. */
export function podWarnings(pod: Pod, old: Pod | undefined): readonly string[] {
  if (old !== undefined) return [];
  const out = new WarningList();
  const annotations = pod.metadata.annotations;
  if (annotations !== undefined && pod.spec !== undefined && pod.spec.os?.name !== 'windows')
    eachContainer(pod.spec, root('spec'), ({ name }) => {
      if (getOwn(annotations, appArmorContainer + name) !== undefined)
        out.add(
          `${root('metadata', 'annotations')
            .key(appArmorContainer + name)
            .toString()}: ${appArmorText}`,
        );
    });
  warnOfName(pod.metadata.name, "this is used in the Pod's hostname", out);
  warnOfPod(pod.spec ?? noSpec, annotations, undefined, out);
  return out.texts;
}

/** Names of what makes pods become part of their names. */
export function warnOfName(name: string | undefined, what: string, out: WarningList): void {
  const faults = isDNS1123Label(name ?? '');
  if (faults.length === 0) return;
  out.add(`metadata.name: ${what}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`);
}

export const inPodNames = 'this is used in Pod names and hostnames';
const noSpec: PodSpec = Object.freeze({ containers: [] });

export function warnOfTemplate(template: PodTemplateSpec | undefined | null, path: FieldPath, out: WarningList): void {
  warnOfPod(template?.spec ?? noSpec, template?.metadata?.annotations, path, out);
}

type Annotations = Pod['metadata']['annotations'];

function warnOfPod(spec: PodSpec, annotations: Annotations, template: FieldPath | undefined, out: WarningList): void {
  const path = new Path(template, 'spec');
  const annotationsAt = new Path(template, 'metadata').child('annotations');
  warnOfPlacement(spec, path, out);
  for (const [key, text] of annotationTexts) if (getOwn(annotations, key) !== undefined) out.add(`${annotationsAt.key(key).toString()}: ${text}`);
  if (spec.volumes) warnOfVolumes(spec.volumes, path.child('volumes'), out);
  warnOfLists(spec, path, out);
  for (const name of ['memory', 'ephemeral-storage']) warnOfFraction(spec.overhead, name, path.child('overhead'), out);
  if (annotations !== undefined) warnOfProfiles(spec, annotations, template !== undefined, annotationsAt, out);
  eachContainer(spec, path, (container, at) => warnOfContainer(container, at, out));
  warnOfPorts(spec, path, out);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    out.add(`${path.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`);
  warnOfTerms(spec, path.child('affinity'), out);
  for (const [index, ip] of (spec.dnsConfig?.nameservers ?? []).entries()) warnOfIP(ip, path.child('dnsConfig', 'nameservers').index(index), out);
  for (const [index, { ip = '' }] of (spec.hostAliases ?? []).entries()) warnOfIP(ip, path.child('hostAliases').index(index).child('ip'), out);
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution';

function warnOfPlacement({ nodeSelector = {}, affinity, topologySpreadConstraints = [] }: PodSpec, path: FieldPath, out: WarningList): void {
  for (const key of Object.keys(nodeSelector)) {
    const text = deprecationOf(key);
    if (text !== undefined) out.add(`${path.child('nodeSelector').key(key).toString()}: ${text}`);
  }
  const node = path.child('affinity', 'nodeAffinity');
  for (const [index, term] of (affinity?.nodeAffinity?.[requiredTerms]?.nodeSelectorTerms ?? []).entries())
    warnOfTerm(term, false, node.child(requiredTerms, 'nodeSelectorTerms').index(index), out);
  for (const [index, { preference }] of (affinity?.nodeAffinity?.[preferredTerms] ?? []).entries())
    warnOfTerm(preference ?? {}, true, node.child(preferredTerms).index(index).child('preference'), out);
  for (const [index, { topologyKey = '', labelSelector }] of topologySpreadConstraints.entries()) {
    const at = path.child('topologySpreadConstraints').index(index);
    const text = deprecationOf(topologyKey);
    if (text !== undefined) out.add(`${at.child('topologyKey').toString()}: ${topologyKey} is ${text}`);
    if (!labelSelector) out.add(nullSelector(at));
  }
}

function nullSelector(path: FieldPath): string {
  return `${path.child('labelSelector').toString()}: a null labelSelector results in matching no pod`;
}

function warnOfLists({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: FieldPath, out: WarningList): void {
  const ips = new Set<string>();
  for (const [index, { ip = '' }] of hostAliases.entries()) {
    if (ips.has(ip)) out.add(`${path.child('hostAliases').index(index).child('ip').toString()}: duplicate ip ${goQuote(ip)}`);
    ips.add(ip);
  }
  const names = new Set<string>();
  for (const [index, { name = '' }] of imagePullSecrets.entries()) {
    if (names.has(name)) out.add(`${path.child('imagePullSecrets').index(index).child('name').toString()}: duplicate name ${goQuote(name)}`);
    names.add(name);
  }
  for (const [index, { name = '' }] of imagePullSecrets.entries())
    if (name === '') out.add(`${path.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`);
}

/** Annotations of old that fields have replaced. */
function warnOfProfiles(spec: PodSpec, annotations: NonNullable<Annotations>, isTemplate: boolean, path: FieldPath, out: WarningList): void {
  const seccomp = (key: string): void => {
    if (getOwn(annotations, key) !== undefined)
      out.add(`${path.key(key).toString()}: non-functional in v1.27+; use the "seccompProfile" field instead`);
  };
  if (!spec.securityContext?.seccompProfile) seccomp(seccompPod);
  eachContainer(spec, path, ({ name, securityContext }) => {
    if (!securityContext?.seccompProfile) seccomp(seccompContainer + name);
    const text = getOwn(annotations, appArmorContainer + name);
    if (!isTemplate || text === undefined || securityContext?.appArmorProfile) return;
    const profile = spec.securityContext?.appArmorProfile;
    if (profile === undefined || !semanticEqual(profile, appArmorOf(text)))
      out.add(`${path.key(appArmorContainer + name).toString()}: ${appArmorText}`);
  });
}

/** The field that an annotation of AppArmor means; undefined where it means none. */
export function appArmorOf(text: string): AppArmorProfile | undefined {
  if (text === 'unconfined') return { type: 'Unconfined' };
  if (text === 'runtime/default') return { type: 'RuntimeDefault' };
  const file = text.startsWith('localhost/') ? text.slice('localhost/'.length) : '';
  return file === '' ? undefined : { type: 'Localhost', localhostProfile: file };
}

function warnOfContainer({ resources, env = [] }: Pick<Container, 'resources' | 'env'>, at: () => FieldPath, out: WarningList): void {
  if (resources)
    for (const name of ['memory', 'ephemeral-storage'])
      for (const list of ['limits', 'requests'] as const) warnOfFraction(resources[list], name, at().child('resources', list), out);
  const names = new Set<string>();
  for (const [index, { name, value = '', valueFrom }] of env.entries()) {
    const reference = `$(${name})`;
    if (names.has(name) && (valueFrom || value === reference || !value.includes(reference)))
      out.add(`${at().child('env').index(index).toString()}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`);
    names.add(name);
  }
}

interface Port {
  readonly at: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

/** With no more than these of the same number a port is compared. */
const mostOthers = 64;

function warnOfPorts(spec: PodSpec, path: FieldPath, out: WarningList): void {
  const byNumber = new Map<string, Port[]>();
  eachContainer(spec, path, ({ ports = [] }, place) => {
    for (const [index, { name = '', containerPort = 0, protocol = '', hostIP = '', hostPort = 0 }] of ports.entries()) {
      if (out.isFull) return;
      const at = place().child('ports').index(index).toString();
      const port: Port = { at, hostIP, hostPort };
      if (hostIP !== '' && hostPort === 0)
        out.add(`${at}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`);
      const others = byNumber.get(`${containerPort}/${protocol}`) ?? [];
      for (const other of others.slice(0, mostOthers)) {
        const what = overlapOf(port, other);
        if (what !== undefined) out.add(`${at}: ${what} port definition with ${other.at}`);
      }
      others.push(port);
      byNumber.set(`${containerPort}/${protocol}`, others);
    }
  });
  const byName = new Map<string, string>();
  eachContainer(spec, path, ({ ports = [] }, place) => {
    for (const [index, { name = '' }] of ports.entries()) {
      if (name === '') continue;
      const at = place().child('ports').index(index).toString();
      const other = byName.get(name);
      if (other === undefined) byName.set(name, at);
      else out.add(`${at}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`);
    }
  });
}

function overlapOf(one: Port, other: Port): string | undefined {
  if (one.hostIP === other.hostIP && one.hostPort === other.hostPort) return 'duplicate';
  if (one.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  const isAmbiguous = one.hostPort === other.hostPort && (one.hostIP === '') !== (other.hostIP === '');
  return isAmbiguous ? 'dangerously ambiguous' : undefined;
}

function warnOfTerms({ affinity }: PodSpec, path: FieldPath, out: WarningList): void {
  for (const side of ['podAffinity', 'podAntiAffinity'] as const) {
    for (const [index, { labelSelector }] of (affinity?.[side]?.[requiredTerms] ?? []).entries())
      if (!labelSelector) out.add(nullSelector(path.child(side, requiredTerms).index(index)));
    for (const [index, { podAffinityTerm }] of (affinity?.[side]?.[preferredTerms] ?? []).entries())
      if (!podAffinityTerm?.labelSelector) out.add(nullSelector(path.child(side, preferredTerms).index(index).child('podAffinityTerm')));
  }
}

/** Addresses are understood in other spellings too. */
function warnOfIP(text: string, path: FieldPath, out: WarningList): void {
  const ip = parseIP(text);
  if (ip === undefined) return;
  const usual = formatIP(ip.bytes);
  if (ip.leadingZeros || ip.mapped) out.add(`${path.toString()}: non-standard IP address ${goQuote(text)} is invalid: use ${goQuote(usual)}`);
  else if (usual !== text) out.add(`${path.toString()}: IPv6 address ${goQuote(text)} should be in RFC 5952 canonical format (${goQuote(usual)})`);
}
