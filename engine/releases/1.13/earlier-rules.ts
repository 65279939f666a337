/** What release 1.13 refused and nobody refuses now, by resource. Mirrors its pkg/apis (validation). */
import { type FieldPath, invalid, notSupported, notSupportedOf, required, root } from '../../apimachinery/field-errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { parseQuantity, quantityValue } from '../../apimachinery/quantity.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../apimachinery/validation.ts';
import { getOwn } from '../../base/dictionary.ts';
import { isObject, type JsonValue } from '../../base/json.ts';
import type { StrategyContext } from '../../contracts/kind.ts';
import type { EarlierFault } from '../../contracts/release-faults.ts';
import { rollbackAnnotation } from '../../contracts/rollback.ts';
import { driverFaults, driverForm } from './refusals/unjudged.ts';
import { podsOfTemplates } from './template-pods.ts';

interface Amounts {
  readonly [resource: string]: string;
}

/** What is looked at of each kind. */
interface PodSpec {
  readonly containers?: readonly { readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts } }[];
  readonly dnsConfig?: { readonly searches?: readonly string[] };
  readonly securityContext?: { readonly sysctls?: readonly { readonly name?: string }[] };
  readonly volumes?: readonly { readonly gcePersistentDisk?: { readonly readOnly?: boolean } | null }[];
}

interface ServicePort {
  readonly protocol?: string;
  readonly port: number;
  readonly nodePort?: number;
}

type Service = KubeObject & {
  readonly spec?: { readonly ports?: readonly ServicePort[]; readonly type?: string; readonly externalName?: string };
};

type Node = KubeObject & { readonly status?: { readonly capacity?: Amounts; readonly allocatable?: Amounts } };

type Ingress = KubeObject & {
  readonly spec?: { readonly rules?: readonly { readonly http?: { readonly paths?: readonly { readonly path?: string }[] } | null }[] | null };
};

interface SecretPlace {
  readonly name?: string;
  readonly namespace?: string;
}

type PersistentVolumeClaim = KubeObject & { readonly spec?: { readonly dataSource?: { readonly apiGroup?: string | null; readonly kind?: string } } };
type PersistentVolume = KubeObject & {
  readonly spec?: {
    readonly csi?: ({ readonly driver?: string } & { readonly [member in (typeof driverSecrets)[number]]?: SecretPlace | null }) | null;
  } & { readonly [source in (typeof sources)[number]]?: JsonValue };
};

/** Of a volume, all but that of drivers. */
const sources = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'hostPath',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'flocker',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
] as const;

type Rule = (object: KubeObject, context: Pick<StrategyContext, 'featureEnabled'>) => readonly EarlierFault[];

const specPath = root('spec');
/** Of a volume. */
const behindSources = /^spec\.(?:storageClassName|volumeMode)$/;
const behindDriver = /^spec\.(?:csi\.(?!driver$)|storageClassName$|volumeMode$)/;
const behindName = /^spec\.(?:csi\.controllerPublishSecretRef\.namespace|storageClassName|volumeMode)$/;
const kubeletPort = 10250;
/** All but that there are none. */
const behindPorts = /^spec\.(?!ports$)/;
const behindType = /^spec\.(?:[Ll]oadBalancer|externalTraffic|healthCheck)|\.nodePort$|^metadata\.annotations\[/;

/** Balancers carried one protocol, and not to the kubelet. */
function serviceFaults(object: KubeObject, context: Pick<StrategyContext, 'featureEnabled'>): readonly EarlierFault[] {
  const { ports = [], type, externalName = '' } = (object as Service).spec ?? {};
  if (type === 'ExternalName' && externalName.endsWith('.') && isDNS1123Subdomain(externalName.slice(0, -1)).length === 0)
    return isDNS1123Subdomain(externalName).map((fault) => ({
      fault: invalid(specPath.child('externalName'), externalName, fault),
      before: behindPorts,
    }));
  if (type !== 'LoadBalancer') return [];
  const place = specPath.child('ports');
  const exposed = ports.flatMap(({ port }, index) =>
    port === kubeletPort ? [invalid(place.index(index), port, `may not expose port ${port} externally since it is used by kubelet`)] : [],
  );
  const [carried, refused] = [new Set<string>(), [] as EarlierFault[]];
  for (const [index, { protocol = '' }] of ports.entries()) {
    const at = place.index(index).child('protocol');
    if (protocol === 'SCTP' && !context.featureEnabled('SCTPSupport'))
      refused.push({ fault: notSupported(at, protocol, ['TCP', 'UDP']), before: behindType });
    else if (['TCP', 'UDP', 'SCTP'].includes(protocol)) carried.add(protocol);
    else refused.push({ fault: invalid(at, protocol, 'cannot create an external load balancer with non-TCP/UDP/SCTP ports'), before: behindType });
  }
  // It was judged before the ports of its machines were drawn.
  const asSent = ports.map(({ nodePort: _drawn, ...port }) => port);
  if (carried.size > 1)
    refused.push({ fault: invalid(place, asSent, 'cannot create an external load balancer with mix protocols'), before: behindType });
  return [...exposed.map((fault) => ({ fault, before: behindPorts })), ...refused];
}

const hugePages = /^hugepages-/;

/** A machine had huge pages of one size. */
function nodeFaults(object: KubeObject): readonly EarlierFault[] {
  const { status } = object as Node;
  return (['capacity', 'allocatable'] as const).flatMap((side) => {
    const sizes = Object.entries(status?.[side] ?? {})
      .filter(([name, amount]) => hugePages.test(name) && quantityValue(parseQuantity(amount)) > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const text = 'may not have pre-allocated hugepages for multiple page sizes';
    return sizes.slice(1).map(([name, amount]) => ({ fault: invalid(root('status', side, name), amount, text), before: /^spec\.podCIDR/ }));
  });
}

/** And so had a pod. */
function podFaults(object: KubeObject): readonly EarlierFault[] {
  const { spec } = object as KubeObject & { readonly spec?: PodSpec };
  const asked = (spec?.containers ?? []).flatMap(({ resources }) => Object.keys({ ...resources?.requests, ...resources?.limits }));
  const sizes = [...new Set(asked.filter((name) => hugePages.test(name)))].sort();
  const faults = [...searchFaults(spec, specPath), ...sysctlFaults(spec, specPath)];
  return sizes.length < 2 ? faults : [...faults, { fault: invalid(specPath, sizes, 'must use a single hugepage size in a pod spec') }];
}

const searchesMost = 6;
const searchTextMax = 256;

function searchFaults(spec: Pick<PodSpec, 'dnsConfig'> | undefined, path: FieldPath): readonly EarlierFault[] {
  const searches = spec?.dnsConfig?.searches ?? [];
  const at = path.child('dnsConfig', 'searches');
  const texts = [
    ...(searches.length > searchesMost ? [`must not have more than ${searchesMost} search paths`] : []),
    ...(searches.join(' ').length > searchTextMax
      ? [`must not have more than ${searchTextMax} characters (including spaces) in the search list`]
      : []),
  ];
  return texts.map((text) => ({ fault: invalid(at, searches, text), before: /dnsConfig\.(?:searches\[|options)/ }));
}

/** Settings of the kernel whose names are parted by slashes: their names were parted by points. */
function sysctlFaults(spec: Pick<PodSpec, 'securityContext'> | undefined, path: FieldPath): readonly EarlierFault[] {
  const sysctls = spec?.securityContext?.sysctls ?? [];
  const at = path.child('securityContext', 'sysctls');
  return sysctls.flatMap(({ name = '' }, index) => {
    if (!pathOfSetting.test(name)) return [];
    const later = sysctls.flatMap((_, other) => (other > index ? [String(other)] : [])).join('|') || '-';
    const before = new RegExp(`securityContext\\.sysctls\\[(?:${later})\\]|\\.${behindContext}`);
    return [{ fault: invalid(at.index(index).child('name'), name, sysctlForm), before }];
  });
}

const pathOfSetting = /^(?=.{1,253}$)(?=.*\/)(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const sysctlForm = String.raw`must have at most 253 characters and match regex ([a-z0-9]([-_a-z0-9]*[a-z0-9])?\.)*[a-z0-9]([-_a-z0-9]*[a-z0-9])?`;
/** What of a pod is judged after whom it runs as. */
const behindContext =
  '(?:imagePullSecrets|affinity|dnsConfig|readinessGates|serviceAccountName|nodeName|activeDeadlineSeconds|hostname|subdomain|tolerations|hostAliases|priorityClassName|runtimeClassName)\\b';

/** A disk of this cloud that is written to is on one machine; DaemonSets have as many pods as machines. */
function diskFaults(object: KubeObject, path: FieldPath, isAlways: boolean): readonly EarlierFault[] {
  const { spec } = object as KubeObject & { readonly spec?: { readonly replicas?: number; readonly template?: { readonly spec?: PodSpec } } };
  if (!isAlways && (spec?.replicas ?? 0) <= 1) return [];
  const text = 'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only';
  return (spec?.template?.spec?.volumes ?? []).flatMap(({ gcePersistentDisk }, index) =>
    gcePersistentDisk && gcePersistentDisk.readOnly !== true
      ? [
          {
            fault: invalid(path.child('volumes').index(index).child('gcePersistentDisk', 'readOnly'), false, text),
            before: /^spec\.(?!selector|template)/,
          },
        ]
      : [],
  );
}

/** A wish to go back that an older version tells stands in an annotation. */
function rollbackFaults({ metadata: { annotations } }: KubeObject): readonly EarlierFault[] {
  const revision = Number(annotations?.[rollbackAnnotation] ?? 0);
  if (!(revision < 0)) return [];
  return [
    { fault: invalid(specPath.child('rollback', 'version'), revision, 'must be greater than or equal to 0'), before: /^spec\.progressDeadline/ },
  ];
}

function templateFaults(object: KubeObject, path: readonly string[]): readonly EarlierFault[] {
  const spec = path.reduce<JsonValue | undefined>((value, field) => (isObject(value) ? value[field] : undefined), object as unknown as JsonValue);
  const [first = '', ...rest] = path;
  const pod = spec as PodSpec | undefined;
  return [...searchFaults(pod, root(first, ...rest)), ...sysctlFaults(pod, root(first, ...rest))];
}

const templatePath = root('spec', 'template', 'spec');
const ofTemplates: { readonly [resource: string]: Rule } = Object.fromEntries(
  // The pods of a StatefulSet were judged when they were made.
  Object.entries(podsOfTemplates)
    .filter(([resource]) => resource !== 'statefulsets.apps')
    .map(([resource, path]) => [resource, (object: KubeObject) => templateFaults(object, path)]),
);

/** Paths were expressions, as POSIX has them: what escapes a letter or digit is none. */
function ingressFaults(object: KubeObject): readonly EarlierFault[] {
  const { rules = [] } = (object as Ingress).spec ?? {};
  return (rules ?? []).flatMap(({ http }, index) =>
    (http?.paths ?? []).flatMap(({ path = '' }, number) => {
      const at = specPath.child('rules').index(index).child('http').child('paths').index(number);
      const before = new RegExp(`^spec\\.rules\\[${index}\\]\\.http\\.paths\\[${number}\\]\\.(?!path$)`);
      return isExpression(path) ? [] : [{ fault: invalid(at.child('path'), path, 'must be a valid regex'), before }];
    }),
  );
}

function isExpression(text: string): boolean {
  if (/\\[a-zA-Z0-9]/.test(text)) return false;
  try {
    return new RegExp(text) instanceof RegExp;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

type Policy = KubeObject & { readonly spec?: { readonly policyTypes?: readonly string[] } };
const typesOfPolicies = ['Ingress', 'Egress'];

/** Each type was refused as often as there is a wrong one among them; a wrong one is told once now. */
function policyFaults(object: KubeObject): readonly EarlierFault[] {
  const { policyTypes: types = [] } = (object as Policy).spec ?? {};
  const isWrong = (type: string): boolean => !typesOfPolicies.includes(type);
  const wrong = types.filter(isWrong).length;
  if (types.length > typesOfPolicies.length) return [];
  return types.flatMap((type, index) => {
    const fault = notSupportedOf(specPath.child('policyTypes').index(index), type, typesOfPolicies);
    const told = { fault, before: new RegExp(`^spec\\.policyTypes\\[${index + 1}\\]`) };
    return Array.from({ length: isWrong(type) ? wrong - 1 : wrong }, () => told);
  });
}

const driverSecrets = ['controllerPublishSecretRef', 'nodePublishSecretRef', 'nodeStageSecretRef'] as const;

/** Secrets of drivers were named as labels are, and refused as if the driver's source were named so; one path ended with a space. */
function volumeFaults(object: KubeObject): readonly EarlierFault[] {
  const { csi, ...others } = (object as PersistentVolume).spec ?? {};
  // Beside another source it is not looked at.
  if (!csi || sources.some((source) => others[source])) return [];
  const path = specPath.child('csi');
  const { driver = '' } = csi;
  const ofDriver = isOddDriver(driver) ? [{ fault: invalid(path.child('driver'), driver, driverForm), before: behindDriver }] : [];
  return [...ofDriver, ...driverSecrets.flatMap((member) => secretFaults(csi[member], member, path))];
}

/** Whose form nobody finds fault with today. */
function isOddDriver(name: string): boolean {
  return name === '' || (driverFaults(name).length > 0 && isDNS1123Subdomain(name.toLowerCase()).length === 0);
}

function secretFaults(ref: SecretPlace | null | undefined, member: (typeof driverSecrets)[number], path: FieldPath): readonly EarlierFault[] {
  if (!ref) return [];
  // What is missing of the first is found now, too.
  const [name, namespace] = (['name', 'namespace'] as const).map((part) => {
    const value = ref[part] ?? '';
    if (value !== '') return isDNS1123Label(value).map((fault) => invalid(path.child(part), value, fault));
    return member === 'controllerPublishSecretRef' ? [] : [required(path.child(member === 'nodePublishSecretRef' ? `${member} ` : member, part))];
  });
  return [
    ...(name ?? []).map((fault) => ({ fault, before: member === 'controllerPublishSecretRef' ? behindName : behindSources })),
    ...(namespace ?? []).map((fault) => ({ fault, before: behindSources })),
  ];
}

/** With its gate on, a claim was filled from snapshots alone. */
function claimFaults(object: KubeObject, context: Pick<StrategyContext, 'featureEnabled'>): readonly EarlierFault[] {
  const { dataSource } = (object as PersistentVolumeClaim).spec ?? {};
  if (dataSource === undefined || !context.featureEnabled('VolumeSnapshotDataSource')) return [];
  const { apiGroup, kind = '' } = dataSource;
  const given = apiGroup ? `${kind}.${apiGroup}` : kind;
  return given === snapshots ? [] : [{ fault: notSupported(specPath.child('dataSource'), given, [snapshots]) }];
}

const snapshots = 'VolumeSnapshot.snapshot.storage.k8s.io';

const own: { readonly [resource: string]: Rule } = {
  'daemonsets.apps': (object) => diskFaults(object, templatePath, true),
  'deployments.apps': (object) => [...diskFaults(object, templatePath, false), ...rollbackFaults(object)],
  'ingresses.networking.k8s.io': ingressFaults,
  'networkpolicies.networking.k8s.io': policyFaults,
  nodes: nodeFaults,
  persistentvolumeclaims: claimFaults,
  persistentvolumes: volumeFaults,
  pods: podFaults,
  'replicasets.apps': (object) => diskFaults(object, templatePath, false),
  replicationcontrollers: (object) => diskFaults(object, templatePath, false),
  services: serviceFaults,
};

/** By resource of storage. */
export const earlierRules: { readonly [resource: string]: Rule } = Object.fromEntries(
  [...new Set([...Object.keys(ofTemplates), ...Object.keys(own)])].map((resource): [string, Rule] => {
    const rules = [getOwn(ofTemplates, resource), getOwn(own, resource)].filter((rule) => rule !== undefined);
    return [resource, (object, context) => rules.flatMap((rule) => rule(object, context))];
  }),
);
