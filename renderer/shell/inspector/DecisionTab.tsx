/** What the scheduler thought of a pod: nodes alike by plugins, and in a sentence why the pod is not on a node that somebody asks about. */
import { useEffect, useState } from 'react';
import type { SchedulingMatrix } from '../../../engine/api/sim/v1alpha1/scheduling-matrix.ts';
import { ApiError, isAbort, messageOf, request } from '../../api/request.ts';
import type { RowName } from '../../api/resources.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { shorten } from '../../lib/shorten.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { MatrixTable } from './matrix/MatrixTable.tsx';
import { Preemption } from './matrix/Preemption.tsx';

const words = texts.matrix;
const textMax = 1000;

interface Answer {
  /** Null: nobody has decided anything. */
  readonly matrix: SchedulingMatrix['status'] | null | undefined;
  readonly error: string;
}

/** `revision` of the pod: with another one there may be another attempt. */
function useMatrix({ namespace, name }: RowName, revision: string, attempt: number | undefined, node: string): Answer {
  const [answer, setAnswer] = useState<Answer>({ matrix: undefined, error: '' });
  useEffect(() => {
    const abort = new AbortController();
    const query = new URLSearchParams({ ...(attempt === undefined ? {} : { attempt: String(attempt) }), ...(node === '' ? {} : { node }) });
    const path = `/apis/sim.wavetank.dev/v1alpha1/namespaces/${namespace}/schedulingmatrices/${name}?${query.toString()}`;
    request<SchedulingMatrix>(path, { signal: abort.signal }).then(
      ({ status }) => setAnswer({ matrix: status, error: '' }),
      (error: unknown) => {
        if (isAbort(error)) return;
        const isNone = error instanceof ApiError && error.code === 404 && attempt === undefined;
        setAnswer(isNone ? { matrix: null, error: '' } : { matrix: undefined, error: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [namespace, name, revision, attempt, node]);
  return answer;
}

export function DecisionTab({ name, revision }: { readonly name: RowName; readonly revision: string }) {
  const when = useWhen();
  const { attempt, node, go } = useNavigation();
  const ask = (other: string): void => go({ node: other });
  const { matrix, error } = useMatrix(name, revision, attempt, node);
  if (error)
    return (
      <>
        <ErrorBox title={words.cannotRead} detail={error} />
        {attempt === undefined ? null : (
          <button type="button" className="button" onClick={() => go({ attempt: undefined })}>
            {words.lastAttempt}
          </button>
        )}
      </>
    );
  if (matrix === undefined) return null;
  if (matrix === null) return <Empty title={words.noneTitle}>{words.noneText}</Empty>;
  const { message, asked, evaluatedNodes, feasibleNodes, skipped, preemption } = matrix;
  return (
    <section className="section decision">
      <h2 className="small-title">
        {words.at(matrix.attempt, when(Date.parse(matrix.time), true), matrix.result, matrix.node ?? '')}
        {matrix.at === undefined ? '' : ` (${matrix.at})`}
      </h2>
      {matrix.attempts.length > 1 ? (
        <label className="dense row">
          {words.attempts}{' '}
          <select className="field" value={matrix.attempt} onChange={(event) => go({ attempt: Number(event.target.value) })}>
            {matrix.attempts.toReversed().map((one) => (
              <option key={one} value={one}>
                {words.attempt(one)}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <p className="dense">
        {words.lookedAt(evaluatedNodes, feasibleNodes)} {message === undefined ? '' : shorten(message, textMax)}
      </p>
      <AskNode key={node} node={node} onAsk={ask} names={matrix.groups.flatMap(({ nodes }) => nodes)} />
      <p className={`asked ${asked === undefined ? '' : `is-${asked.verdict.toLowerCase()}`}`} role="status">
        {asked === undefined ? null : shorten(asked.text, textMax)}
      </p>
      <MatrixTable matrix={matrix} asked={node} onAsk={ask} />
      {preemption === undefined ? null : <Preemption preemption={preemption} onAsk={ask} />}
      {skipped.length > 0 ? <p className="muted dense">{words.skipped(skipped)}</p> : null}
      <p className="muted dense">{words.recorded}</p>
    </section>
  );
}

const offeredMax = 200;

function AskNode({ node, names, onAsk }: { readonly node: string; readonly names: readonly string[]; readonly onAsk: (node: string) => void }) {
  const [text, setText] = useState(node);
  return (
    <form
      className="row ask-node"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(text.trim());
      }}
    >
      <input
        className="field mono"
        list="matrix-nodes"
        aria-label={words.ask}
        placeholder={words.ask}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          // What was taken from the list needs no other key.
          if (names.includes(event.target.value)) onAsk(event.target.value);
        }}
      />
      <datalist id="matrix-nodes">
        {names.slice(0, offeredMax).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <button type="submit" className="button">
        {words.asking}
      </button>
    </form>
  );
}
