/** What a SchedulingDecision tells of each attempt, for `kubectl explain`. The records are the scheduler's (scheduler/decision.ts). */
import type { FieldSchema, MessageSchema } from '../apimachinery/schema.ts';
import { messageField, scalarField } from '../kinds/sim/v1alpha1/schema-fields.ts';

const prefix = 'dev.wavetank.sim.v1alpha1';
const many = (description: string): { readonly card: 'list'; readonly description: string } => ({ card: 'list', description });

export const attemptsField: FieldSchema = messageField(
  'attempts',
  2,
  `${prefix}.SchedulingAttempt`,
  many('The last attempts to place the pod, the newest last.'),
);

export const attemptSchemas: readonly MessageSchema[] = [
  {
    name: `${prefix}.SchedulingAttempt`,
    fields: [
      scalarField('pod', 1, 'string', { description: 'Namespace and name.' }),
      scalarField('uid', 2, 'string', { description: 'Uid of the pod.' }),
      scalarField('schedulerName', 3, 'string', { description: 'The profile that placed it.' }),
      scalarField('virtualMs', 4, 'double', { description: 'When, in virtual milliseconds since 1970.' }),
      scalarField('attempt', 5, 'int64', { description: 'Which attempt it was, from 1.' }),
      scalarField('result', 6, 'string', { description: 'scheduled, unschedulable or error.' }),
      scalarField('node', 7, 'string', { description: 'The node that was chosen.' }),
      scalarField('message', 8, 'string', { description: 'Why it was not placed, as its Event says it.' }),
      scalarField('at', 9, 'string', { description: 'Extension point and plugin at which a pod that had a node was turned back.' }),
      scalarField('evaluatedNodes', 10, 'int64', { description: 'Nodes that were looked at.' }),
      scalarField('feasibleNodes', 11, 'int64', { description: 'Nodes that passed all filters.' }),
      scalarField('skipped', 12, 'string', many('Plugins whose filters had nothing to say of this pod.')),
      scalarField('filtered', 13, 'json', { description: 'By plugin and reason, how many nodes were turned down, and the first ten of them.' }),
      messageField('scores', 14, `${prefix}.SchedulingScores`, {
        description: 'The best nodes, at most fifty; five once a thousand other pods were placed.',
      }),
      messageField('preemption', 15, `${prefix}.SchedulingPreemption`, { description: 'Whom the pod takes the place of.' }),
      messageField(
        'placed',
        16,
        `${prefix}.SchedulingVerdict`,
        many('What plugins said on the way from the node to the binding, of a pod that is bound or was turned back on it.'),
      ),
    ],
  },
  {
    name: `${prefix}.SchedulingScores`,
    fields: [
      scalarField('plugins', 1, 'string', many('Plugins, and extenders by their addresses, in the order of the columns.')),
      scalarField('weights', 2, 'double', many('What the score of each, from 0 to 100, was multiplied by.')),
      scalarField('nodes', 3, 'string', many('Nodes in the order of the rows, the best first.')),
      scalarField('values', 4, 'json', { description: 'Rows of normalised and weighted scores.' }),
      scalarField('raw', 5, 'json', { description: 'Rows of what plugins said themselves, before that was normalised and weighted.' }),
    ],
  },
  {
    name: `${prefix}.SchedulingVerdict`,
    fields: [
      scalarField('point', 1, 'string', { description: 'Reserve, Permit, PreBind or Bind.' }),
      scalarField('plugin', 2, 'string', { description: 'The plugin, or the address of an extender that binds.' }),
      scalarField('verdict', 3, 'string', {
        description: 'Success, Skip (nothing to do for this pod), Wait (the pod had to wait, and went on), Unschedulable or Error.',
      }),
    ],
  },
  {
    name: `${prefix}.SchedulingPreemption`,
    fields: [
      scalarField('node', 1, 'string', { description: 'The node that is made room on.' }),
      scalarField('victims', 2, 'string', many('Pods that have to go, by namespace and name.')),
      scalarField('pdbViolations', 3, 'int64', { description: 'How many of them a disruption budget protects.' }),
      scalarField('candidateCount', 4, 'int64', { description: 'Nodes that room could have been made on.' }),
      scalarField('candidates', 5, 'json', { description: 'The first ten of them, with the number of victims and of budgets broken.' }),
    ],
  },
];
