/**
 * What of the strip has room: curves give way before words do, flat ones first, and of the words of pods those of states that nobody has to look after, which give way before
 * small curves do. Widths are reckoned from texts, a little too large, so that nothing has to be measured while figures change.
 */
export interface FigureText {
  readonly value: string;
  readonly name: string;
  readonly isFlat: boolean;
}
export interface StateText {
  readonly state: string;
  readonly count: string;
  readonly word: string;
}
export interface Fit {
  /** Pixels of a curve; 0 for none. */
  readonly curve: number;
  readonly withFlat: boolean;
  /** States of pods whose word stands beside their sign. */
  readonly words: ReadonlySet<string>;
}

const letter = 5.95;
const figureRoom = 23;
const stateRoom = 32;
/** The chip of problems and both sides. */
const aside = 138;
/** Around what says that the figures are of another instant. */
const noteRoom = 34;
const curveRoom = 7;
/** Whose words stay longest first. */
const byNeed = ['Stuck', 'Troubled', 'Unknown', 'Failed', 'Pending', 'Starting', 'Running', 'Terminating', 'Succeeded'];
/** Somebody has to look after these. */
const troubles: ReadonlySet<string> = new Set(byNeed.slice(0, 4));
const steps = [
  { curve: 72, withFlat: true },
  { curve: 48, withFlat: true },
  { curve: 48, withFlat: false },
  { curve: 36, withFlat: false },
] as const;
const smallCurves = [36, 24] as const;

export function fitStrip(width: number, figures: readonly FigureText[], states: readonly StateText[], note = ''): Fit {
  const texts = figures.reduce((sum, { value, name }) => sum + figureRoom + (value.length + name.length) * letter, 0);
  const signs = states.reduce((sum, { count }) => sum + stateRoom + count.length * letter, 0);
  const bare = width - aside - (note === '' ? 0 : noteRoom + note.length * letter) - texts - signs;
  const roomOf = (some: readonly StateText[]): number => some.reduce((sum, { word }) => sum + word.length * letter, 0);
  const words = roomOf(states);
  const curves = ({ curve, withFlat }: Pick<Fit, 'curve' | 'withFlat'>): number =>
    (figures.filter(({ isFlat }) => withFlat || !isFlat).length + 1) * (curve + curveRoom);
  const roomy = steps.find((step) => curves(step) + words <= bare);
  if (roomy) return { ...roomy, words: new Set(states.map(({ state }) => state)) };
  const needed = roomOf(states.filter(({ state }) => troubles.has(state)));
  const curve = smallCurves.find((small) => curves({ curve: small, withFlat: false }) + needed <= bare) ?? 0;
  return { curve, withFlat: false, words: wordsWithin(bare - (curve === 0 ? 0 : curves({ curve, withFlat: false })), states) };
}

function wordsWithin(room: number, states: readonly StateText[]): ReadonlySet<string> {
  const fitting = new Set<string>();
  let left = room;
  for (const { state, word } of states.toSorted((a, b) => byNeed.indexOf(a.state) - byNeed.indexOf(b.state))) {
    left -= word.length * letter;
    if (left < 0) break;
    fitting.add(state);
  }
  return fitting;
}
