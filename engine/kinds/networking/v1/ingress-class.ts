/** Ingress classes. */
import type { IngressClass } from '../../../api/networking/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, described, nameOf } from '../../shared/table.ts';
import { edit } from '../../shared/defaulting.ts';
import { validateIngressClass, validateIngressClassUpdate } from './ingress-class-validation.ts';

export const ingressClassKind = defineKind<IngressClass>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  metaChecks: { update: 'U M' },
  plural: 'ingressclasses',
  singular: 'ingressclass',
  namespaced: false,
  schema: 'io.k8s.api.networking.v1.IngressClass',
  storagePrefix: 'ingressclasses',
  validate: validateIngressClass,
  validateUpdate: validateIngressClassUpdate,
  defaults: (object) =>
    edit(object, 'spec', (spec) => edit(spec, 'parameters', (target) => (target.scope ? target : { ...target, scope: 'Cluster' }))),
  columns: columns(
    'Name',
    described('Controller', 'Controller that is responsible for handling this class'),
    described('Parameters', 'A reference to a resource with additional parameters'),
    'Age',
  ),
  row(object, context) {
    const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
    const target = object.spec?.parameters;
    const parameters = target ? `${target.kind}${target.apiGroup ? `.${target.apiGroup}` : ''}/${target.name}` : '<none>';
    return [nameOf(object) + (isDefault ? ' (default)' : ''), object.spec?.controller ?? '', parameters, ageOf(object, context)];
  },
});
