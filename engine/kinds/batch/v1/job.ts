/** Jobs. Mirrors pkg/registry/batch/job/strategy.go. */
import type { Job } from '../../../api/batch/v1/types.gen.ts';
import { goQuote } from '../../../apimachinery/quote.ts';
import { defineKind } from '../../../contracts/kind.ts';
import { statusOnly } from '../../shared/strategy.ts';
import { columns, containersColumn, described, imagesColumn } from '../../shared/table.ts';
import { jobCells } from './job-table.ts';
import { defaultJob } from './defaults.ts';
import { inheritsLabels, jobWarnings, labelled, prepareJob, prepareJobUpdate } from './job-strategy.ts';
import { validateJobStatusUpdate } from './job-status-validation.ts';
import { validateJob, validateJobUpdate } from './job-validation.ts';

export const jobKind = defineKind<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  metaChecks: { update: 'M U' },
  plural: 'jobs',
  singular: 'job',
  categories: ['all'],
  namespaced: true,
  schema: 'io.k8s.api.batch.v1.Job',
  storagePrefix: 'jobs',
  statusSubresource: { verbs: ['get', 'patch', 'update'], prepareForUpdate: statusOnly, validateUpdate: validateJobStatusUpdate },
  defaultPropagation: 'Orphan',
  selectableFields: { 'status.successful': (object) => String(object.status?.succeeded ?? 0) },
  fieldLabels: { refusal: (label) => `field label ${goQuote(label)} not supported for Job` },
  defaults: defaultJob,
  isStoredOtherwise: inheritsLabels,
  prepareForCreate: prepareJob,
  prepareForUpdate: prepareJobUpdate,
  settle: labelled,
  warnings: jobWarnings,
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  columns: columns(
    'Name',
    described('Status', 'Status of the job.'),
    'Completions',
    described('Duration', 'Time required to complete the job.'),
    'Age',
    containersColumn,
    imagesColumn,
    '*Selector',
  ),
  row: (object, context) => [...jobCells(object, context)],
});
