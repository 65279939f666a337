/**
 * The revisions of a DaemonSet: the present one is found or made, doubles are folded into one, old ones are forgotten. Mirrors the
 * histories of pkg/controller/daemon/update.go.
 */
import type { ControllerRevision, DaemonSet } from '../../api/apps/v1/types.gen.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';
import type { GoForms } from '../../apimachinery/go-print.ts';
import { isAlreadyExists } from '../../apimachinery/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import { controllerRevisions, daemonSets, pods } from '../../client/resources.ts';
import { RetryError } from '../../controller-runtime/retry-error.ts';
import { sortedMap, withMeta } from '../../component-helpers/meta.ts';
import type { RevisionData } from '../lib/revision-data.ts';
import {
  byRevision,
  candidateRevisions,
  claimRevisions,
  draftRevision,
  forgetRevisions,
  nextNumber,
  renumber,
  revisionLabel,
  type RevisionOwner,
} from '../lib/revision-history.ts';
import { templateHash } from '../lib/template-hash.ts';

export interface DaemonHistory {
  readonly current: ControllerRevision;
  /** Oldest first. */
  readonly old: readonly ControllerRevision[];
}

export interface HistoryOptions {
  readonly client: Client;
  readonly cache: Informer<ControllerRevision>;
  readonly data: RevisionData;
  readonly forms: GoForms;
  readonly owner: RevisionOwner;
  readonly daemonSet: DaemonSet;
  /** The pods that it controls. */
  readonly listPods: () => Promise<readonly Pod[]>;
}

/** Brings the revisions up to date. */
export async function constructHistory(options: HistoryOptions): Promise<DaemonHistory> {
  const { client, cache, data, owner, daemonSet } = options;
  const patch = data.patchOf(daemonSet.spec?.template);
  const present: ControllerRevision[] = [];
  const old: ControllerRevision[] = [];
  for (const revision of await claimRevisions(client, owner, candidateRevisions(cache, owner))) {
    const labelled = revision.metadata.labels?.[revisionLabel] === undefined ? await label(client, revision) : revision;
    (data.textOf(labelled) === patch ? present : old).push(labelled);
  }
  old.sort(byRevision);
  const number = nextNumber(old);
  if (present.length === 0) return { current: await snapshot(options, patch, number), old };
  const current = await withoutDoubles(options, present);
  return { current: BigInt(current.revision ?? 0) < number ? await renumber(client, current, number) : current, old };
}

/** A revision of an earlier release: its name tells pods apart as well as a hash. */
function label(client: Client, revision: ControllerRevision): Promise<ControllerRevision> {
  const { name = '', labels } = revision.metadata;
  return client.update(controllerRevisions, {
    ...revision,
    metadata: withMeta(revision.metadata, { labels: sortedMap({ ...labels, [revisionLabel]: name }) }),
  });
}

async function withoutDoubles({ client, listPods }: HistoryOptions, present: readonly ControllerRevision[]): Promise<ControllerRevision> {
  const kept = present.toSorted(byRevision).at(-1) as ControllerRevision;
  if (present.length === 1) return kept;
  const hash = kept.metadata.labels?.[revisionLabel] ?? '';
  for (const { metadata } of await listPods()) {
    if (metadata.labels?.[revisionLabel] === hash) continue;
    await client.patch(pods, metadata.namespace, metadata.name ?? '', 'merge', { metadata: { labels: { [revisionLabel]: hash } } });
  }
  await forgetRevisions(
    client,
    present.filter((revision) => revision !== kept),
  );
  return kept;
}

/** Makes the revision of the present template. Another one of its name makes the hash count up, and the sync begins again. */
async function snapshot({ client, data, forms, owner, daemonSet }: HistoryOptions, patch: string, number: bigint): Promise<ControllerRevision> {
  const { namespace, name = '' } = daemonSet.metadata;
  const template = daemonSet.spec?.template;
  const hash = templateHash(forms, template, daemonSet.status?.collisionCount);
  const draft = draftRevision(owner, template, { revision: number, hash, label: revisionLabel, patch });
  try {
    return await client.create(controllerRevisions, { ...draft, metadata: { ...draft.metadata, name: `${name}-${hash}` } });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const existing = await client.get(controllerRevisions, namespace, `${name}-${hash}`);
    if (data.textOf(existing) === patch) return existing;
    await countCollision(client, daemonSet);
    throw error;
  }
}

async function countCollision(client: Client, daemonSet: DaemonSet): Promise<void> {
  const { namespace, name = '' } = daemonSet.metadata;
  const fresh = await client.get(daemonSets, namespace, name);
  const [known, stored] = [daemonSet.status?.collisionCount, fresh.status?.collisionCount];
  if (known !== stored) {
    const count = `(${known ?? 0}, expected ${stored ?? 0})`;
    throw new RetryError(`found a stale collision count ${count} of DaemonSet "${name}" while processing; will retry until it is updated`);
  }
  const { conditions, ...status } = fresh.status ?? { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
  const counted = { ...status, collisionCount: (stored ?? 0) + 1, ...(conditions === undefined ? {} : { conditions }) };
  await client.updateStatus(daemonSets, { ...fresh, status: counted });
}

/** Forgets the oldest revisions of which there are no pods, beyond the limit. */
export async function cleanUpHistory(client: Client, daemonSet: DaemonSet, old: readonly ControllerRevision[], own: readonly Pod[]): Promise<void> {
  const surplus = old.length - (daemonSet.spec?.revisionHistoryLimit ?? 10);
  if (surplus <= 0) return;
  const live = new Set(own.map(({ metadata }) => metadata.labels?.[revisionLabel]));
  const unused = old.filter(({ metadata }) => !live.has(metadata.labels?.[revisionLabel]));
  await forgetRevisions(client, unused.slice(0, surplus));
}
