/** Nodes, volumes and pods of the workloads, as upstream's operations make them of their templates. */
import type { Api } from './api.ts';
import { numberIn, type Operation, type Params } from './config.ts';
import type { Made, Templates } from './templates.ts';

const hostname = 'kubernetes.io/hostname';
const merge = 'application/merge-patch+json';

interface Allocatable {
  readonly nodeAllocatable?: Readonly<Record<string, string>>;
  readonly csiNodeAllocatable?: Readonly<Record<string, { readonly count: number }>>;
  readonly migratedPlugins?: readonly string[];
}

interface Labelling {
  readonly labelKey: string;
  readonly labelValues?: readonly string[];
}

const plainNode: Made = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {},
  status: { capacity: { pods: '110', cpu: '4', memory: '32Gi' }, conditions: [{ type: 'Ready', status: 'True' }] },
};

const amounts = { cpu: '100m', memory: '500Mi' };
const plainPod: Made = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { generateName: 'pod-' },
  spec: {
    containers: [
      { name: 'pause', image: 'registry.k8s.io/pause:3.10.2', ports: [{ containerPort: 80 }], resources: { limits: amounts, requests: amounts } },
    ],
  },
};

export class Setup {
  readonly #api: Api;
  readonly #templates: Templates;
  readonly #params: Params;
  readonly #classes = new Set<number>();
  #nodes = 0;

  constructor(api: Api, templates: Templates, params: Params) {
    this.#api = api;
    this.#templates = templates;
    this.#params = params;
  }

  createNodes(operation: Operation, place: number): void {
    const count = numberIn(operation, 'count', this.#params);
    const path = operation['nodeTemplatePath'] as string | undefined;
    for (let index = 0; index < count; index++) {
      const template = path === undefined ? plainNode : this.#templates.read(path, index, count);
      this.#createNode(template, operation, `node-${place}-`, index);
    }
  }

  #createNode(template: Made, operation: Operation, prefix: string, index: number): void {
    const { call } = this.#api.made;
    const { generateName = prefix, ...metadata } = template.metadata;
    const name = metadata.name ?? `${generateName}${this.#nodes++}`;
    const allocatable = operation['nodeAllocatableStrategy'] as Allocatable | undefined;
    const labels = { ...metadata.labels, [hostname]: name, ...labelOf(operation, index) };
    const { status = {} } = template;
    const room = { ...(status['capacity'] as object), ...(status['allocatable'] as object), ...allocatable?.nodeAllocatable };
    const features = Number(this.#params['numNodeDeclaredFeatures'] ?? 0);
    const declared = features === 0 ? {} : { declaredFeatures: Array.from({ length: features }, (_, at) => `Feature${at + 1}`).sort() };
    call('POST', '/api/v1/nodes', { ...template, metadata: { ...metadata, name, labels }, status: { ...status, allocatable: room, ...declared } });
    // As a new node it is tainted as not ready; upstream's workloads run without that admission.
    call('PATCH', `/api/v1/nodes/${name}`, { spec: { taints: template.spec?.['taints'] ?? null } }, merge);
    if (allocatable !== undefined) this.#createCsiNode(name, allocatable);
  }

  #createCsiNode(name: string, { csiNodeAllocatable = {}, migratedPlugins = [] }: Allocatable): void {
    const annotations = { 'storage.alpha.kubernetes.io/migrated-plugins': migratedPlugins.join(',') };
    const drivers = Object.entries(csiNodeAllocatable).map(([driver, allocatable]) => ({ name: driver, nodeID: name, allocatable }));
    this.#api.create({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name, annotations }, spec: { drivers } }, '');
  }

  /** The pod with that index of an operation; its volume and its claim are created, and bound to each other, before it is. */
  createPod(operation: Operation, templatePath: string | undefined, namespace: string, index: number, count: number): void {
    const template = templatePath === undefined ? plainPod : this.#templates.read(templatePath, index, count);
    const claimPath = operation['persistentVolumeClaimTemplatePath'] as string | undefined;
    const volumes = claimPath === undefined ? {} : { volumes: [this.#bindVolume(operation, claimPath, namespace, index)] };
    this.#api.create(this.asHere({ ...template, spec: { ...template.spec, ...volumes } }), namespace);
  }

  #bindVolume(operation: Operation, claimPath: string, namespace: string, index: number): object {
    const { call } = this.#api.made;
    const id = `vol-${index}`;
    const [name, claimName] = [`${namespace}-${id}`, `pvc-${index}`];
    const claim = this.#templates.read(claimPath, index);
    const volume = this.#templates.read(operation['persistentVolumeTemplatePath'] as string, index);
    this.#api.create({ ...claim, metadata: { ...claim.metadata, name: claimName }, spec: { ...claim.spec, volumeName: name } }, namespace);
    call('PATCH', `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${claimName}/status`, { status: { phase: 'Bound' } }, merge);
    const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name: claimName };
    this.#api.create({ ...volume, metadata: { ...volume.metadata, name }, spec: { ...named(volume.spec ?? {}, name, id), claimRef } }, '');
    call('PATCH', `/api/v1/persistentvolumes/${name}/status`, { status: { phase: 'Bound' } }, merge);
    return { name: 'vol', persistentVolumeClaim: { claimName } };
  }

  /**
   * Upstream's workloads run without the admission of service accounts and of priorities: their pods have no token, and a number for a
   * priority. Ours say that they want no token, name the account that they would get, and a class of that number.
   */
  asHere(object: Made): Made {
    if (object.kind !== 'Pod') return object;
    const { priority, ...spec } = object.spec ?? {};
    const ranked = typeof priority === 'number' ? { priorityClassName: this.#classOf(priority) } : {};
    return { ...object, spec: { ...spec, ...ranked, serviceAccountName: 'default', automountServiceAccountToken: false } };
  }

  #classOf(value: number): string {
    const { call } = this.#api.made;
    const name = `value-${value}`;
    const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
    if (this.#classes.has(value)) return name;
    this.#classes.add(value);
    call('POST', path, { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value });
    return name;
  }
}

function labelOf(operation: Operation, index: number): Readonly<Record<string, string>> {
  const chosen = operation['labelNodePrepareStrategy'] as Labelling | undefined;
  const unique = operation['uniqueNodeLabelStrategy'] as Labelling | undefined;
  const values = chosen?.labelValues ?? [];
  return {
    ...(chosen === undefined ? {} : { [chosen.labelKey]: values[index % values.length] ?? '' }),
    ...(unique === undefined ? {} : { [unique.labelKey]: `${index}` }),
  };
}

/** Each volume is a disk of its own. */
function named(spec: Readonly<Record<string, unknown>>, name: string, id: string): Readonly<Record<string, unknown>> {
  const { csi, awsElasticBlockStore } = spec as { readonly csi?: object; readonly awsElasticBlockStore?: object };
  if (csi !== undefined) return { ...spec, csi: { ...csi, volumeHandle: name } };
  return awsElasticBlockStore === undefined ? spec : { ...spec, awsElasticBlockStore: { ...awsElasticBlockStore, volumeID: id } };
}
