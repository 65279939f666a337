/** Pods that have no node, by what keeps them from one. */
import type { MapWaiting } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { formatCount, formatDuration } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import { shapes } from '../../components/shapes.ts';

const words = texts.cluster;
const messageMax = 400;
const namesMax = 3;

interface Props {
  readonly waiting: readonly MapWaiting[];
  /** The instant that is shown, which has passed if `isPast`. */
  readonly nowMs: number;
  readonly isPast: boolean;
}

export function WaitingRoom({ waiting, nowMs, isPast }: Props) {
  const select = useNavigation((state) => state.select);
  if (waiting.length === 0) return null;
  return (
    <section className="waiting-room" aria-label={words.waitingRoom} tabIndex={0}>
      <h2 className="small-title">{words.waitingRoom}</h2>
      <ul>
        {waiting.map(({ reason, message, count, sinceMs, pods }) => (
          <li key={`${reason} ${message}`}>
            <strong className="count">
              <ShapeSign look={reason} colour={`var(--state-${shapes[reason].token})`} /> {formatCount(count)}
            </strong>
            <span className="what">
              {words.looks[reason]}
              {nowMs > sinceMs ? <span className="muted"> {words.since(formatDuration(nowMs - sinceMs))}</span> : null}
              <span className="muted">
                {words.because(shorten(message || (isPast && reason !== 'Waiting' ? words.reasonNotKept : words.noReason), messageMax))}
              </span>
            </span>
            <span className="who">
              {pods.slice(0, namesMax).map((id) => (
                <button key={id} type="button" className="link mono ellipsis" onClick={() => select(id)}>
                  {shorten(id.split('/').at(-1) ?? id, 60)}
                </button>
              ))}
              {count > namesMax ? <span className="muted">{words.others(count - Math.min(namesMax, pods.length))}</span> : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
