/**
 * What happened, why, and what to do. Of an engine that is not heard the frame says so already, in red and with what to do: what cannot be read because of
 * it is no error of its own.
 */
import { noAnswer } from '../api/request.ts';
import { engineIsHeard, useClock } from '../state/clock.ts';
import { texts } from '../texts/texts.ts';

export function ErrorBox({ title, detail, onRetry }: { readonly title: string; readonly detail: string; readonly onRetry?: () => void }) {
  const isHeard = useClock(engineIsHeard);
  if (!isHeard && detail === noAnswer) return <p className="muted coming">{texts.engine.notRead}</p>;
  return (
    <div className="error-box" role="alert">
      <strong>{texts.frame.errorTitle(title)}</strong> {detail}{' '}
      {onRetry ? (
        <button type="button" className="link" onClick={onRetry}>
          {texts.frame.tryAgain}
        </button>
      ) : null}
    </div>
  );
}
