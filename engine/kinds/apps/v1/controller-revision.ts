/** Revisions of stateful sets and daemon sets. */
import type { ControllerRevision } from '../../../api/apps/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { parseGroupVersion } from '../../../apimachinery/object.ts';
import { getControllerOf } from '../../../component-helpers/owners.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { validateRevision, validateRevisionUpdate } from './revision-validation.ts';

export const controllerRevisionKind = defineKind<ControllerRevision>({
  group: 'apps',
  version: 'v1',
  kind: 'ControllerRevision',
  metaChecks: { update: 'UM' },
  plural: 'controllerrevisions',
  singular: 'controllerrevision',
  namespaced: true,
  schema: 'io.k8s.api.apps.v1.ControllerRevision',
  storagePrefix: 'controllerrevisions',
  validate: validateRevision,
  validateUpdate: validateRevisionUpdate,
  columns: columns('Name', described('Controller', 'Controller of the object'), 'Revision', 'Age'),
  row(object, context) {
    const owner = getControllerOf(object);
    const group = owner === undefined ? '' : (parseGroupVersion(owner.apiVersion)?.group ?? '');
    const controller = owner === undefined ? '<none>' : `${owner.kind}${group === '' ? '' : `.${group}`}`.toLowerCase() + `/${owner.name}`;
    return [nameOf(object), controller, object.revision ?? 0, ageOf(object, context)];
  },
});
