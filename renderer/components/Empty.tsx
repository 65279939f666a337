/** An empty view says what would fill it, and offers the act. */
import type { ReactNode } from 'react';

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="empty-body">{children}</div>
    </div>
  );
}
