/** All keys. */
import { X } from 'lucide-react';
import { useNavigation } from '../state/navigation.ts';

const keys: readonly (readonly [string, string])[] = [
  ['space', 'Pause or play'], ['.', 'Step one instant'], ['N', 'Run to the next event'], ['G', 'Go to a time'], ['W S', 'Zoom in and out'], ['A D', 'Move left and right'], ['← →', 'Previous or next mark of the selection'], ['[ ]', 'Previous or next mark of the same type'],
  ['↑ ↓', 'Select the row above or below'], ['F', 'Fit the selection, or everything'], ['L', 'Follow now'], ['/', 'Search'], ['I', 'Inspector'], ['1 … 7', 'Views'], ['Esc', 'Clear the selection'], ['?', 'These keys'],
];

export function Help() {
  const set = useNavigation((state) => state.set);
  return (
    <section className="help" aria-label="Keys">
      <div style={{ display: 'flex', justifyContent: 'space-between' }}><h1>Keys</h1><button type="button" className="button icon quiet" aria-label="Close" autoFocus onClick={() => set({ helpOpen: false })}><X size={15} aria-hidden /></button></div>
      <dl>{keys.map(([key, what]) => <div key={key} style={{ display: 'contents' }}><dt>{key.split(' ').map((one) => <kbd key={one} style={{ marginRight: 4 }}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
    </section>
  );
}
