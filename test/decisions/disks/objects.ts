/** The objects of a case, as both schedulers are given them. */
import type { DiskCase } from './cases.ts';

type Fields = { readonly [field: string]: unknown };
export type Made = Fields & { readonly kind: string; readonly metadata: { readonly name: string; readonly [field: string]: unknown } };

const namespace = 'default';
const modes = { accessModes: ['ReadWriteOnce'] };
const size = { storage: '1Gi' };

export interface CaseObjects {
  readonly nodes: readonly Made[];
  readonly volumes: readonly Made[];
  readonly classes: readonly Made[];
  readonly claims: readonly Made[];
  readonly placed: readonly Made[];
  readonly pod: Made;
}

export function objectsOf({ nodes, claims = {}, placed = [], volumes, limits }: DiskCase): CaseObjects {
  const made = Object.entries(claims);
  return {
    nodes: nodes.map(({ name, allocatable = {}, labels = {} }) => {
      const amounts = { cpu: '4', memory: '16Gi', pods: '110', ...allocatable };
      const conditions = [{ type: 'Ready', status: 'True' }];
      return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status: { allocatable: amounts, capacity: amounts, conditions } };
    }),
    classes: made.some(([, source]) => source === null)
      ? [
          {
            apiVersion: 'storage.k8s.io/v1',
            kind: 'StorageClass',
            metadata: { name: 'late' },
            provisioner: 'example.com/p',
            volumeBindingMode: 'WaitForFirstConsumer',
          },
        ]
      : [],
    volumes: made.flatMap(([name, source]) => {
      if (source === null) return [];
      const claimRef = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid: `uid-${name}` };
      return [
        { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: `pv-${name}` }, spec: { capacity: size, ...modes, ...source, claimRef } },
      ];
    }),
    claims: made.map(([name, source]) => {
      const annotations = source === null ? {} : { 'pv.kubernetes.io/bind-completed': 'yes' };
      const bound = source === null ? { storageClassName: 'late' } : { storageClassName: '', volumeName: `pv-${name}` };
      return {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace, annotations },
        spec: { ...modes, resources: { requests: size }, ...bound },
      };
    }),
    placed: placed.map(({ node, volumes: of }, i) => podOf(`placed-${i}`, of, { nodeName: node })),
    pod: podOf('p', volumes, {}, limits),
  };
}

function podOf(name: string, volumes: readonly Fields[], more: Fields, limits?: Fields): Made {
  const resources = limits === undefined ? {} : { resources: { limits, requests: { memory: '1Mi' } } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace },
    spec: { containers: [{ name: 'c', image: 'i', ...resources }], volumes: volumes.map((volume, i) => ({ name: `v${i}`, ...volume })), ...more },
  };
}
