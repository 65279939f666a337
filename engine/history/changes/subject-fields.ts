/** The schema of what was written. */
import { scalarField } from '../../kinds/sim/v1alpha1/schema-fields.ts';

export const subjectFields = [
  scalarField('apiVersion', 1, 'string', { required: true }),
  scalarField('kind', 2, 'string', { required: true }),
  scalarField('namespace', 3, 'string'),
  scalarField('name', 4, 'string', { required: true }),
  scalarField('uid', 5, 'string', { required: true }),
  scalarField('row', 6, 'string', { required: true, description: 'Its row of the timeline.' }),
];
