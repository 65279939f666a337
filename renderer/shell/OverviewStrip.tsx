/** Under the time bar, always: how many of what there are, how that went over the visible range, and what is wrong. */
import { type CSSProperties, useMemo } from 'react';
import type { Overview } from '../../engine/api/sim/v1alpha1/overview.ts';
import { useComputed } from '../api/computed.ts';
import { StateSign } from '../components/StateSign.tsx';
import { formatCount } from '../lib/format.ts';
import { useWindowSize } from '../lib/use-window-size.ts';
import { useClock } from '../state/clock.ts';
import { useNavigation } from '../state/navigation.ts';
import { usePast } from '../state/past.ts';
import { useWhen } from '../state/use-when.ts';
import { texts } from '../texts/texts.ts';
import { goesAlong, useRange } from '../timeline/range.ts';
import { usePacedRange } from '../timeline/use-paced-range.ts';
import { instant, type Range } from '../timeline/viewport.ts';
import { type Fit, fitStrip } from './overview/fit.ts';
import { type Figure, figuresOf, type Lead, podCurves, podFiguresOf, type Served, sumOf } from './overview/figures.ts';
import { Sparkline } from './overview/Sparkline.tsx';
import { ProblemsChip } from './ProblemsChip.tsx';

const words = texts.overview;
const parts = 48;

export function OverviewStrip() {
  const when = useWhen();
  const range = usePacedRange();
  const hearing = useClock((state) => state.hearing);
  const { items, atMs, error } = useComputed<Overview>('overview', range && pathOf(range));
  const isStale = hearing !== 'heard' && hearing !== 'opening';
  // Of a clock that rushes the range that follows it is behind, and still goes along.
  const isPast = usePast() !== undefined;
  const status = items?.[0]?.status as Served | undefined;
  const { width } = useWindowSize();
  const figures = useMemo(() => (status ? figuresOf(status) : []), [status]);
  const note = isStale ? words.asOf(when(atMs)) : isPast ? words.nowNote : '';
  const fit = useMemo(() => fitOf(width, figures, status, note), [width, figures, status, note]);
  const known = range ? (atMs - range.fromMs) / (range.toMs - range.fromMs) : 1;
  return (
    <section
      className={`overview ${isStale ? 'is-stale' : ''} ${fit.curve > 0 ? '' : 'is-bare'} ${fit.withFlat ? '' : 'without-flat'}`}
      style={{ '--curve': `${fit.curve}px` } as CSSProperties}
      aria-label={words.label}
    >
      <ProblemsChip isStale={isStale} />
      {status ? <Pods status={status} known={known} words={fit.words} /> : <span className="muted">{error || words.unread}</span>}
      {status
        ? figures.map((figure) => (
            <FigureButton key={figure.key} className={`figure tone-${figure.tone}`} title={figure.title} lead={figure.lead}>
              <strong>{figure.value}</strong> <span className="name">{figure.name}</span>
              {figure.curve ? (
                <Sparkline
                  isFlat={isFlat(figure)}
                  known={known}
                  layers={[
                    { values: figure.curve, tone: figure.curveTone },
                    { values: figure.missing ?? [], tone: 'bad' },
                  ]}
                  label={words.curve(figure.name, Math.min(...figure.curve), Math.max(...figure.curve))}
                />
              ) : null}
            </FigureButton>
          ))
        : null}
      <span className="grow" />
      {status && isStale ? <span className="badge warn">{note}</span> : null}
      {status && isPast && !isStale ? (
        <span className="badge" title={words.nowTitle}>
          {note}
        </span>
      ) : null}
    </section>
  );
}

function fitOf(width: number, figures: readonly Figure[], status: Served | undefined, note: string): Fit {
  const states = status ? podFiguresOf(status) : [];
  return fitStrip(
    width,
    figures.map((figure) => ({ value: figure.value, name: figure.name, isFlat: isFlat(figure) })),
    states.map(({ state, count }) => ({ state, count: formatCount(count), word: words.pods.word(state) })),
    note,
  );
}

function isFlat({ curve }: Figure): boolean {
  return curve === undefined || curve.every((value) => value === 0);
}

interface PodsProps {
  readonly status: Served;
  readonly known: number;
  /** States whose word there is room for. */
  readonly words: ReadonlySet<string>;
}

function Pods({ status, known, words: shown }: PodsProps) {
  const states = podFiguresOf(status);
  const layers = (['good', 'soft', 'bad'] as const).map((tone) => ({ tone, values: sumOf(status.curves, podCurves[tone]) }));
  const all = layers[0]?.values.map((_, part) => layers.reduce((sum, { values }) => sum + (values[part] ?? 0), 0)) ?? [];
  return (
    <div className="figure pods" role="group" aria-label={words.pods.name}>
      {states.length === 0 ? <span className="name">{words.pods.none}</span> : null}
      {states.map(({ state, count, title, lead }) => (
        <FigureButton key={state} className="pod-state" title={title} lead={lead}>
          <StateSign state={state} wordless />
          <strong>{formatCount(count)}</strong> {shown.has(state) ? <span className="word">{words.pods.word(state)}</span> : null}
        </FigureButton>
      ))}
      {all.length > 0 ? <Sparkline layers={layers} known={known} label={words.curve(words.pods.name, Math.min(...all), Math.max(...all))} /> : null}
    </div>
  );
}

function FigureButton({
  className,
  title,
  lead,
  children,
}: {
  readonly className: string;
  readonly title: string;
  readonly lead: Lead;
  readonly children: React.ReactNode;
}) {
  const go = useNavigation((state) => state.go);
  return (
    <button
      type="button"
      className={className}
      title={title}
      onClick={() => {
        if (lead.place) go(lead.place);
      }}
    >
      {children}
    </button>
  );
}

/** In whole parts, as those that go along with now do: what is asked for one that moves is asked anew once a part, and not with every tick. */
function pathOf({ fromMs, toMs }: Range): string {
  const along = goesAlong(useRange.getState());
  if (along) return overviewsOf({ span: String(along.spanMs), ahead: String(along.aheadMs) });
  const part = Math.max(1, (toMs - fromMs) / parts);
  const to = Math.ceil(toMs / part) * part;
  return overviewsOf({ from: instant(Math.round(to - part * parts)), to: instant(Math.round(to)) });
}

function overviewsOf(range: Readonly<Record<string, string>>): string {
  return `/apis/sim.wavetank.dev/v1alpha1/overviews?${new URLSearchParams({ ...range, parts: String(parts) }).toString()}`;
}
