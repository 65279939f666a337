/** Cron jobs. Mirrors pkg/registry/batch/cronjob/strategy.go. */
import type { CronJob } from '../../../api/batch/v1/types.gen.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { formatLabelSelector } from '../../../apimachinery/labels.ts';
import {
  ageOf,
  booleanColumn,
  columns,
  containerCells,
  containersColumn,
  imagesColumn,
  integerColumn,
  nameOf,
  since,
  text,
} from '../../shared/table.ts';
import { edit } from '../../shared/defaulting.ts';
import { defaultCronJob } from './defaults.ts';
import { inPodNames, warnOfName } from '../../core/v1/pod-warnings.ts';
import { WarningList } from '../../core/v1/warning-list.ts';
import { specPath } from '../../shared/strategy.ts';
import { templateHooks } from '../../shared/template-hooks.ts';
import { validateCronJob, validateCronJobUpdate } from './cron-job-validation.ts';
import { warnOfJobSpec } from './job-strategy.ts';

const jobPath = specPath.child('jobTemplate', 'spec');

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
  ...templateHooks<CronJob>({
    path: jobPath.child('template'),
    get: ({ spec }) => spec?.jobTemplate?.spec?.template,
    put: (object, template) =>
      edit(object, 'spec', (spec) => edit(spec, 'jobTemplate', (job) => edit(job, 'spec', (inner) => ({ ...inner, template })))),
  }),
  warnings: cronJobWarnings,
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
    containersColumn,
    imagesColumn,
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

function cronJobWarnings(object: CronJob, old: CronJob | undefined): readonly string[] {
  const out = new WarningList();
  if (old === undefined) warnOfName(object.metadata.name, inPodNames, out);
  if (object.metadata.generation !== old?.metadata.generation) warnOfJobSpec(object.spec?.jobTemplate?.spec, jobPath, out);
  if (old !== undefined && object.spec?.schedule?.includes('TZ'))
    out.add(
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    );
  return out.texts;
}
