/** The acts that the page offers, in the order of their buttons. */
import type { AnyObject } from '../api/objects.ts';
import { request } from '../api/request.ts';
import { texts } from '../texts/texts.ts';
import { shellQuote } from '../editor/shell-quote.ts';
import { type Act, type ActMoment, type ActTarget, inNamespace, named, pathOf, typeOf } from './act.ts';
import { drain, drainForecast } from './drain.ts';
import { undo, undoForecast } from './rollback.ts';

const { labels, forecast } = texts.acts;
const fault = 'faults.sim.wavetank.dev';
const templated = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'] as const;

function patch(target: ActTarget, body: Parameters<typeof request>[1], subresource = ''): Promise<string> {
  return request(`${pathOf(target)}${subresource}`, { method: 'PATCH', ...body }).then(() => '');
}

function specFlag(name: string, value: boolean | null) {
  return (target: ActTarget) => patch(target, { body: { spec: { [name]: value } } });
}

function timeText({ atMs }: ActMoment): string {
  return new Date(Math.floor(atMs / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

async function objectOf(target: ActTarget): Promise<AnyObject> {
  return target.object ?? (await request<AnyObject>(pathOf(target)));
}

/** As `kubectl create job --from` makes it. */
async function trigger(target: ActTarget, _input: string, moment: ActMoment): Promise<string> {
  const cronJob = await objectOf(target);
  const template = (cronJob.spec?.['jobTemplate'] ?? {}) as { metadata?: { labels?: object; annotations?: object }; spec?: object };
  const name = jobName(target, moment);
  const owner = { apiVersion: cronJob.apiVersion, kind: cronJob.kind, name: target.name, uid: cronJob.metadata.uid ?? '', controller: true };
  const annotations = { 'cronjob.kubernetes.io/instantiate': 'manual', ...template.metadata?.annotations };
  const metadata = { name, annotations, ...(template.metadata?.labels ? { labels: template.metadata.labels } : {}), ownerReferences: [owner] };
  const body = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: template.spec ?? {} };
  await request(`/apis/batch/v1/namespaces/${target.namespace}/jobs`, { method: 'POST', body: JSON.parse(JSON.stringify(body)) as never });
  return `job.batch/${name}`;
}

const toldMax = 5;

/** Of each by itself; of several with its name. */
async function undoForecasts(targets: readonly ActTarget[]): Promise<readonly string[]> {
  const told = await Promise.all(targets.slice(0, toldMax).map(async (target) => undoForecast(await objectOf(target))));
  if (targets.length === 1) return told.flat();
  const left = targets.length - told.length;
  return [...told.map((said, index) => forecast.of(targets[index]?.name ?? '', said.join(' '))), ...(left > 0 ? [forecast.more(left)] : [])];
}

function deleteForecast(targets: readonly ActTarget[]): string {
  return targets.some(({ resource }) => typeOf(resource) === 'namespaces') ? forecast.deleteNamespace : forecast.delete(targets.length);
}

const jobNameMax = 63;

/** Cut where it is too long, and never behind what may not stand before a hyphen. */
function jobName({ name }: ActTarget, { suffix }: ActMoment): string {
  const end = `-manual-${suffix}`;
  return name.slice(0, jobNameMax - end.length).replace(/[-.]+$/, '') + end;
}

/** As kubectl, which refuses what would not happen before the rollout goes on. */
async function restart(target: ActTarget, _input: string, moment: ActMoment): Promise<string> {
  if ((await objectOf(target)).spec?.['paused'] === true) throw new Error(texts.acts.restartPaused);
  const annotations = { 'kubectl.kubernetes.io/restartedAt': timeText(moment) };
  return patch(target, { body: { spec: { template: { metadata: { annotations } } } } });
}

function remove(target: ActTarget): Promise<string> {
  return request(`${pathOf(target)}?propagationPolicy=Background`, { method: 'DELETE' }).then(() => '');
}

export const acts: readonly Act[] = [
  {
    name: 'scale',
    label: labels.scale,
    resources: ['deployments.apps', 'statefulsets.apps', 'replicasets.apps'],
    input: {
      label: texts.acts.replicas,
      initial: ({ object }) => String(object?.spec?.['replicas'] ?? ''),
      fault: (text) => (/^\d{1,6}$/.test(text) ? '' : texts.acts.badReplicas),
    },
    kubectl: (target, input) => `kubectl scale ${named(target)}${inNamespace(target)} --replicas=${shellQuote(input)}`,
    run: (target, input) => patch(target, { body: { spec: { replicas: Number(input) } } }, '/scale'),
  },
  {
    name: 'restart',
    label: labels.restart,
    resources: templated,
    kubectl: (target) => `kubectl rollout restart ${named(target)}${inNamespace(target)}`,
    run: restart,
  },
  {
    name: 'undo',
    label: labels.undo,
    resources: templated,
    danger: true,
    forecast: undoForecasts,
    kubectl: (target) => `kubectl rollout undo ${named(target)}${inNamespace(target)}`,
    run: async (target) => undo(target, await objectOf(target)),
  },
  {
    name: 'pause',
    label: labels.pause,
    resources: ['deployments.apps'],
    isFor: ({ spec }) => spec?.['paused'] !== true,
    kubectl: (target) => `kubectl rollout pause ${named(target)}${inNamespace(target)}`,
    run: specFlag('paused', true),
  },
  {
    name: 'resume',
    label: labels.resume,
    resources: ['deployments.apps'],
    isFor: ({ spec }) => spec?.['paused'] === true,
    kubectl: (target) => `kubectl rollout resume ${named(target)}${inNamespace(target)}`,
    run: specFlag('paused', null),
  },
  {
    name: 'cordon',
    label: labels.cordon,
    resources: ['nodes'],
    isFor: ({ spec }) => spec?.['unschedulable'] !== true,
    kubectl: ({ name }) => `kubectl cordon ${shellQuote(name)}`,
    run: specFlag('unschedulable', true),
  },
  {
    name: 'uncordon',
    label: labels.uncordon,
    resources: ['nodes'],
    isFor: ({ spec }) => spec?.['unschedulable'] === true,
    kubectl: ({ name }) => `kubectl uncordon ${shellQuote(name)}`,
    run: specFlag('unschedulable', null),
  },
  {
    name: 'drain',
    label: labels.drain,
    resources: ['nodes'],
    danger: true,
    forecast: (targets) => drainForecast(targets.map(({ name }) => name)),
    kubectl: ({ name }) => `kubectl drain ${shellQuote(name)} --ignore-daemonsets --delete-emptydir-data --force`,
    run: async (target) => {
      await patch(target, { body: { spec: { unschedulable: true } } });
      return drain(target.name);
    },
  },
  {
    name: 'trigger',
    label: labels.trigger,
    resources: ['cronjobs.batch'],
    kubectl: (target, _input, moment) =>
      `kubectl create job ${shellQuote(jobName(target, moment))} --from=cronjob/${shellQuote(target.name)}${inNamespace(target)}`,
    run: trigger,
  },
  {
    name: 'suspend',
    label: labels.suspend,
    resources: ['cronjobs.batch', 'jobs.batch'],
    isFor: ({ spec }) => spec?.['suspend'] !== true,
    kubectl: (target) => `kubectl patch ${named(target)}${inNamespace(target)} -p '{"spec":{"suspend":true}}'`,
    run: specFlag('suspend', true),
  },
  {
    name: 'unsuspend',
    label: labels.unsuspend,
    resources: ['cronjobs.batch', 'jobs.batch'],
    isFor: ({ spec }) => spec?.['suspend'] === true,
    kubectl: (target) => `kubectl patch ${named(target)}${inNamespace(target)} -p '{"spec":{"suspend":false}}'`,
    run: specFlag('suspend', false),
  },
  {
    name: 'heal',
    label: labels.heal,
    resources: [fault],
    forecast: () => Promise.resolve([forecast.heal]),
    kubectl: (target) => `kubectl delete ${named(target)}`,
    run: remove,
  },
  {
    name: 'delete',
    label: labels.delete,
    resources: [],
    danger: true,
    forecast: (targets) => Promise.resolve([deleteForecast(targets)]),
    kubectl: (target) => `kubectl delete ${named(target)}${inNamespace(target)}`,
    run: remove,
  },
];

/** Acts that make sense for all of these. */
export function actsFor(targets: readonly ActTarget[]): readonly Act[] {
  return acts.filter(({ resources, isFor, name }) =>
    targets.every(
      ({ resource, object }) =>
        (resources.length === 0 || resources.includes(typeOf(resource))) &&
        (object === undefined || isFor === undefined || isFor(object)) &&
        // Who deletes a fault heals it, and is told so.
        (name !== 'delete' || typeOf(resource) !== fault) &&
        resource.verbs.includes(name === 'delete' || name === 'heal' ? 'delete' : 'patch'),
    ),
  );
}
