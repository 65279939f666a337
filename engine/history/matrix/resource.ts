/** `schedulingmatrices/<pod>` over the API. With `attempt`, another than the last on record; with `node`, why the pod is not there. */
import type { MatrixStatus, SchedulingMatrix } from '../../api/sim/v1alpha1/scheduling-matrix.ts';
import { newNotFound } from '../../apimachinery/errors.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { formatTime } from '../../apimachinery/time.ts';
import type { ComputedQuery, ComputedResource } from '../../contracts/computed-resource.ts';
import { messageField, scalarField } from '../../kinds/sim/v1alpha1/schema-fields.ts';
import type { SchedulingDecisions } from '../decisions.ts';
import type { NodeVerdicts } from '../node-verdicts.ts';
import { numberIn } from '../query-numbers.ts';
import { simGroup, virtualKind } from '../virtual-kind.ts';
import { type Attempt, groupsOf } from './groups.ts';
import { whyNot } from './why-not.ts';

export interface MatrixSources {
  readonly decisions: Pick<SchedulingDecisions, 'get'>;
  readonly verdicts: Pick<NodeVerdicts, 'find'>;
  /** When a node came, in virtual milliseconds; undefined for one that is not there. */
  nodeCreatedMs(name: string): number | undefined;
}

export function schedulingMatricesResource(sources: MatrixSources): ComputedResource {
  return {
    kind: schedulingMatrixKind,
    get: (name, query, namespace = '') => {
      const attempts = sources.decisions.get(namespace, name)?.attempts as unknown as readonly Attempt[] | undefined;
      return attempts === undefined || attempts.length === 0 ? undefined : matrixOf(sources, namespace, name, attempts, query);
    },
    // Of one pod it is large enough.
    list: () => [],
  };
}

function matrixOf(sources: MatrixSources, namespace: string, name: string, attempts: readonly Attempt[], query: ComputedQuery): SchedulingMatrix {
  const wanted = numberIn(query, 'attempt');
  const attempt = wanted === undefined ? attempts.at(-1) : attempts.find((one) => one.attempt === wanted);
  if (attempt === undefined) throw newNotFound({ group: simGroup, resource: 'schedulingmatrices' }, `${name}?attempt=${wanted}`);
  const nodes = sources.verdicts.find(`${namespace}/${name}`, attempt.virtualMs, attempt.attempt);
  const groups = groupsOf(attempt, nodes);
  const { node: asked } = query;
  const { scores, preemption, result, node, message, at } = attempt;
  const status: MatrixStatus = {
    ...{ attempt: attempt.attempt, attempts: attempts.map((one) => one.attempt), time: formatTime(attempt.virtualMs), result },
    ...(node === undefined ? {} : { node }),
    ...(message === undefined ? {} : { message }),
    ...(at === undefined ? {} : { at }),
    ...{ evaluatedNodes: attempt.evaluatedNodes, feasibleNodes: attempt.feasibleNodes, skipped: attempt.skipped ?? [] },
    ...{ plugins: scores?.plugins ?? [], weights: scores?.weights ?? [], groups },
    ...(preemption === undefined ? {} : { preemption }),
    ...(asked ? { asked: { node: asked, ...whyNot({ name: asked, createdMs: sources.nodeCreatedMs(asked) }, attempt, groups, nodes) } } : {}),
  };
  return { kind: 'SchedulingMatrix', apiVersion: `${simGroup}/v1alpha1`, metadata: { name, namespace }, status };
}

const prefix = 'dev.wavetank.sim.v1alpha1';

const schedulingMatrixKind = virtualKind('SchedulingMatrix', 'schedulingmatrices', true, [messageField('status', 2, `${prefix}.MatrixStatus`)], {
  schemas: [
    {
      name: `${prefix}.MatrixStatus`,
      fields: [
        scalarField('attempt', 1, 'int64', { required: true, description: 'Which attempt it is, from 1.' }),
        scalarField('attempts', 2, 'json', { description: 'Attempts on record.' }),
        scalarField('time', 3, 'time', { required: true, description: 'When, in virtual time.' }),
        scalarField('result', 4, 'string', { required: true, description: 'scheduled, unschedulable or error.' }),
        scalarField('node', 5, 'string', { description: 'The node that was chosen.' }),
        scalarField('message', 6, 'string', { description: 'Why it was not placed.' }),
        scalarField('at', 7, 'string', { description: 'Where a pod that had a node was turned back.' }),
        scalarField('evaluatedNodes', 8, 'int64', { required: true, description: 'Nodes that were looked at.' }),
        scalarField('feasibleNodes', 9, 'int64', { required: true, description: 'Nodes that passed all filters.' }),
        scalarField('skipped', 10, 'json', { description: 'Plugins whose filters had nothing to say of the pod.' }),
        scalarField('plugins', 11, 'json', { description: 'Plugins that gave scores.' }),
        scalarField('weights', 12, 'json', { description: 'What each score was multiplied by.' }),
        scalarField('groups', 13, 'json', { description: 'Nodes alike: verdict, count, the first nodes, plugin and reasons, or scores.' }),
        scalarField('preemption', 14, 'json', { description: 'Whom the pod takes the place of, and where else it could have.' }),
        scalarField('asked', 15, 'json', { description: 'Of the node that was asked about: verdict, and why the pod is not there.' }),
      ],
    },
  ],
  columns: ['Name', 'Attempt', 'Result', 'Node', 'Evaluated', 'Feasible', 'Groups'].map((name) => ({ name, type: 'string' })),
  row: (object: KubeObject) => {
    const { metadata, status } = object as SchedulingMatrix;
    const { attempt, result, node = '<none>', evaluatedNodes, feasibleNodes, groups } = status;
    return [metadata.name ?? '', String(attempt), result, node, String(evaluatedNodes), String(feasibleNodes), String(groups.length)];
  },
});
