/** What the scheduler thought: nodes by plugins, and why the others were turned away. */
import { useEffect, useState } from 'react';
import type { SchedulingDecision } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { ApiError, isAbort, messageOf, request } from '../../api/request.ts';
import type { RowName } from '../../api/resources.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatTime, plural } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';

interface Attempt {
  readonly virtualMs: number;
  readonly attempt: number;
  readonly result: string;
  readonly node?: string;
  readonly message?: string;
  readonly evaluatedNodes: number;
  readonly feasibleNodes: number;
  readonly filtered?: Readonly<Record<string, Readonly<Record<string, { readonly count: number; readonly nodes: readonly string[] }>>>>;
  readonly at?: string;
  readonly scores?: {
    readonly plugins: readonly string[];
    readonly weights?: readonly number[];
    readonly nodes: readonly string[];
    /** Normalised and weighted. */
    readonly values: readonly (readonly number[])[];
    readonly raw?: readonly (readonly number[])[];
  };
}

export function DecisionTab({ name, revision }: { readonly name: RowName; readonly revision: string }) {
  const [answer, setAnswer] = useState<{ attempts: readonly Attempt[] | undefined; error: string }>({ attempts: undefined, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    request<SchedulingDecision>(`/apis/sim.wavetank.dev/v1alpha1/namespaces/${name.namespace}/schedulingdecisions/${name.name}`, {
      signal: abort.signal,
    }).then(
      ({ attempts }) => setAnswer({ attempts: attempts as unknown as readonly Attempt[], error: '' }),
      (error: unknown) => {
        if (!isAbort(error))
          setAnswer(error instanceof ApiError && error.code === 404 ? { attempts: [], error: '' } : { attempts: undefined, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [name.namespace, name.name, revision]);
  if (answer.error) return <ErrorBox title="The decision cannot be read" detail={answer.error} />;
  if (!answer.attempts) return null;
  if (answer.attempts.length === 0)
    return <Empty title="No decision on record">The scheduler has not looked at this pod, or it was bound by someone else.</Empty>;
  return (
    <>
      {answer.attempts.toReversed().map((attempt) => (
        <AttemptPart key={attempt.attempt} attempt={attempt} />
      ))}
    </>
  );
}

const scoreRows = 12;

function AttemptPart({ attempt }: { readonly attempt: Attempt }) {
  const select = useNavigation((state) => state.select);
  const { scores } = attempt;
  return (
    <section className="section">
      <h2 className="small-title">
        Attempt {attempt.attempt} at {formatTime(attempt.virtualMs, true)}: {attempt.result}
        {attempt.node ? ` on ${attempt.node}` : ''}
        {attempt.at ? ` (${attempt.at})` : ''}
      </h2>
      <p className="dense">
        {plural(attempt.evaluatedNodes, 'node')} looked at, {attempt.feasibleNodes} would do.{attempt.message ? ` ${attempt.message}` : ''}
      </p>
      {Object.entries(attempt.filtered ?? {}).flatMap(([plugin, reasons]) =>
        Object.entries(reasons).map(([reason, { count, nodes }]) => (
          <p key={`${plugin}${reason}`} className="dense">
            <strong>{plugin}</strong> turned {plural(count, 'node')} away: {reason}{' '}
            <span className="muted">
              ({nodes.slice(0, 3).join(', ')}
              {count > 3 ? ' …' : ''})
            </span>
          </p>
        )),
      )}
      {scores ? (
        <div className="matrix" tabIndex={0} role="region" aria-label="Scores by node and plugin">
          <table className="table">
            <thead>
              <tr>
                <th>Node</th>
                {scores.plugins.map((plugin, column) => (
                  <th key={plugin} className="number" title={plugin}>
                    {plugin.replace(/[a-z]/g, '') || plugin}
                    <span className="muted"> ×{scores.weights?.[column] ?? 1}</span>
                    <span className="sr-only">{plugin}</span>
                  </th>
                ))}
                <th className="number">Total</th>
              </tr>
            </thead>
            <tbody>
              {scores.nodes.slice(0, scoreRows).map((node, row) => (
                <tr key={node} className={node === attempt.node ? 'is-selected' : ''}>
                  <td>
                    <button type="button" className="link mono" onClick={() => select(`nodes/${node}`)}>
                      {node}
                    </button>
                  </td>
                  {(scores.values[row] ?? []).map((value, column) => (
                    <td key={column} className="number">
                      {Math.round(value)}
                      <RawScore raw={scores.raw?.[row]?.[column]} value={value} weight={scores.weights?.[column] ?? 1} />
                    </td>
                  ))}
                  <td className="number">
                    <strong>{Math.round((scores.values[row] ?? []).reduce((sum, value) => sum + value, 0))}</strong>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </section>
  );
}

/** What the plugin said itself, and what became of it, where that is more than its weight. */
function RawScore({ raw, value, weight }: { readonly raw: number | undefined; readonly value: number; readonly weight: number }) {
  if (raw === undefined || raw * weight === value) return null;
  return (
    <span className="muted" title={`raw ${raw}, normalised ${value / weight}, weighted ${value}`}>
      {' '}
      ({Math.round(raw)})
    </span>
  );
}
