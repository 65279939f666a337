/** Objects of situations, as short as can be. Pods name a scheduler that does not exist: the test plays it. */
import type { Draft } from './steps.ts';

type Fields = { readonly [field: string]: unknown };

const container = { name: 'c', image: 'example.com/c:1' };

function podTemplate(app: string, spec: object = {}): Fields {
  return { metadata: { labels: { app } }, spec: { schedulerName: 'played', containers: [container], ...spec } };
}

function workload(apiVersion: string, kind: string, name: string, spec: object, selector: unknown = { matchLabels: { app: name } }): Draft {
  const { meta = {}, pod = {}, ...rest } = spec as { readonly meta?: Fields; readonly pod?: Fields };
  return { apiVersion, kind, metadata: { name, ...meta }, spec: { selector, template: podTemplate(name, pod), ...rest } };
}

/** `spec` is the Deployment's; `pod` in it the pods', `meta` the metadata. */
export function deployment(name: string, spec: object = {}): Draft {
  return workload('apps/v1', 'Deployment', name, spec);
}

export function replicaSet(name: string, spec: object = {}): Draft {
  return workload('apps/v1', 'ReplicaSet', name, spec);
}

export function statefulSet(name: string, spec: object = {}): Draft {
  return workload('apps/v1', 'StatefulSet', name, { serviceName: name, ...spec });
}

export function daemonSet(name: string, spec: object = {}): Draft {
  return workload('apps/v1', 'DaemonSet', name, {
    ...spec,
    pod: { nodeSelector: { own: '<own>' }, ...(spec as { readonly pod?: Fields }).pod },
  });
}

export function replicationController(name: string, spec: object = {}): Draft {
  return workload('v1', 'ReplicationController', name, spec, { app: name });
}

export function job(name: string, spec: object = {}): Draft {
  const { meta = {}, pod = {}, ...rest } = spec as { readonly meta?: Fields; readonly pod?: Fields };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...meta },
    spec: { template: podTemplate(name, { restartPolicy: 'Never', ...pod }), ...rest },
  };
}

/** `job` in the spec is the spec of its Jobs. */
export function cronJob(name: string, spec: object = {}): Draft {
  const { job: jobSpec = {}, ...rest } = spec as { readonly job?: Fields };
  const template = podTemplate(name, { restartPolicy: 'Never' });
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template, ...jobSpec } }, ...rest },
  };
}

export function pod(
  name: string,
  { meta = {}, status, ...spec }: { readonly meta?: Fields; readonly status?: Fields; readonly [field: string]: unknown } = {},
): Draft {
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...meta }, spec: { schedulerName: 'played', containers: [container], ...spec } };
  return status === undefined ? object : { ...object, status };
}

export function service(name: string, spec: object = {}): Draft {
  const { meta = {}, ...rest } = spec as { readonly meta?: Fields };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, ...meta },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80 }], ...rest },
  };
}

export function budget(name: string, spec: object): Draft {
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec: { selector: { matchLabels: { app: 'web' } }, ...spec } };
}

export function quota(name: string, hard: object, more: object = {}): Draft {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec: { hard, ...more } };
}

export function configMap(name: string, meta: object = {}, data: object = {}): Draft {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...meta }, data };
}

export function secret(name: string, more: object = {}): Draft {
  const { meta = {}, ...rest } = more as { readonly meta?: Fields };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, ...meta }, ...rest };
}

/** A node that is ready when it is made; `nodeLives` keeps it so. */
export function node(
  name: string,
  {
    meta = {},
    conditions = [{ type: 'Ready', status: 'True' }],
    allocatable = {},
    ...spec
  }: { readonly meta?: Fields; readonly conditions?: readonly Fields[]; readonly allocatable?: Fields; readonly [field: string]: unknown } = {},
): Draft {
  const resources = { cpu: '8', memory: '32Gi', pods: '110', ...allocatable };
  const dated = conditions.map((condition) => ({
    reason: 'KubeletReady',
    message: 'played',
    lastHeartbeatTime: '<now>',
    lastTransitionTime: '<now>',
    ...condition,
  }));
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': '<ns>-z',
    situation: '<ns>',
    ...(meta['labels'] as Fields | undefined),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...meta, labels },
    spec,
    status: { capacity: resources, allocatable: resources, conditions: dated },
  };
}

/** An object of any kind. */
export function object(apiVersion: string, kind: string, name: string, rest: object = {}): Draft {
  const { meta = {}, ...fields } = rest as { readonly meta?: Fields };
  return { apiVersion, kind, metadata: { name, ...meta }, ...fields };
}
