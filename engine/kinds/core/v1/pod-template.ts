/** Pod templates. */
import type { PodTemplate } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, containerCells, containersColumn, described, imagesColumn, labelsText, nameOf } from '../../shared/table.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { ensure } from '../../shared/defaulting.ts';
import { templateHooks } from '../../shared/template-hooks.ts';
import { validatePodTemplate } from './pod-validation.ts';
import { type FieldErrorList, root } from '../../../apimachinery/field-errors.ts';
import type { StrategyContext } from '../../../contracts/kind.ts';
import type { Faults } from './resource-validation.ts';

export const podTemplateKind = defineKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  namespaced: true,
  schema: 'io.k8s.api.core.v1.PodTemplate',
  storagePrefix: 'podtemplates',
  validate: validate,
  validateUpdate: (next, _old, context) => validate(next, context),
  hasGeneration: true,
  ...templateHooks<PodTemplate>({
    path: root('template'),
    get: ({ template }) => template,
    put: (object, template) => ({ ...object, template }),
  }),
  defaults: (object) => ensure(object, 'template', defaultPodTemplate),
  columns: columns(
    'Name',
    { ...containersColumn, priority: 0 },
    { ...imagesColumn, priority: 0 },
    described('Pod Labels', 'The labels for the pod template.'),
  ),
  row(object) {
    const [names, images] = containerCells(object.template?.spec?.containers);
    return [nameOf(object), names, images, labelsText(object.template?.metadata?.labels)];
  },
});

function validate({ template }: PodTemplate, context: StrategyContext): FieldErrorList {
  const out: Faults = [];
  validatePodTemplate(template ?? {}, context, root('template'), out);
  return out;
}
