/** What of its kinds release 1.13 printed and listed otherwise. Mirrors its pkg/printers/internalversion. */
import { withoutClaimKinds } from '../../apimachinery/claim-templates.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { inOneUnit } from '../../apimachinery/time.ts';
import { goQuote } from '../../apimachinery/quote.ts';
import { getOwn } from '../../base/dictionary.ts';
import type { JsonValue } from '../../base/json.ts';
import type { Release, ReleaseColumn } from '../../contracts/release.ts';
import type { GatedFields } from '../../apimachinery/gated-fields.ts';
import { withMeasures } from './autoscaler-measures.ts';
import { misreadDaemonSet, misreadDeployment, misreadFirstDaemonSet } from './half-updates.ts';
import { misreadNotes } from './autoscaler-notes.ts';
import { earlierRules } from './earlier-rules.ts';
import { podsOfTemplates } from './template-pods.ts';
import { templatePorts } from './template-ports.ts';
import { updateChecks } from './update-checks.ts';

const named = (...names: readonly string[]): readonly ReleaseColumn[] => names.map((name) => ({ name }));

const deploymentColumns: readonly ReleaseColumn[] = [
  ...named('Name', 'Ready'),
  { name: 'Up-to-date', description: 'Total number of non-terminated pods targeted by this deployment that have the desired template spec.' },
  { name: 'Available', description: 'Total number of available pods (ready for at least minReadySeconds) targeted by this deployment.' },
  ...named('Age', 'Containers', 'Images', 'Selector'),
];

const ofReplicationControllers = 'https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller/#what-is-a-replicationcontroller';
const replicaSetColumns: readonly ReleaseColumn[] = [
  { name: 'Name' },
  {
    name: 'Desired',
    description: `Replicas is the number of desired replicas. This is a pointer to distinguish between explicit zero and unspecified. Defaults to 1. More info: ${ofReplicationControllers}`,
  },
  { name: 'Current', description: `Replicas is the most recently oberved number of replicas. More info: ${ofReplicationControllers}` },
  { name: 'Ready', description: 'The number of ready replicas for this replica set.' },
  ...named('Age', 'Containers', 'Images', 'Selector'),
];

/** Bytes of a ConfigMap were not counted beside its texts. */
function textsOf(_cell: JsonValue, object: KubeObject): JsonValue {
  const { data } = object as KubeObject & { readonly data?: object };
  return Object.keys(data ?? {}).length;
}

/** Versions that left dependents alone. */
const betas: readonly string[] = ['v1beta1', 'v1beta2', 'v2alpha1'];

/** A pod that goes is terminating, whether it has ended or not. */
function statusOfPod(cell: JsonValue, object: KubeObject): JsonValue {
  if (object.metadata.deletionTimestamp === undefined) return cell;
  const { reason } = (object as KubeObject & { readonly status?: { readonly reason?: string } }).status ?? {};
  return reason === 'NodeLost' ? 'Unknown' : 'Terminating';
}

/** `cpu: 10%/50%` was `10%/50%`. */
function unnamedTargets(cell: JsonValue): JsonValue {
  return typeof cell === 'string' ? cell.replace(/(^|, )[a-z][^\s,]*: /g, '$1') : cell;
}

type Autoscaler = KubeObject & { readonly spec?: { readonly minReplicas?: number; readonly metrics?: readonly object[] } };

/** The last version had no defaults of its own: they came with what was read of the stored one. */
function leavesDefaultsOfScaling(object: KubeObject, version: string): boolean {
  const { minReplicas, metrics = [] } = (object as Autoscaler).spec ?? {};
  return version === 'v2beta2' && (minReplicas === undefined || metrics.length === 0);
}

type Service = KubeObject & { readonly spec?: { readonly type?: string; readonly externalTrafficPolicy?: string } };

/** Addresses from outside alone did not bring one. */
function trafficPolicyByType(object: KubeObject): KubeObject {
  const { spec } = object as Service;
  if (spec?.externalTrafficPolicy || (spec?.type !== 'NodePort' && spec?.type !== 'LoadBalancer')) return object;
  return { ...object, spec: { ...spec, externalTrafficPolicy: 'Cluster' } } as KubeObject;
}

interface PolicyRule {
  readonly ports?: readonly object[];
  readonly from?: readonly object[];
  readonly to?: readonly object[];
}

type Policy = KubeObject & { readonly spec?: { readonly ingress?: readonly PolicyRule[]; readonly egress?: readonly PolicyRule[] } };

/** Go read this version into lists of nothing where storage has none. */
function hasNothingSomewhere(object: KubeObject): boolean {
  const { ingress = [], egress = [] } = (object as Policy).spec ?? {};
  const lists = [ingress, egress, ...[...ingress, ...egress].flatMap(({ ports, from, to }) => [ports ?? [], from ?? to ?? []])];
  return lists.some((list) => list.length === 0);
}

type StrategyOwner = KubeObject & { readonly spec?: { readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: unknown } } };

/** Who names no type of strategy gets one whole: a partition that stood beside it is lost. */
function strategyAnew(object: KubeObject, version: string): KubeObject {
  const { spec } = object as StrategyOwner;
  const strategy = spec?.updateStrategy;
  if (version === 'v1beta1' || !strategy || strategy.type || !strategy.rollingUpdate) return object;
  const { rollingUpdate: _lost, ...rest } = strategy;
  return { ...object, spec: { ...spec, updateStrategy: rest } } as KubeObject;
}

/** Fields of an event in one of its versions. */
interface EventFields {
  readonly last: string;
  readonly first: string;
  readonly source: string;
  readonly count: string;
  readonly kind: string;
}

/** It looked at nothing that came with the newer events: series, and who reports. */
function eventColumns({ last, first, source, count, kind }: EventFields): readonly ReleaseColumn[] {
  const fieldOf = (object: KubeObject, field: string): unknown => (object as unknown as { readonly [name: string]: unknown })[field] ?? undefined;
  const known =
    (field: string) =>
    (cell: JsonValue, object: KubeObject): JsonValue =>
      fieldOf(object, field) === undefined ? '<unknown>' : cell;
  const from = (object: KubeObject): string => {
    const { component = '', host = '' } = (fieldOf(object, source) ?? {}) as { readonly component?: string; readonly host?: string };
    return host === '' ? component : `${component}, ${host}`;
  };
  return [
    { name: 'Last Seen', says: known(last) },
    ...named('Type', 'Reason'),
    { name: 'Kind', path: kind },
    { name: 'Source', says: (_cell, object) => from(object) },
    ...named('Message', 'Subobject'),
    { name: 'First Seen', says: known(first) },
    { name: 'Count', says: (_cell, object) => Number(fieldOf(object, count) ?? 0) },
    { name: 'Name' },
  ];
}

const gatedOfPolicies: readonly GatedFields[] = [
  { gates: ['ProcMountType'], fields: ['spec.allowedProcMountTypes'] },
  { gates: ['RunAsGroup'], fields: ['spec.runAsGroup'] },
];

const ofEachVersion = (...fields: readonly string[]): readonly string[] => fields.map((field) => `spec.versions.*.${field}`);

const gatedOfDefinitions: readonly GatedFields[] = [
  { gates: ['CustomResourceValidation'], fields: ['spec.validation', ...ofEachVersion('schema')], usedBy: [] },
  { gates: ['CustomResourceSubresources'], fields: ['spec.subresources', ...ofEachVersion('subresources')], usedBy: [] },
  { gates: ['CustomResourceWebhookConversion'], fields: ofEachVersion('schema', 'subresources', 'additionalPrinterColumns') },
  // Whoever changes a definition may say how it converts.
  { gates: ['CustomResourceWebhookConversion'], fields: ['spec.conversion.webhookClientConfig'], usedBy: ['spec.conversion'] },
];

const printed: Release['kinds'] = {
  'apiservices.apiregistration.k8s.io': {
    categories: false,
    columns: [...named('Name', 'Service', 'Available'), { name: 'Age', says: (cell) => (typeof cell === 'string' ? inOneUnit(cell) : cell) }],
  },
  'clusterrolebindings.rbac.authorization.k8s.io': { columns: 'none' },
  'clusterroles.rbac.authorization.k8s.io': { columns: 'none' },
  componentstatuses: { columns: 'none' },
  configmaps: { columns: [{ name: 'Name' }, { name: 'Data', says: textsOf }, { name: 'Age' }] },
  'cronjobs.batch': {
    columns: named('Name', 'Schedule', 'Suspend', 'Active', 'Last Schedule', 'Age', 'Containers', 'Images', 'Selector'),
    emptyLabel: {
      label: 'status.successful',
      versions: ['v1beta1', 'v2alpha1'],
      refusal: (label) => `field label ${goQuote(label)} not supported for "CronJob"`,
    },
    orphansIn: betas,
    showsGeneration: false,
  },
  'daemonsets.apps': { orphansIn: betas, misreads: misreadDaemonSet },
  'deployments.apps': { columns: deploymentColumns, orphansIn: betas, misreads: misreadDeployment },
  'replicasets.apps': { columns: replicaSetColumns, orphansIn: betas },
  'statefulsets.apps': {
    emptyLabel: {
      label: 'status.successful',
      versions: betas,
      refusal: (label, groupVersion) => `field label not supported for ${groupVersion.replace('/', '')}.StatefulSet: ${label}`,
    },
    nameValidation: 'dns1123subdomain',
    orphansIn: betas,
    laterDefaults: ['kind', 'apiVersion'].map((field) => ['spec', 'volumeClaimTemplates', '*', field]),
    loses: (object, version) => strategyAnew(withoutClaimKinds(object), version),
  },
  'daemonsets.extensions': { categories: false, orphansIn: betas, misreads: misreadFirstDaemonSet },
  'deployments.extensions': { columns: deploymentColumns, categories: false, orphansIn: betas },
  events: {
    laterLabels: ['reportingComponent'],
    columns: [...eventColumns({ last: 'lastTimestamp', first: 'firstTimestamp', source: 'source', count: 'count', kind: 'involvedObject.kind' })],
  },
  'events.events.k8s.io': {
    columns: [
      ...eventColumns({
        last: 'deprecatedLastTimestamp',
        first: 'deprecatedFirstTimestamp',
        source: 'deprecatedSource',
        count: 'deprecatedCount',
        kind: 'regarding.kind',
      }),
    ],
  },
  'certificatesigningrequests.certificates.k8s.io': { laterLabels: ['spec.signerName'], columns: named('Name', 'Age', 'Requestor', 'Condition') },
  'customresourcedefinitions.apiextensions.k8s.io': { categories: false, versionGates: gatedOfDefinitions },
  'horizontalpodautoscalers.autoscaling': {
    columns: [...named('Name', 'Reference'), { name: 'Targets', says: unnamedTargets }, ...named('MinPods', 'MaxPods', 'Replicas', 'Age')],
    leavesDefaults: leavesDefaultsOfScaling,
    fills: withMeasures,
    misreads: misreadNotes,
  },
  'ingresses.extensions': { columns: named('Name', 'Hosts', 'Address', 'Ports', 'Age') },
  'jobs.batch': {
    columns: named('Name', 'Completions', 'Duration', 'Age', 'Containers', 'Images', 'Selector'),
    showsGeneration: false,
    laterDefaults: [['spec', 'manualSelector']],
    // Templates of Jobs are refused for it.
    gatedFields: [{ gates: ['TTLAfterFinished'], fields: ['spec.ttlSecondsAfterFinished'] }],
  },
  'leases.coordination.k8s.io': {
    columns: [
      { name: 'Name' },
      { name: 'Holder', description: 'holderIdentity contains the identity of the holder of a current lease.' },
      { name: 'Age' },
    ],
  },
  limitranges: { namesItself: true },
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': { columns: 'default', categories: false },
  namespaces: { laterDefaults: [['metadata', 'labels', 'kubernetes.io/metadata.name']], goesOnceGraceIsOver: true },
  'networkpolicies.extensions': { changesByReading: hasNothingSomewhere, listsNothing: true },
  nodes: { judgesStatusThen: true },
  persistentvolumeclaims: { columns: named('Name', 'Status', 'Volume', 'Capacity', 'Access Modes', 'StorageClass', 'Age') },
  persistentvolumes: {
    // Its phase came with the first reading.
    isStoredOtherwise: () => true,
    columns: named('Name', 'Capacity', 'Access Modes', 'Reclaim Policy', 'Status', 'Claim', 'StorageClass', 'Reason', 'Age'),
  },
  pods: {
    laterLabels: ['spec.hostNetwork', 'status.podIPs'],
    bodyVersions: { eviction: 'v1beta1' },
    columns: [
      ...named('Name', 'Ready'),
      { name: 'Status', says: statusOfPod },
      { name: 'Restarts', type: 'integer', description: 'The number of times the containers in this pod have been restarted.' },
      ...named('Age', 'IP', 'Node', 'Nominated Node', 'Readiness Gates'),
    ],
    showsGeneration: false,
    laterSubresources: ['ephemeralcontainers', 'resize'],
  },
  podtemplates: { showsGeneration: false },
  replicationcontrollers: { judgesGenerateName: true },
  'replicasets.extensions': { columns: replicaSetColumns, categories: false, orphansIn: betas },
  'priorityclasses.scheduling.k8s.io': { columns: named('Name', 'Value', 'Global-Default', 'Age') },
  resourcequotas: { columns: 'default' },
  'rolebindings.rbac.authorization.k8s.io': { columns: 'none' },
  'roles.rbac.authorization.k8s.io': { columns: 'none' },
  serviceaccounts: { columns: [{ name: 'Name' }, { name: 'Secrets', path: 'secrets', counts: true }, { name: 'Age' }] },
  'podsecuritypolicies.policy': { returnsDeleted: true, gatedFields: gatedOfPolicies },
  'podsecuritypolicies.extensions': { returnsDeleted: true, gatedFields: gatedOfPolicies },
  services: {
    laterLabels: ['spec.clusterIP', 'spec.type'],
    judgedAsSent: true,
    returnsDeleted: false,
    insideVerbs: ['deletecollection'],
    createsByStatusAlone: true,
    laterDefaults: [['spec', 'externalTrafficPolicy']],
    fills: trafficPolicyByType,
  },
  'storageclasses.storage.k8s.io': { columns: named('Name', 'Provisioner', 'Age') },
  'validatingwebhookconfigurations.admissionregistration.k8s.io': { columns: 'default', categories: false },
  'volumeattachments.storage.k8s.io': { columns: 'default' },
};

/** Of pods and of templates of them. How `/proc` is mounted is as it always was while nobody may say it. */
const gatedOfPods: { readonly [resource: string]: readonly GatedFields[] } = Object.fromEntries(
  Object.entries({ pods: ['spec'], ...podsOfTemplates }).map(([resource, path]) => {
    const below = (...names: readonly string[]): string => [...path, ...names].join('.');
    const ofContainers = (field: string): readonly string[] =>
      ['containers', 'initContainers'].map((list) => below(list, '*', 'securityContext', field));
    return [
      resource,
      [
        { gates: ['PodPriority'], fields: [below('priority'), below('priorityClassName')] },
        { gates: ['ProcMountType'], fields: ofContainers('procMount'), becomes: 'Default' },
        { gates: ['RunAsGroup'], fields: [below('securityContext', 'runAsGroup'), ...ofContainers('runAsGroup')] },
        { gates: ['RuntimeClass'], fields: [below('runtimeClassName')] },
      ],
    ];
  }),
);

export const kinds: Release['kinds'] = Object.fromEntries(
  [...new Set([printed, updateChecks, templatePorts, earlierRules, gatedOfPods].flatMap((told) => Object.keys(told)))].map((resource) => {
    const [checks, fills, wrongThen] = [getOwn(updateChecks, resource), getOwn(templatePorts, resource), getOwn(earlierRules, resource)];
    const gated = getOwn(gatedOfPods, resource);
    return [
      resource,
      {
        ...getOwn(printed, resource),
        ...(checks !== undefined && { updateChecks: checks }),
        ...(fills !== undefined && { fills }),
        ...(wrongThen !== undefined && { wrongThen }),
        ...(gated !== undefined && { gatedFields: [...(getOwn(printed, resource)?.gatedFields ?? []), ...gated] }),
      },
    ];
  }),
);
