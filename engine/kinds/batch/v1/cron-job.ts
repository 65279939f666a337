/** Cron jobs. Mirrors pkg/registry/batch/cronjob/strategy.go. */
import type { CronJob } from '../../../api/batch/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import { ageOf, booleanColumn, columns, containerCells, integerColumn, nameOf, since, text } from '../../shared/table.ts';
import { defaultCronJob } from './defaults.ts';
import { validateCronJob, validateCronJobUpdate } from './validation.ts';

export const cronJobKind = defineKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  metaChecks: { status: '' },
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.batch.v1.CronJob',
  storagePrefix: 'cronjobs',
  statusSubresource: true,
  defaults: defaultCronJob,
  validate: validateCronJob,
  validateUpdate: validateCronJobUpdate,
  columns: columns(
    'Name',
    'Schedule',
    'Timezone',
    booleanColumn('Suspend'),
    integerColumn('Active'),
    'Last Schedule',
    'Age',
    '*Containers',
    '*Images',
    '*Selector',
  ),
  row(object, context) {
    const { schedule = '', timeZone, suspend, jobTemplate } = object.spec ?? {};
    const [names, images] = containerCells(jobTemplate?.spec?.template?.spec?.containers);
    const last = object.status?.lastScheduleTime ? since(object.status.lastScheduleTime, context) : '<none>';
    const selector = formatLabelSelector(jobTemplate?.spec?.selector);
    return [
      nameOf(object),
      schedule,
      text(timeZone, '<none>'),
      suspend === undefined ? '<unset>' : suspend ? 'True' : 'False',
      object.status?.active?.length ?? 0,
      last,
      ageOf(object, context),
      names,
      images,
      selector,
    ];
  },
});
