/** What happened, why, and what to do. */
import { texts } from '../texts/texts.ts';

export function ErrorBox({ title, detail, onRetry }: { readonly title: string; readonly detail: string; readonly onRetry?: () => void }) {
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
