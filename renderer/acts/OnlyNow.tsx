/**
 * Around all that changes the cluster. While an instant that has passed is looked at, or the engine is not heard, acts are shown and not
 * offered: what they would change is not what is seen. One click goes to now, where they are.
 */
import type { ReactNode } from 'react';
import { backToNow } from '../state/past.ts';
import { texts } from '../texts/texts.ts';
import { useWritable } from './use-writable.ts';

/** `isSaid` elsewhere: the reason stands as a tooltip only. */
export function OnlyNow({ children, isSaid = false }: { readonly children: ReactNode; readonly isSaid?: boolean }) {
  const { reason } = useWritable();
  return (
    <>
      {isSaid ? null : <NowNote />}
      <fieldset className="only-now" disabled={reason !== ''} title={reason || undefined}>
        {children}
      </fieldset>
    </>
  );
}

/** Why nothing can be changed, with the way to where it can; nothing when it can. */
export function NowNote() {
  const { reason, isPast } = useWritable();
  if (reason === '') return null;
  return (
    <p className="warn dense now-note" role="status">
      {reason}{' '}
      {isPast ? (
        <button type="button" className="link" onClick={backToNow}>
          {texts.acts.backToNow}
        </button>
      ) : null}
    </p>
  );
}
