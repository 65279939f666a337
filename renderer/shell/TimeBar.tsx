/** Clock controls: pause and play, step, next event, speed, go to a time; and which instant is shown. */
import { ChevronRight, FastForward, History, Pause, Play, StepForward, Waves } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatCount, formatDate, formatTime, parseInstant } from '../lib/format.ts';
import { isMoving, speedsToOffer, steer, togglePlay, useClock } from '../state/clock.ts';
import { useNavigation } from '../state/navigation.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { useRange } from '../timeline/range.ts';
import { EngineLost } from './EngineLost.tsx';

export function TimeBar() {
  const { nowMs, speed, lastSpeed, hearing, clock } = useClock();
  const moving = isMoving({ speed, clock });
  const onTime = useNavigation(({ view }) => view === 'timeline' || view === 'cronjobs' || view === 'cluster');
  const past = useRange(({ range }) => onTime && range !== undefined && range.toMs < nowMs);
  return (
    <header className={`timebar ${past ? 'is-past' : ''}`}>
      <div className="brand">
        <Waves size={18} aria-hidden color="var(--accent)" />
        <span className="name">Wavetank</span>
      </div>
      <div className="group" role="group" aria-label="Clock">
        <button
          type="button"
          className="button icon"
          onClick={togglePlay}
          aria-label={moving ? 'Pause' : 'Play'}
          title={`${moving ? 'Pause' : 'Play'} (space)`}
        >
          {moving ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </button>
        <button
          type="button"
          className="button icon"
          onClick={() => {
            void steer({ step: 'instant' });
          }}
          aria-label="Step one instant"
          title="Step one instant (.)"
        >
          <StepForward size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            void steer({ step: 'event' });
          }}
          title="Run to the next event (N)"
        >
          <FastForward size={15} aria-hidden />
          Next event
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            void steer({ advance: '1m' });
          }}
          title="Run one minute at full speed"
        >
          +1m
        </button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            void steer({ advance: '1h' });
          }}
          title="Run one hour at full speed"
        >
          +1h
        </button>
      </div>
      <div className="speeds" role="radiogroup" aria-label="Speed">
        {speedsToOffer({ speed, lastSpeed }).map((one) => (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={speed === one}
            onClick={() => {
              void steer({ speed: one });
            }}
            title={one === 'max' ? 'As fast as possible' : `${one} virtual seconds per second`}
          >
            {one === 'max' ? 'max' : `${one}×`}
          </button>
        ))}
      </div>
      <div className="spacer" />
      <div className="instant">
        <span className="muted date">{nowMs > 0 ? formatDate(nowMs) : ''}</span>
        <time className="clock" dateTime={nowMs > 0 ? new Date(nowMs).toISOString() : ''}>
          {nowMs > 0 ? formatTime(nowMs, !moving) : '--:--:--'}
        </time>
        <span className="muted wide">UTC</span>
      </div>
      {past ? (
        <button
          type="button"
          className="button past"
          onClick={() => {
            useRange.getState().setFollow(true);
            useRange.getState().tick(nowMs, 0);
          }}
          title="What is shown lies before now. Follow now (L)"
        >
          <History size={14} aria-hidden />
          Past: back to now
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

/** Whether time passes, and how fast where that is not as asked for. */
function Running({ moving }: { readonly moving: boolean }) {
  const { speed, clock } = useClock();
  const { achievedSpeed, slowedBy, runningUntil } = clock?.status ?? {};
  const words = texts.engine;
  const isFree = speed === 'max' || runningUntil !== undefined;
  const pace =
    !moving || achievedSpeed === undefined || (!isFree && slowedBy === undefined)
      ? ''
      : isFree
        ? words.speedAtMost(shortNumber(achievedSpeed))
        : words.speed(shortNumber(achievedSpeed), speed);
  return (
    <span className={`badge ${slowedBy ? 'warn' : ''}`} title={slowedBy ? words.slowedTitle[slowedBy] : words.speedTitle}>
      <span className={`status-dot ${moving ? '' : 'paused'}`} aria-hidden />
      {moving ? words.running : words.paused}
      {pace ? <span className="pace"> · {pace}</span> : null}
      {moving && slowedBy ? <span> · {words.slowedBy[slowedBy]}</span> : null}
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
      useNotices.getState().tell({ level: 'error', title: `“${text}” is not a time`, detail: 'Write 08:30, 2026-01-05 08:30, +10m or -5m.' });
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
        placeholder="Go to… +10m"
        aria-label="Go to a time"
      />
      <button type="submit" className="button icon quiet" aria-label="Go">
        <ChevronRight size={15} aria-hidden />
      </button>
    </form>
  );
}
