/** What came, or would come, of each object. */
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { useState } from 'react';
import { Difference, Warnings } from '../../editor/PlanView.tsx';
import { shorten } from '../../lib/shorten.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import type { Outcome } from './apply.ts';

const words = texts.create;
const messageMax = 2000;
const nameMax = 300;

export function OutcomeList({ outcomes, dryRun }: { readonly outcomes: readonly Outcome[]; readonly dryRun: boolean }) {
  return (
    <ol className="outcomes">
      {outcomes.map((outcome, index) => (
        <OutcomeLine key={index} outcome={outcome} dryRun={dryRun} />
      ))}
    </ol>
  );
}

function OutcomeLine({ outcome, dryRun }: { readonly outcome: Outcome; readonly dryRun: boolean }) {
  const { manifest, state, text, warnings, before, after, id } = outcome;
  const [open, setOpen] = useState(false);
  const select = useNavigation(({ select: choose }) => choose);
  const Sign = state === 'refused' ? CircleX : state === 'waits' ? CircleDashed : CircleCheck;
  const name = `${manifest.gvk?.kind ?? ''} ${manifest.namespace === '' ? '' : `${manifest.namespace}/`}${manifest.name}`;
  return (
    <li>
      <div className="row">
        <Sign size={14} aria-hidden className={state === 'refused' ? 'bad' : state === 'waits' ? 'muted' : 'good'} />
        <strong className="ellipsis">{shorten(name, nameMax)}</strong>
        <span className={state === 'refused' ? 'bad' : 'muted'}>{(dryRun ? words.dryStates : words.states)[state]}</span>
        <div className="grow" />
        {after && dryRun ? (
          <button type="button" className="link dense" aria-expanded={open} onClick={() => setOpen(!open)}>
            {words.show}
          </button>
        ) : null}
        {after && !dryRun ? (
          <button type="button" className="link dense" onClick={() => select(id)} aria-label={`${words.open} ${name}`}>
            {words.open}
          </button>
        ) : null}
      </div>
      {text ? <p className={`dense ${state === 'refused' ? 'bad' : 'muted'}`}>{shorten(text, messageMax)}</p> : null}
      <Warnings warnings={warnings} />
      {open && after ? <Difference live={before} result={after} /> : null}
    </li>
  );
}
