/** Deployments. Mirrors pkg/registry/apps/deployment/strategy.go. */
import type { Deployment } from '../../../api/apps/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { labelSelectorAsSelector } from '../../../apimachinery/labels.ts';
import { statusOnly, withReplicas } from '../../shared/strategy.ts';
import { specTemplate, templateHooks } from '../../shared/template-hooks.ts';
import { ageOf, columns, containerCells, containersColumn, described, imagesColumn, nameOf, readyColumn } from '../../shared/table.ts';
import { defaultDeployment } from './defaults.ts';
import { validateDeploymentStatus } from './status-validation.ts';
import { validateDeployment, validateDeploymentUpdate } from './validation.ts';

const hooks = templateHooks<Deployment>(specTemplate(true));

export const deploymentKind = defineKind<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  singular: 'deployment',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.Deployment',
  storagePrefix: 'deployments',
  gatedFields: [{ gates: ['DeploymentReplicaSetTerminatingReplicas'], fields: ['status.terminatingReplicas'] }],
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    prepareForUpdate: statusOnlyWithLabels,
    validateUpdate: validateDeploymentStatus,
    resetFields: [['spec'], ['metadata', 'labels']],
  },
  scale: {
    getReplicas: (object) => object.spec?.replicas ?? 0,
    getStatusReplicas: (object) => object.status?.replicas ?? 0,
    getSelector: (object) => labelSelectorAsSelector(object.spec?.selector).toString(),
    setReplicas: withReplicas,
  },
  defaults: defaultDeployment,
  ...hooks,
  prepareForUpdate: (next, old, context) => countAnnotations(hooks.prepareForUpdate(next, old, context), old),
  validate: validateDeployment,
  validateUpdate: validateDeploymentUpdate,
  unsaid: { spec: { replicas: 0 } },
  columns: columns(
    'Name',
    readyColumn,
    described('Up-to-date', 'Total number of non-terminating pods targeted by this deployment that have the desired template spec.'),
    described('Available', 'Total number of available non-terminating pods (ready for at least minReadySeconds) targeted by this deployment.'),
    'Age',
    containersColumn,
    imagesColumn,
    '*Selector',
  ),
  row(object, context) {
    const [names, images] = containerCells(object.spec?.template?.spec?.containers);
    const { replicas = 0 } = object.spec ?? {};
    const { readyReplicas = 0, updatedReplicas = 0, availableReplicas = 0 } = object.status ?? {};
    return [
      nameOf(object),
      `${readyReplicas}/${replicas}`,
      updatedReplicas,
      availableReplicas,
      ageOf(object, context),
      names,
      images,
      labelSelectorAsSelector(object.spec?.selector).toString(),
    ];
  },
});

/** Labels of a deployment are not its status's to change. */
function statusOnlyWithLabels(next: Deployment, old: Deployment): Deployment {
  const { labels: _own, ...metadata } = next.metadata;
  const { labels } = old.metadata;
  return statusOnly({ ...next, metadata: { ...metadata, ...(labels && { labels }) } }, old);
}

/** Upstream's generation counts changes of the annotations too. */
function countAnnotations(next: Deployment, old: Deployment): Deployment {
  const before = old.metadata.annotations ?? {};
  const after = next.metadata.annotations ?? {};
  const names = Object.keys(after);
  if (names.length === Object.keys(before).length && names.every((name) => after[name] === before[name])) return next;
  return { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}
