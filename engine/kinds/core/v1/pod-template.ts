/** Pod templates. */
import type { PodTemplate } from '../../../api/core/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { columns, containerCells, labelsText, nameOf } from '../../shared/table.ts';
import { defaultPodTemplate } from './pod-defaults.ts';
import { edit } from '../../shared/defaulting.ts';

export const podTemplateKind = defineKind<PodTemplate>({
  group: '',
  version: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  namespaced: true,
  schema: 'io.k8s.api.core.v1.PodTemplate',
  storagePrefix: 'podtemplates',
  hasGeneration: true,
  defaults: (object) => edit(object, 'template', defaultPodTemplate),
  columns: columns('Name', 'Containers', 'Images', 'Pod Labels'),
  row(object) {
    const [names, images] = containerCells(object.template?.spec?.containers);
    return [nameOf(object), names, images, labelsText(object.template?.metadata?.labels)];
  },
});
