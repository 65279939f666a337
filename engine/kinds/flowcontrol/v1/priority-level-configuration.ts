/** Priority levels of priority and fairness. */
import type { PriorityLevelConfiguration } from '../../../api/flowcontrol/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { ageOf, columns, nameOf } from '../../shared/table.ts';
import { edit, fill, fillZero } from '../../shared/defaulting.ts';
import { validatePriorityLevel, validatePriorityLevelStatus } from './priority-level-validation.ts';

export const priorityLevelConfigurationKind = defineKind<PriorityLevelConfiguration>({
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'PriorityLevelConfiguration',
  metaChecks: { update: 'M', status: '', keptByStatus: true },
  plural: 'prioritylevelconfigurations',
  singular: 'prioritylevelconfiguration',
  namespaced: false,
  schema: 'io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration',
  storagePrefix: 'prioritylevelconfigurations',
  statusSubresource: {
    verbs: ['get', 'patch', 'update'],
    validateUpdate: validatePriorityLevelStatus,
    resetFields: [['metadata'], ['spec']],
  },
  defaults: (object) =>
    edit(object, 'spec', (spec) => {
      const exempt = edit(spec, 'exempt', (level) => fill(level, { nominalConcurrencyShares: 0, lendablePercent: 0 }));
      return edit(exempt, 'limited', (level) => {
        const filled = fill(level, { nominalConcurrencyShares: 30, lendablePercent: 0 });
        return edit(filled, 'limitResponse', (answer) =>
          edit(answer, 'queuing', (queuing) => fillZero(queuing, { handSize: 8, queues: 64, queueLengthLimit: 50 })),
        );
      });
    }),
  validate: validatePriorityLevel,
  validateUpdate: validatePriorityLevel,
  columns: columns('Name', 'Type', 'NominalConcurrencyShares', 'Queues', 'HandSize', 'QueueLengthLimit', 'Age'),
  row(object, context) {
    const none = '<none>';
    const limited = object.spec?.limited;
    const queuing = limited?.limitResponse?.queuing;
    const queues = queuing ? [queuing.queues ?? 0, queuing.handSize ?? 0, queuing.queueLengthLimit ?? 0] : [none, none, none];
    return [nameOf(object), object.spec?.type ?? '', limited?.nominalConcurrencyShares ?? none, ...queues, ageOf(object, context)];
  },
});
