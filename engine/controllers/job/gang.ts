/**
 * The Workload and the PodGroup of a Job whose pods must run together (gate WorkloadWithJob). Mirrors pkg/controller/job/job_scheduling_manager.go;
 * what is there and does not fit leaves the Job's pods without a group, as upstream.
 */
import type { Job } from '../../api/batch/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { PodGroup, Workload } from '../../api/scheduling/v1alpha2/types.gen.ts';
import { type Informer, keyOf } from '../../client/informer.ts';
import { jobs, podGroups, workloads } from '../../client/resources.ts';
import type { ReconcileContext } from '../../controller-runtime/controller.ts';
import type { ControllerEnvironment } from '../controller.ts';
import { isControlledBy, newControllerRef } from '../lib/controller-ref.ts';
import { hashOfText } from '../lib/template-hash.ts';
import { isIndexed } from './indexes.ts';
import type { JobMemory } from './memory.ts';
import { conditionOf } from './status.ts';

const byJob = 'workloadByJobName';
const byWorkload = 'podGroupByWorkloadName';
const group = 'scheduling.k8s.io';
/** The length of a DNS subdomain. */
const nameMax = 253;

export class JobGangs {
  readonly #environment: ControllerEnvironment;
  readonly #memory: JobMemory;
  readonly #workloads: Informer<Workload>;
  readonly #groups: Informer<PodGroup>;

  constructor(environment: ControllerEnvironment, memory: JobMemory) {
    this.#environment = environment;
    this.#memory = memory;
    this.#workloads = environment.informer(workloads);
    this.#groups = environment.informer(podGroups);
    this.#workloads.addIndex(byJob, keysOfJob);
    this.#groups.addIndex(byWorkload, keysOfWorkload);
  }

  /** The PodGroup that new pods of the Job belong to, made if need be; undefined for pods that are placed one by one. */
  async groupOf(context: ReconcileContext, job: Job, pods: readonly Pod[]): Promise<string | undefined> {
    if (!isCandidate(job)) return undefined;
    const made = this.#memory.gangs.get(keyOf(job));
    if (made !== undefined) return made;
    const workload = await this.#workloadOf(context, job, pods);
    return workload === undefined ? undefined : this.#groupOf(context, job, workload);
  }

  async #workloadOf(context: ReconcileContext, job: Job, pods: readonly Pod[]): Promise<Workload | undefined> {
    const found = this.#workloads.byIndex(byJob, keyOf(job));
    if (found.length === 0) return isNew(job, pods) ? this.#createWorkload(context, job) : undefined;
    const [workload] = found;
    const fits = found.length === 1 && workload !== undefined && isControlledBy(workload, job) && workload.spec.podGroupTemplates?.length === 1;
    return fits ? workload : undefined;
  }

  async #createWorkload({ client, causes }: ReconcileContext, job: Job): Promise<Workload> {
    const { namespace, name = '' } = job.metadata;
    const created = await client.create(workloads, {
      kind: 'Workload',
      apiVersion: `${group}/v1alpha2`,
      metadata: { name: workloadName(job), namespace, ownerReferences: [newControllerRef(job, jobs)] },
      spec: {
        controllerRef: { apiGroup: jobs.group, kind: jobs.kind, name },
        podGroupTemplates: [{ name: `${name}-pgt-0`, schedulingPolicy: { gang: { minCount: job.spec?.parallelism ?? 0 } } }],
      },
    } as unknown as Workload);
    const message = `Created Workload ${created.metadata.name} for Job ${name}`;
    this.#environment.recorder.event(job, 'Normal', 'WorkloadCreated', message, causes);
    return created;
  }

  async #groupOf(context: ReconcileContext, job: Job, workload: Workload): Promise<string | undefined> {
    const found = this.#groups.byIndex(byWorkload, keyOf(workload));
    if (found.length === 0) return this.#createGroup(context, job, workload);
    const [only] = found;
    return found.length === 1 && only !== undefined && isControlledBy(only, job) ? only.metadata.name : undefined;
  }

  async #createGroup({ client }: ReconcileContext, job: Job, workload: Workload): Promise<string | undefined> {
    const [template] = workload.spec.podGroupTemplates ?? [];
    if (template === undefined) return undefined;
    const { name: owner = '', uid = '', namespace } = workload.metadata;
    const reference = { apiVersion: `${group}/v1alpha2`, kind: 'Workload', name: owner, uid };
    const name = podGroupName(owner, template.name);
    await client.create(podGroups, {
      kind: 'PodGroup',
      apiVersion: `${group}/v1alpha2`,
      metadata: { name, namespace, ownerReferences: [newControllerRef(job, jobs), reference] },
      spec: {
        podGroupTemplateRef: { workload: { workloadName: owner, podGroupTemplateName: template.name } },
        schedulingPolicy: template.schedulingPolicy,
      },
    } as unknown as PodGroup);
    // A sync that is cut by the rate limiter goes on before the cache knows the group; its pods belong to it all the same.
    this.#memory.gangs.set(keyOf(job), name);
    return name;
  }
}

function isCandidate(job: Job): boolean {
  const { parallelism = 1, completions, template } = job.spec ?? {};
  return parallelism > 1 && isIndexed(job) && completions === parallelism && !template?.spec?.schedulingGroup;
}

/** A Job that has begun before it had a Workload goes on without. */
function isNew({ status }: Job, pods: readonly Pod[]): boolean {
  if (pods.length > 0 || status?.startTime !== undefined) return false;
  return !status?.succeeded && !status?.failed && conditionOf(status?.conditions ?? [], 'Suspended') === undefined;
}

function keysOfJob({ metadata, spec }: Workload): readonly string[] {
  const { apiGroup, kind, name } = spec.controllerRef ?? {};
  return apiGroup === jobs.group && kind === jobs.kind && name ? [`${metadata.namespace}/${name}`] : [];
}

function keysOfWorkload({ metadata, spec }: PodGroup): readonly string[] {
  const name = spec.podGroupTemplateRef?.workload?.workloadName;
  return name ? [`${metadata.namespace}/${name}`] : [];
}

/** As Go prints a UID. */
function workloadName({ metadata: { name = '', uid = '' } }: Job): string {
  const hash = hashOfText(`(types.UID)${uid}`);
  return `${name.slice(0, nameMax - hash.length - 1)}-${hash}`;
}

/** Both names in full where they fit; else the longer one is cut, or each to its half. */
function podGroupName(workload: string, template: string): string {
  const hash = hashOfText(workload + template);
  const room = nameMax - hash.length - 2;
  const half = Math.floor(room / 2);
  const ofWorkload = Math.max(room - half, room - template.length);
  const cut = workload.slice(0, ofWorkload);
  return `${cut}-${template.slice(0, room - cut.length)}-${hash}`;
}
