/** How the situations are said to a release: where its resources are served, and what its versions and labels are called. */
import { apiPath, clusterResources, namespacedResources, present, type Places } from './resources.ts';

/** A step asks for what the release does not have; `lacking` says what. */
export class Inexpressible extends Error {}

type Fields = { readonly [field: string]: unknown };

export class Dialect {
  /** As `--emulate` has it. */
  readonly release: string;
  /** As `--release` and the folder of its facts have it. */
  readonly name: string;
  /** Feature gates that are on beside those of the release. */
  readonly gates: readonly string[];
  /** What the API server serves beside what it does by itself: `group/version`. */
  readonly added: readonly string[];
  readonly namespacedResources: readonly string[];
  readonly clusterResources: readonly string[];
  /** A node lives as long as it renews a lease; else as long as it says how it is. */
  readonly leases: boolean;
  /** Tokens of service accounts are Secrets, and pods carry them as volumes. */
  readonly tokenSecrets: boolean;
  /** An APIService names the port of its service: metrics are served by the test. */
  readonly hasMetrics: boolean;
  readonly #places: Places;
  /** Kind → apiVersion, where it is another than today's. */
  readonly #versions: Fields;
  readonly #words: readonly (readonly [string, string])[];

  constructor(
    release: string,
    given: {
      readonly name?: string;
      readonly gates?: readonly string[];
      readonly added?: readonly string[];
      readonly places?: Places;
      /** Namespaced ones, whose objects are facts too. */
      readonly moreResources?: readonly string[];
      readonly versions?: Fields;
      readonly words?: readonly (readonly [string, string])[];
      readonly leases?: boolean;
      readonly tokenSecrets?: boolean;
      readonly hasMetrics?: boolean;
    } = {},
  ) {
    this.release = release;
    this.name = given.name ?? release;
    this.gates = given.gates ?? [];
    this.added = given.added ?? [];
    this.#places = { ...present, ...given.places };
    this.#versions = given.versions ?? {};
    this.#words = given.words ?? [];
    this.leases = given.leases ?? true;
    this.tokenSecrets = given.tokenSecrets ?? false;
    this.hasMetrics = given.hasMetrics ?? true;
    const isServed = (resource: string): boolean => this.#places[resource] !== undefined;
    this.namespacedResources = [...namespacedResources, ...(given.moreResources ?? [])].filter(isServed);
    this.clusterResources = clusterResources.filter(isServed);
  }

  /** Of the controllers and, with `isServer`, of the API server: flags without dashes. */
  options(isServer = true): Readonly<Record<string, string>> {
    const list = (names: readonly string[]): string => names.map((name) => `${name}=true`).join(',');
    return {
      ...(this.gates.length === 0 ? {} : { 'feature-gates': list(this.gates) }),
      ...(this.added.length === 0 || !isServer ? {} : { 'runtime-config': list(this.added) }),
    };
  }

  serves(resource: string): boolean {
    return this.#places[resource] !== undefined;
  }

  /** Throws `Inexpressible` for what is not served. */
  path(resource: string, namespace: string, ...rest: readonly string[]): string {
    const version = this.#places[resource];
    if (version === undefined) throw new Inexpressible(`${resource} are not served`);
    return apiPath(version, resource, namespace, ...rest);
  }

  /** An object of a step in the versions and words of the release. */
  said<T>(body: T): T {
    if (this.#words.length === 0) return body;
    const text = this.#words.reduce((said, [now, then]) => said.replaceAll(now, then), JSON.stringify(body));
    return this.#versioned(JSON.parse(text)) as T;
  }

  #versioned(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#versioned(item));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([name, field]) => [name, this.#versioned(field)]));
    const version = this.#versions[String(fields['kind'])];
    return version === undefined || fields['apiVersion'] === undefined ? fields : { ...fields, apiVersion: version };
  }

  /** What was sent and is not in the answer: fields that the release drops. Values may be written otherwise. */
  lacking(sent: unknown, answered: unknown, at = ''): string | undefined {
    if (sent === null || sent === undefined || at === '.status' || at === '.stringData' || isNothing(sent)) return undefined;
    if (answered === undefined || answered === null) return at;
    if (Array.isArray(sent)) {
      const there = Array.isArray(answered) ? answered : [];
      return sent.map((item, index) => this.lacking(item, there[index], `${at}[${index}]`)).find((found) => found !== undefined);
    }
    if (typeof sent !== 'object') return undefined;
    const there = answered as Fields;
    const found = Object.entries(sent).map(([name, field]) => this.lacking(field, there[name], `${at}.${name}`));
    return found.find((one) => one !== undefined);
  }
}

function isNothing(value: unknown): boolean {
  return (
    value === 0 || value === '' || value === false || (typeof value === 'object' && Object.values(value as object).every((field) => field === null))
  );
}

const gone = [
  'endpointslices',
  'resourceclaims',
  'resourceclaimtemplates',
  'resourceslices',
  'deviceclasses',
  'csinodes',
  'csidrivers',
  'volumeattributesclasses',
  'servicecidrs',
  'ipaddresses',
];

const schedulingVersion = 'scheduling.k8s.io/v1alpha2';

export const presentRelease = '1.36';
/** The present release with all gates that are about groups of pods. */
export const groupsDialect = 'groups';

export const dialects: Readonly<Record<string, Dialect>> = {
  [presentRelease]: new Dialect(presentRelease),
  [groupsDialect]: new Dialect(presentRelease, {
    name: groupsDialect,
    gates: [
      'GenericWorkload',
      'GangScheduling',
      'WorkloadWithJob',
      'DRAWorkloadResourceClaims',
      'TopologyAwareWorkloadScheduling',
      'WorkloadAwarePreemption',
    ],
    added: [schedulingVersion],
    places: { workloads: schedulingVersion, podgroups: schedulingVersion },
    moreResources: ['workloads', 'podgroups'],
  }),
  '1.13': new Dialect('1.13', {
    places: {
      ...Object.fromEntries([...gone, 'validatingadmissionpolicies', 'leases'].map((resource) => [resource, undefined])),
      cronjobs: 'batch/v1beta1',
      horizontalpodautoscalers: 'autoscaling/v2beta2',
      poddisruptionbudgets: 'policy/v1beta1',
      certificatesigningrequests: 'certificates.k8s.io/v1beta1',
      priorityclasses: 'scheduling.k8s.io/v1beta1',
    },
    versions: {
      CronJob: 'batch/v1beta1',
      HorizontalPodAutoscaler: 'autoscaling/v2beta2',
      PodDisruptionBudget: 'policy/v1beta1',
      Eviction: 'policy/v1beta1',
      CertificateSigningRequest: 'certificates.k8s.io/v1beta1',
      PriorityClass: 'scheduling.k8s.io/v1beta1',
    },
    words: [
      ['topology.kubernetes.io/zone', 'failure-domain.beta.kubernetes.io/zone'],
      ['topology.kubernetes.io/region', 'failure-domain.beta.kubernetes.io/region'],
    ],
    leases: false,
    tokenSecrets: true,
    hasMetrics: false,
  }),
};

export function mustGetDialect(release: string): Dialect {
  const dialect = dialects[release];
  if (dialect === undefined) throw new Error(`situations are not said to release ${release}; there are ${Object.keys(dialects).join(', ')}`);
  return dialect;
}
