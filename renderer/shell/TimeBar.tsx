/** Clock controls: pause and play, step, next event, speed, go to a time; and which instant is shown. */
import { ChevronRight, FastForward, History, Pause, Play, StepForward, Waves } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatCount, formatDate, formatTime, parseInstant } from '../lib/format.ts';
import { engineIsHeard, isMoving, speedsToOffer, steer, togglePlay, useClock } from '../state/clock.ts';
import { useNavigation } from '../state/navigation.ts';
import { backToNow, usePast } from '../state/past.ts';
import { useNotices } from '../state/notices.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { useRange } from '../timeline/range.ts';
import { EngineLost } from './EngineLost.tsx';

const words = texts.clock;

export function TimeBar() {
  const moving = useClock(isMoving);
  const hearing = useClock((state) => state.hearing);
  const isLost = !useClock(engineIsHeard);
  const pastMs = usePast();
  const past = pastMs !== undefined;
  return (
    <header className={`timebar ${past ? 'is-past' : ''}`}>
      <div className="brand">
        <Waves size={18} aria-hidden color="var(--accent)" />
        <span className="name">{words.brand}</span>
      </div>
      <fieldset className="group" aria-label={words.label} disabled={isLost} title={isLost ? texts.acts.reasons.lost : undefined}>
        <button
          type="button"
          className="button icon"
          onClick={togglePlay}
          aria-label={moving ? words.pause : words.play}
          title={words.withKey(moving ? words.pause : words.play, words.space)}
        >
          {moving ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </button>
        <button
          type="button"
          className="button icon"
          onClick={() => {
            void steer({ step: 'instant' });
          }}
          aria-label={words.step}
          title={words.withKey(words.step, '.')}
        >
          <StepForward size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            void steer({ step: 'event' });
          }}
          title={words.withKey(words.nextEventTitle, 'N')}
        >
          <FastForward size={15} aria-hidden />
          {words.nextEvent}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            void steer({ advance: '1m' });
          }}
          title={words.minuteTitle}
        >
          {words.minute}
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            void steer({ advance: '1h' });
          }}
          title={words.hourTitle}
        >
          {words.hour}
        </button>
      </fieldset>
      <Speeds isLost={isLost} />
      <div className="spacer" />
      <Instant moving={moving} past={past} />
      {past ? <ShownInstant ms={pastMs} /> : null}
      {past ? (
        <button type="button" className="button past" onClick={backToNow} title={words.withKey(words.pastTitle, 'L')}>
          <History size={14} aria-hidden />
          {words.past}
        </button>
      ) : null}
      {hearing === 'opening' ? (
        <span className="badge">{texts.engine.connecting}</span>
      ) : hearing === 'heard' ? (
        <Running moving={moving} />
      ) : (
        <EngineLost hearing={hearing} />
      )}
      <GoTo />
    </header>
  );
}

function Speeds({ isLost }: { readonly isLost: boolean }) {
  const speed = useClock((state) => state.speed);
  const lastSpeed = useClock((state) => state.lastSpeed);
  return (
    <div className="speeds" role="radiogroup" aria-label={words.speed}>
      {speedsToOffer({ speed, lastSpeed }).map((one) => (
        <button
          key={one}
          type="button"
          role="radio"
          aria-checked={speed === one}
          disabled={isLost}
          onClick={() => {
            void steer({ speed: one });
          }}
          title={one === 'max' ? words.fastest : words.speedTitle(one)}
        >
          {one === 'max' ? words.max : words.times(one)}
        </button>
      ))}
    </div>
  );
}

/** Alone in the bar it follows each word of the clock. */
function Instant({ moving, past }: { readonly moving: boolean; readonly past: boolean }) {
  const nowMs = useClock((state) => state.nowMs);
  return (
    <div className="instant">
      <span className="muted date">{nowMs > 0 ? formatDate(nowMs) : ''}</span>
      <time className="clock" dateTime={nowMs > 0 ? new Date(nowMs).toISOString() : ''}>
        {nowMs > 0 ? formatTime(nowMs, !moving) : words.noTime}
      </time>
      <span className="muted wide">{words.zone}</span>
      {past ? <span className="muted">{words.now}</span> : null}
    </div>
  );
}

function ShownInstant({ ms }: { readonly ms: number }) {
  // The others tell of now, and say so: what is shown there is not of the instant that is looked at.
  const onTime = useNavigation(({ view }) => view === 'timeline' || view === 'cronjobs' || view === 'cluster');
  const when = useWhen();
  return <strong className="shown-instant">{onTime ? words.shown(when(ms)) : words.lookedAt(when(ms))}</strong>;
}

/** Whether time passes, and how fast where that is not as asked for. */
function Running({ moving }: { readonly moving: boolean }) {
  const speed = useClock((state) => state.speed);
  const clock = useClock((state) => state.clock);
  const { achievedSpeed, slowedBy, runningUntil } = clock?.status ?? {};
  const { engine } = texts;
  const isFree = speed === 'max' || runningUntil !== undefined;
  const pace =
    !moving || achievedSpeed === undefined || (!isFree && slowedBy === undefined)
      ? ''
      : isFree
        ? engine.speedAtMost(shortNumber(achievedSpeed))
        : engine.speed(shortNumber(achievedSpeed), speed);
  return (
    <span className={`badge ${slowedBy ? 'warn' : ''}`} title={slowedBy ? engine.slowedTitle[slowedBy] : engine.speedTitle}>
      <span className={`status-dot ${moving ? '' : 'paused'}`} aria-hidden />
      {moving ? engine.running : engine.paused}
      {pace ? <span className="pace">{words.further(pace)}</span> : null}
      {moving && slowedBy ? <span>{words.further(engine.slowedBy[slowedBy])}</span> : null}
    </span>
  );
}

function shortNumber(value: number): string {
  return formatCount(Number(value.toPrecision(2)));
}

/** An instant in the future is run to; one in the past is shown. */
function GoTo() {
  const [text, setText] = useState('');
  const go = (event: FormEvent) => {
    event.preventDefault();
    const { nowMs } = useClock.getState();
    const ms = parseInstant(text, nowMs);
    if (ms === undefined) {
      useNotices.getState().tell({ level: 'error', title: words.noInstant(text), detail: words.instants });
      return;
    }
    const { range, show, setFollow } = useRange.getState();
    if (ms > nowMs) {
      setFollow(true);
      void steer({ runUntil: new Date(ms).toISOString() });
    } else if (range) {
      const half = (range.toMs - range.fromMs) / 2;
      show({ fromMs: ms - half, toMs: ms + half });
    }
    setText('');
  };
  return (
    <form className="group" onSubmit={go}>
      <input
        id="goto"
        className="field goto"
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={words.goToHint}
        aria-label={words.goTo}
      />
      <button type="submit" className="button icon quiet" aria-label={words.go}>
        <ChevronRight size={15} aria-hidden />
      </button>
    </form>
  );
}
