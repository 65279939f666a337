/**
 * What of the strip has room: curves give way before words do, flat ones first, and of the words of pods those of states that nobody has to look after. Widths are reckoned from
 * texts, a little too large, so that nothing has to be measured while figures change.
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
/** The chip of problems and both sides; what says that the figures are of another instant. */
const aside = 138;
const noteRoom = 70;
const curveRoom = 7;
/** Whose words stay longest first. */
const byNeed = ['Stuck', 'Troubled', 'Unknown', 'Failed', 'Pending', 'Starting', 'Running', 'Terminating', 'Succeeded'];
const steps = [
  { curve: 72, withFlat: true },
  { curve: 48, withFlat: true },
  { curve: 48, withFlat: false },
  { curve: 36, withFlat: false },
] as const;

export function fitStrip(width: number, figures: readonly FigureText[], states: readonly StateText[], withNote = false): Fit {
  const texts = figures.reduce((sum, { value, name }) => sum + figureRoom + (value.length + name.length) * letter, 0);
  const signs = states.reduce((sum, { count }) => sum + stateRoom + count.length * letter, 0);
  const bare = width - aside - (withNote ? noteRoom : 0) - texts - signs;
  const words = states.reduce((sum, { word }) => sum + word.length * letter, 0);
  const curves = ({ curve, withFlat }: (typeof steps)[number]): number =>
    (figures.filter(({ isFlat }) => withFlat || !isFlat).length + 1) * (curve + curveRoom);
  const roomy = steps.find((step) => curves(step) + words <= bare);
  if (roomy) return { ...roomy, words: new Set(states.map(({ state }) => state)) };
  const last = steps.find((step) => step.curve === 36 && curves(step) <= bare);
  return { curve: last?.curve ?? 0, withFlat: false, words: wordsWithin(bare - (last ? curves(last) : 0), states) };
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
