/** What happened, why, and what to do. */
export function ErrorBox({ title, detail, onRetry }: { readonly title: string; readonly detail: string; readonly onRetry?: () => void }) {
  return (
    <div className="error-box" role="alert">
      <strong>{title}.</strong> {detail}{' '}
      {onRetry ? (
        <button type="button" className="link" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
