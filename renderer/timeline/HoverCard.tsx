/** What lies under the pointer: what changed, who wrote it, when. */
import { formatDuration, formatTime } from '../lib/format.ts';
import type { Hover } from './TimeCanvas.tsx';

const cardWidth = 300;

export function HoverCard({ hover, width, height }: { readonly hover: Hover; readonly width: number; readonly height: number }) {
  const { row, mark, segment, x, y } = hover;
  if (!row) return null;
  const left = x + 14 + cardWidth > width ? Math.max(4, x - cardWidth - 14) : x + 14;
  const vertical = y > height - 110 ? { bottom: height - y + 10 } : { top: y + 14 };
  return (
    <div className="hover-card" role="tooltip" style={{ left, width: cardWidth, ...vertical }}>
      <div className="hover-title"><span className="kind">{row.kind}</span> <code>{row.name}</code></div>
      {mark ? <div className={mark.level === 'Warning' ? 'warn' : ''}>{mark.text}</div> : null}
      {segment ? <div className="muted">{segment.state}{segment.ready === true ? ', ready' : segment.ready === false ? ', not ready' : ''}{segment.toMs === undefined ? '' : ` for ${formatDuration(segment.toMs - segment.fromMs)}`}</div> : null}
      <div className="muted">{formatTime(mark?.ms ?? hover.ms, true)}{mark?.by ? ` · by ${mark.by}` : ''}{mark?.revision ? ` · revision ${mark.revision}` : ''}</div>
    </div>
  );
}
