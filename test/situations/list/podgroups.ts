/** Situations with groups of pods: gates that are off by default are on. */
import { job, pod } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, type Draft, endPods, look, patch, remove, rest, runPods, until, untilCount, untilEvent, untilGone } from '../steps.ts';

const complete = until('jobs/work', { status: { conditions: [{ type: 'Complete', status: 'True' }] } });
const indexed = (count: number, more: object = {}): object => ({ completionMode: 'Indexed', completions: count, parallelism: count, ...more });
const make = (spec: object): Step => create(job('work', spec));
const pods = (count: number): Step => untilCount('pods', count);
const version = 'scheduling.k8s.io/v1alpha2';
const gang = (minCount: number): object => ({ schedulingPolicy: { gang: { minCount } } });

function workload(name: string, job = 'work', templates: readonly object[] = [{ name: 't', ...gang(2) }]): Draft {
  const spec = { controllerRef: { apiGroup: 'batch', kind: 'Job', name: job }, podGroupTemplates: templates };
  return { apiVersion: version, kind: 'Workload', metadata: { name }, spec };
}

function podGroup(name: string, spec: object = {}, meta: object = {}): Draft {
  return { apiVersion: version, kind: 'PodGroup', metadata: { name, ...meta }, spec: { ...gang(2), ...spec } };
}

/** The name of what there is one of. */
const theOnly = (resource: string, act: (ref: string) => Step): Step => ({
  text: `the only of ${resource}`,
  run: (stage) => act(`${resource}/${stage.list(resource)[0]?.metadata.name ?? 'none'}`).run(stage),
});

export const podGroupSituations = situationsOf('podgroups', [
  situation('a Job makes its group', [make(indexed(2)), pods(2)]),
  situation('a Job of a group runs', [make(indexed(2)), pods(2), runPods(), endPods('Succeeded'), complete]),
  situation('a Job goes with its group', [
    make(indexed(2)),
    pods(2),
    rest(),
    remove('jobs/work', { propagationPolicy: 'Background' }),
    untilGone('jobs/work'),
  ]),
  situation('a Job goes after its group', [
    make(indexed(2)),
    pods(2),
    rest(),
    remove('jobs/work', { propagationPolicy: 'Foreground' }),
    untilGone('jobs/work'),
  ]),
  situation('a Job leaves its group', [
    make(indexed(2)),
    pods(2),
    rest(),
    remove('jobs/work', { propagationPolicy: 'Orphan' }),
    untilGone('jobs/work'),
  ]),
  situation('one pod is no group', [make(indexed(1)), pods(1)]),
  situation('pods without indexes are no group', [make({ completions: 2, parallelism: 2 }), pods(2)]),
  situation('fewer at a time are no group', [make(indexed(3, { parallelism: 2 })), pods(2)]),
  situation('has a group already', [create(podGroup('mine')), make(indexed(2, { pod: { schedulingGroup: { podGroupName: 'mine' } } })), pods(2)]),
  situation('is suspended before it begins', [
    make(indexed(2, { suspend: true })),
    rest(),
    look('suspended'),
    patch('jobs/work', { spec: { suspend: false } }),
    pods(2),
  ]),
  situation('is suspended and resumed', [
    make(indexed(2)),
    pods(2),
    patch('jobs/work', { spec: { suspend: true } }),
    rest(),
    look('suspended'),
    patch('jobs/work', { spec: { suspend: false } }),
    pods(2),
  ]),
  situation('parallelism stays', [make(indexed(2)), pods(2), rest(), patch('jobs/work', { spec: { parallelism: 3, completions: 3 } })]),
  situation('parallelism without a group changes', [
    make(indexed(3, { parallelism: 2 })),
    pods(2),
    rest(),
    patch('jobs/work', { spec: { parallelism: 3 } }),
    pods(3),
  ]),
  situation('an elastic Job may not become a group', [
    make(indexed(2)),
    pods(2),
    rest(),
    theOnly('podgroups', (ref) => remove(ref)),
    rest(),
    look('deleted'),
    patch('jobs/work', { spec: { parallelism: 3, completions: 3 } }),
  ]),
  situation('somebody else has a Workload for it', [create(workload('theirs')), make(indexed(2)), pods(2)]),
  situation('two have Workloads for it', [create(workload('one'), workload('two')), make(indexed(2)), pods(2)]),
  situation('a Workload for another Job', [create(workload('theirs', 'other')), make(indexed(2)), pods(2)]),
  situation('the Workload goes', [make(indexed(2)), pods(2), rest(), theOnly('workloads', (ref) => remove(ref)), rest()]),
  situation('a pod is replaced after the Workload went', [
    make(indexed(2)),
    pods(2),
    rest(),
    theOnly('workloads', (ref) => remove(ref)),
    rest(),
    runPods(),
    endPods('Failed', { count: 1 }),
    untilCount('pods', 1, { status: { phase: 'Pending' } }),
  ]),
  situation('a pod of a group fails', [
    make(indexed(2)),
    pods(2),
    runPods(),
    endPods('Failed', { count: 1 }),
    untilCount('pods', 1, { status: { phase: 'Pending' } }),
  ]),
  situation('a group goes after its pods', [
    create(podGroup('mine'), pod('a', { schedulingGroup: { podGroupName: 'mine' } })),
    runPods(),
    remove('podgroups/mine'),
    rest(),
    look('deleted'),
    endPods('Succeeded'),
    untilGone('podgroups/mine'),
  ]),
  situation('a group without pods goes', [create(podGroup('mine')), remove('podgroups/mine'), untilGone('podgroups/mine')]),
  situation('pods wait for a group that is not there', [create(pod('a', { schedulingGroup: { podGroupName: 'none' } })), rest()]),
  situation('groups of templates that are not there', [
    create(podGroup('a', { podGroupTemplateRef: { workload: { workloadName: 'none', podGroupTemplateName: 't' } } })),
    create(workload('theirs')),
    create(podGroup('b', { podGroupTemplateRef: { workload: { workloadName: 'theirs', podGroupTemplateName: 'none' } } })),
    create(podGroup('c', { podGroupTemplateRef: { workload: { workloadName: 'theirs', podGroupTemplateName: 't' } } })),
    rest(),
  ]),
  situation('a name is too long to be kept', [create(job(`work-${'x'.repeat(50)}`, indexed(2))), pods(2), untilEvent('WorkloadCreated')]),
]);
