/** Facts, conditions, owners and dependents. */
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { TimelineRow } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import type { AnyObject } from '../../api/objects.ts';
import { readDependents } from '../../api/dependents.ts';
import { isAbort, messageOf } from '../../api/request.ts';
import { rowIdOfKind, useResources } from '../../api/resources.ts';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { StateSign } from '../../components/StateSign.tsx';
import { formatDuration } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { Behind } from './Behind.tsx';
import { conditionsOf } from './summarize.ts';

const words = texts.frame.inspector;
const labelsMax = 40;
const conditionsMax = 40;
const nameMax = 120;
const messageMax = 800;
const goodWhenFalse = /Pressure$|Failure$|Unavailable$|Remaining$|^(Failed|FailureTarget|DisruptionTarget|Suspended|NonStructuralSchema)$/;

export function OverviewTab({ id, object }: { readonly id: string; readonly object: AnyObject | undefined }) {
  const nowMs = useClock((state) => state.nowMs);
  const when = useWhen();
  const resources = useResources((state) => state.resources);
  const select = useNavigation((state) => state.select);
  const conditions = object ? conditionsOf(object) : [];
  const labels = Object.entries(object?.metadata.labels ?? {});
  const created = Date.parse(object?.metadata.creationTimestamp ?? '');
  const node = object?.spec?.['nodeName'];
  return (
    <>
      {object ? (
        <dl className="facts">
          {Number.isNaN(created) ? null : (
            <>
              <dt>{words.created}</dt>
              <dd>
                <Behind row={id} atMs={created} verb="create">
                  {words.createdAt(when(created), formatDuration(Math.max(0, nowMs - created)))}
                </Behind>
              </dd>
            </>
          )}
          {typeof node === 'string' ? (
            <>
              <dt>{words.node}</dt>
              <dd>
                <button type="button" className="link mono" onClick={() => select(`nodes/${node}`)}>
                  {node}
                </button>
              </dd>
            </>
          ) : null}
          {(object.metadata.ownerReferences ?? []).map((owner) => {
            const ownerId = rowIdOfKind(resources, owner.apiVersion, owner.kind, object.metadata.namespace, owner.name);
            return (
              <div key={owner.uid} className="pair">
                <dt>{words.owner}</dt>
                <dd>
                  {owner.kind}{' '}
                  {ownerId ? (
                    <button type="button" className="link mono" onClick={() => select(ownerId)}>
                      {owner.name}
                    </button>
                  ) : (
                    owner.name
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      ) : null}
      {conditions.length > 0 ? (
        <section className="section">
          <h2 className="small-title">{words.conditions}</h2>
          <ul className="conditions">
            {conditions.slice(0, conditionsMax).map(({ type, status, reason, message, lastTransitionTime }, index) => {
              const good = goodWhenFalse.test(type) ? status === 'False' : status === 'True';
              const Sign = status === 'Unknown' ? CircleHelp : good ? CircleCheck : CircleX;
              return (
                <li key={index}>
                  <Sign size={14} aria-hidden className={good ? 'good' : status === 'Unknown' ? 'warn' : 'bad'} />
                  <div>
                    <strong>{shorten(type, nameMax)}</strong>{' '}
                    <Behind row={id} says={`${type}:`} {...sinceOf(lastTransitionTime)}>
                      {shorten(status, nameMax)}
                    </Behind>
                    {reason ? <span className="muted">{words.reason(shorten(reason, nameMax))}</span> : null}
                    {isTime(lastTransitionTime) ? (
                      <span className="muted">
                        {'\u00a0· '}
                        <span className="unbroken">{words.since(when(Date.parse(lastTransitionTime)))}</span>
                      </span>
                    ) : null}
                    {message && !good ? <div className="muted">{shorten(message, messageMax)}</div> : null}
                  </div>
                </li>
              );
            })}
            {conditions.length > conditionsMax ? <li className="muted">{words.moreLabels(conditions.length - conditionsMax)}</li> : null}
          </ul>
        </section>
      ) : null}
      <Dependents id={id} revision={object?.metadata.resourceVersion ?? ''} />
      {labels.length > 0 ? (
        <section className="section">
          <h2 className="small-title">{words.labels}</h2>
          <div className="labels dense">
            {labels.slice(0, labelsMax).map(([key, value]) => (
              <code key={key}>
                <span className="muted">{`${key}=`}</span>
                <wbr />
                {value}
              </code>
            ))}
            {labels.length > labelsMax ? <span className="muted">{words.moreLabels(labels.length - labelsMax)}</span> : null}
          </div>
        </section>
      ) : null}
    </>
  );
}

function isTime(time: string | undefined): time is string {
  return time !== undefined && !Number.isNaN(Date.parse(time));
}

/** Nothing where none is told. */
function sinceOf(time: string | undefined): { readonly atMs?: number } {
  const atMs = Date.parse(time ?? '');
  return Number.isNaN(atMs) ? {} : { atMs };
}

/** Numbers a step: see area-steps.ts. */
const areaWidth = 4;

function Dependents({ id, revision }: { readonly id: string; readonly revision: string }) {
  const select = useNavigation((state) => state.select);
  const asking = useAsking(id, revision);
  const [found, setFound] = useState<{ rows: readonly TimelineRow[]; total: number; error: string }>({ rows: [], total: 0, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    readDependents(id, abort.signal).then(
      ({ rows, total }) => {
        if (!abort.signal.aborted) setFound({ rows, total, error: '' });
      },
      (error: unknown) => {
        if (!isAbort(error) && !abort.signal.aborted) setFound({ rows: [], total: 0, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [id, asking]);
  if (found.error) return <ErrorBox title={words.ownsUnread} detail={found.error} />;
  const rows = found.rows.filter((row) => row.owner === id);
  if (rows.length === 0) return null;
  return (
    <section className="section">
      <h2 className="small-title">{words.owns(rows.length, found.total > found.rows.length)}</h2>
      <ul className="dense">
        {rows.map((row) => (
          <li key={`${row.id}${row.uid}`} style={{ display: 'flex', gap: 8, alignItems: 'center', minHeight: 24 }}>
            <StateSign state={row.segments.at(-1)?.state ?? 'Exists'} wordless />
            <button type="button" className="link mono ellipsis" onClick={() => select(row.id)}>
              {row.name}
            </button>
            <span className="muted">{row.kind}</span>
            <span className="muted" style={{ marginLeft: 'auto' }}>
              {row.deletedMs === undefined ? (
                <Level row={row} />
              ) : (
                <Behind row={row.id} atMs={row.deletedMs} verb="delete">
                  {words.deleted}
                </Behind>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Another number each time that there is more to ask for: an answer tells of all revisions up to the one that the page knew of when it asked. */
function useAsking(id: string, revision: string): number {
  const asked = useRef({ id: '', revision: 0, count: 0 });
  const [known, wanted] = [useClock.getState().clock?.status.revision ?? 0, Number(revision)];
  if (asked.current.id !== id || wanted > asked.current.revision)
    asked.current = { id, revision: Math.max(known, wanted), count: asked.current.count + 1 };
  return asked.current.count;
}

/** How many of the pods that it wishes are ready. */
function Level({ row }: { readonly row: TimelineRow }) {
  const { area = [] } = row;
  const [, wished = 0, ready = 0] = area.slice(-areaWidth);
  if (area.length === 0) return null;
  return (
    <Behind row={row.id} className={ready < wished ? 'bad' : ''}>
      {texts.timeline.of(ready, wished)}
    </Behind>
  );
}
