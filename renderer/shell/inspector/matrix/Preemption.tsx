/** Whom the pod takes the place of, and where else it could have. */
import type { MatrixStatus } from '../../../../engine/api/sim/v1alpha1/scheduling-matrix.ts';
import { shorten } from '../../../lib/shorten.ts';
import { texts } from '../../../texts/texts.ts';

const words = texts.matrix;
const victimsShown = 5;

interface Props {
  readonly preemption: NonNullable<MatrixStatus['preemption']>;
  readonly onAsk: (node: string) => void;
}

export function Preemption({ preemption: { node, victims, candidateCount, candidates }, onAsk }: Props) {
  const shown = victims.slice(0, victimsShown).map((one) => shorten(one, 120));
  return (
    <section className="section">
      <h2 className="small-title">{words.preemption}</h2>
      <p className="dense">{words.preempts(node, shown, victims.length - shown.length)}</p>
      <p className="dense">{words.candidates(candidateCount)}</p>
      <ul className="dense">
        {candidates.map((one) => (
          <li key={one.node}>
            <button type="button" className="link mono" onClick={() => onAsk(one.node)}>
              {shorten(one.node, 80)}
            </button>{' '}
            <span className="muted">{words.candidate(one.victims, one.pdbViolations)}</span>
          </li>
        ))}
        {candidateCount > candidates.length ? <li className="muted">{words.others(candidateCount - candidates.length)}</li> : null}
      </ul>
    </section>
  );
}
