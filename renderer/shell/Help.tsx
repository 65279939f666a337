/** All keys. */
import { X } from 'lucide-react';
import { useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';

const keys: readonly (readonly [string, string])[] = [
  ['space', 'Pause or play'],
  ['.', 'Step one instant'],
  ['N', 'Run to the next event'],
  ['G', 'Go to a time'],
  ['W S', 'Zoom in and out'],
  ['A D', 'Move left and right'],
  ['← →', 'Previous or next mark of the selection'],
  ['[ ]', 'Previous or next mark of the same type'],
  ['↑ ↓', 'Select the row above or below'],
  ['F', 'Fit the selection, or everything'],
  ['L', 'Follow now'],
  ['/', 'Search'],
  ['I', 'Inspector'],
  ['P', 'Problems: what is wrong'],
  ['X', 'Acts upon the selection'],
  ['Enter', 'Cluster: into the selected zone or node'],
  ['Backspace', 'Cluster: out again'],
  ['1 … 9', 'Views'],
  ['Esc', 'Clear the selection'],
  ['?', 'These keys'],
];

const marks: readonly (readonly [string, string])[] = [
  ['▸', 'Created'],
  ['‖', 'Deleted'],
  ['●', 'Event'],
  ['◆', 'Warning, or replaced run'],
  ['╵', 'Condition changed'],
  ['│', 'Written'],
  ['»', 'Container restarted'],
  ['▯', 'Planned run'],
  ['✕', 'Missed run'],
  ['⊘', 'Skipped run'],
];
const pointer: readonly (readonly [string, string])[] = [
  ['Wheel', 'Zoom around the pointer'],
  ['Shift + wheel', 'Scroll rows'],
  ['Drag', 'Zoom to a range'],
  ['Double click', 'Fit an object'],
  ['Middle drag', 'Move'],
];

export function Help() {
  const set = useNavigation((state) => state.set);
  return (
    <section className="help" aria-label="Keys">
      <div className="help-head">
        <h1>Keys</h1>
        <button type="button" className="button" onClick={() => set({ helpOpen: false, beginOpen: true })}>
          {texts.begin.title}
        </button>
        <button type="button" className="button icon quiet" aria-label="Close" autoFocus onClick={() => set({ helpOpen: false })}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <div className="help-columns">
        <dl>
          {keys.map(([key, what]) => (
            <div key={key} className="pair">
              <dt>
                {key.split(' ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <div>
          <h2>Marks on the timeline</h2>
          <dl className="marks">
            {marks.map(([sign, what]) => (
              <div key={what} className="pair">
                <dt aria-hidden>{sign}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <h2>Pointer</h2>
          <dl className="marks wide-keys">
            {pointer.map(([key, what]) => (
              <div key={key} className="pair">
                <dt>{key}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </section>
  );
}
