/** Notices at the corner; errors stay until they are dismissed. */
import { X } from 'lucide-react';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';

export function Notices() {
  const { notices, dismiss } = useNotices();
  return (
    <div className="notices" aria-live="polite">
      {notices.map(({ id, level, title, detail }) => (
        <div key={id} className={`notice ${level}`} role={level === 'error' ? 'alert' : 'status'}>
          <strong>{title}</strong>
          <button
            type="button"
            className="button icon quiet"
            style={{ height: 20, width: 20 }}
            aria-label={texts.frame.dismiss}
            onClick={() => dismiss(id)}
          >
            <X size={13} aria-hidden />
          </button>
          {detail ? <span className="detail">{detail}</span> : null}
        </div>
      ))}
    </div>
  );
}
