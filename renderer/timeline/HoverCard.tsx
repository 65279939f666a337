/** What lies under the pointer: what changed, who wrote it, when. */
import type { TimelineMark } from '../../engine/api/sim/v1alpha1/timeline.ts';
import { formatActor, formatDuration } from '../lib/format.ts';
import { shorten } from '../lib/shorten.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import type { AreaStep } from './area-steps.ts';
import { stateWord } from './row-words.ts';
import type { Hover } from './TimeCanvas.tsx';

const words = texts.entries;
const cardWidth = 340;
const marksMax = 5;

export function HoverCard({ hover, width, height }: { readonly hover: Hover; readonly width: number; readonly height: number }) {
  const { row, marks, segment, step, x, y } = hover;
  const when = useWhen();
  if (!row) return null;
  const room = Math.min(cardWidth, width - 8);
  const left = Math.max(4, x + 14 + room > width ? x - room - 14 : x + 14);
  const vertical = y > height / 2 ? { bottom: height - y + 10 } : { top: y + 14 };
  const dense = row.density !== undefined && marks.length > marksMax;
  return (
    <div className="hover-card" role="tooltip" style={{ left, width: room, ...vertical }}>
      <div>
        <span className="kind">{row.kind}</span> <code>{shorten(row.name, 120)}</code>
      </div>
      {step ? <LevelLine step={step} kind={row.kind} /> : null}
      {segment && !(step && segment.state === 'Exists') ? (
        <div className={`hover-state state-${segment.state.toLowerCase()}`}>
          {segment.state === 'Unknown' ? stateWord(row.kind, segment) : segment.state}
          {segment.reason ? words.reason(segment.reason) : segment.ready === true && segment.state !== 'Ready' ? words.ready : ''}
          {segment.toMs === undefined ? words.since(when(segment.fromMs)) : words.lasted(formatDuration(segment.toMs - segment.fromMs))}
        </div>
      ) : null}
      {marks.slice(0, marksMax).map((mark, index) => (
        <MarkLine key={index} mark={mark} />
      ))}
      {marks.length > marksMax ? <div className="muted">{words.more(marks.length - marksMax, dense)}</div> : null}
      {marks.length === 0 ? (
        <div className="muted">
          {when(hover.ms, true)}
          {row.node ? words.onNode(row.node) : ''}
        </div>
      ) : null}
    </div>
  );
}

/** Areas of these are counted; others are as they were written. */
const counted: ReadonlySet<string> = new Set(['Service', 'Node']);

function LevelLine({ step, kind }: { readonly step: AreaStep; readonly kind: string }) {
  const when = useWhen();
  const { ready, wished, fromMs } = step;
  return (
    <div className={ready < wished ? 'bad' : 'hover-state'}>
      {texts.timeline.level(ready, wished, kind === 'Service' ? words.endpoint : words.pod)}
      {ready < wished ? texts.timeline.short(wished - ready) : ready > wished ? texts.timeline.surge(ready - wished) : ''}
      {words.since(when(fromMs))}
      {counted.has(kind) ? '' : texts.timeline.byStatus}
    </div>
  );
}

function MarkLine({ mark }: { readonly mark: TimelineMark }) {
  const when = useWhen();
  return (
    <div className="hover-mark">
      <div className={mark.level === 'Warning' ? 'warn' : ''}>{shorten(mark.text, 400)}</div>
      <div className="muted">
        {when(mark.ms, true)}
        {mark.by ? words.writer(formatActor(mark.by)) : ''}
        {mark.revision ? words.revision(mark.revision) : ''}
      </div>
    </div>
  );
}
