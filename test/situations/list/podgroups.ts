/** Situations with groups of pods: gates that are off by default are on. */
import { job, pod } from '../objects.ts';
import { situation, situationsOf, type Step } from '../situation.ts';
import { create, type Draft, edit, endPods, look, patch, remove, rest, runPods, until, untilCount, untilEvent, untilGone } from '../steps.ts';

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

const gpu = { name: 'gpu', resourceClaimTemplateName: 'gpus' };
const ofGang = { schedulingGroup: { podGroupName: 'gang' } };
const template: Draft = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaimTemplate',
  metadata: { name: 'gpus' },
  spec: { metadata: { labels: { from: 'template' } }, spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] } } },
};
const claim: Draft = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'mine' },
  spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'gpu' } }] } },
};
const named = { name: 'gpu', resourceClaimName: 'mine' };
const member = (name: string, ...resourceClaims: readonly object[]): Draft => pod(name, { ...ofGang, resourceClaims });
const sharing = (...resourceClaims: readonly object[]): Draft => podGroup('gang', { resourceClaims });
const results = [{ request: 'one', driver: 'gpu.example.com', pool: '<ns>', device: 'a' }];
/** The test plays the scheduler, which allocates. */
const allocate = (ref: string): Step => patch(`${ref}/status`, { status: { allocation: { devices: { results } } } });
const hasClaim = until(
  'podgroups/gang',
  ({ status }) => ((status as { readonly resourceClaimStatuses?: object[] } | undefined)?.resourceClaimStatuses ?? []).length === 1,
);
const tainted: Draft = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: '<ns>-slice' },
  spec: {
    driver: 'gpu.example.com',
    nodeName: 'played',
    pool: { name: '<ns>', generation: 1, resourceSliceCount: 1 },
    devices: [{ name: 'a', taints: [{ key: 'broken', effect: 'NoExecute' }] }],
  },
};

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
  situation('a group gets its claim', [create(template, sharing(gpu), member('a', gpu), member('b', gpu)), hasClaim, rest()]),
  situation('pods come before their group', [create(template, member('a', gpu)), rest(), look('alone'), create(sharing(gpu)), hasClaim, rest()]),
  situation('a claim is of the pod where the group has it by another name', [
    create(template, sharing({ ...gpu, name: 'other' }), member('a', gpu)),
    hasClaim,
    rest(),
  ]),
  situation(
    'a template comes after the group',
    [create(sharing(gpu), member('a', gpu)), untilEvent('FailedResourceClaimCreation'), create(template), hasClaim, rest()],
    { uncounted: ['FailedResourceClaimCreation'] },
  ),
  situation('a claim that somebody made is shared', [
    create(claim, sharing(named), member('a', named), member('b', named)),
    allocate('resourceclaims/mine'),
    runPods(),
    until('resourceclaims/mine', ({ status }) => (status as { readonly reservedFor?: object[] }).reservedFor !== undefined),
    rest(),
  ]),
  situation('a claim is kept while the group is there', [
    create(template, sharing(gpu), member('a', gpu), member('b', gpu)),
    hasClaim,
    theOnly('resourceclaims', allocate),
    rest(),
    runPods(),
    rest(),
    look('running'),
    endPods('Succeeded'),
    rest(),
    look('ended'),
    remove('podgroups/gang'),
    untilGone('podgroups/gang'),
    rest(),
  ]),
  situation('a named claim is given back when the group goes', [
    create(claim, sharing(named), member('a', named)),
    edit('resourceclaims/mine', { op: 'add', path: '/metadata/finalizers', value: ['resource.kubernetes.io/delete-protection'] }),
    allocate('resourceclaims/mine'),
    runPods(),
    rest(),
    look('running'),
    endPods('Succeeded'),
    remove('podgroups/gang'),
    untilGone('podgroups/gang'),
    rest(),
  ]),
  situation('a claim of a group is deleted', [
    create(template, sharing(gpu), member('a', gpu)),
    hasClaim,
    rest(),
    theOnly('resourceclaims', (ref) => remove(ref)),
    rest(),
  ]),
  situation('a pod has a claim beside the group', [create(template, sharing(gpu), member('a', { ...gpu, name: 'own' }, gpu)), hasClaim, rest()]),
  situation('a device of a group is broken', [
    create(template, sharing(gpu), member('a', gpu), member('b', gpu), pod('c')),
    hasClaim,
    theOnly('resourceclaims', allocate),
    rest(),
    runPods(),
    rest(),
    create(tainted),
    untilEvent('DeviceTaintManagerEviction'),
    rest(),
  ]),
  situation('a name is too long to be kept', [create(job(`work-${'x'.repeat(50)}`, indexed(2))), pods(2), untilEvent('WorkloadCreated')]),
]);
