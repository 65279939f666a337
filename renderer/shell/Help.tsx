/** All keys. */
import { X } from 'lucide-react';
import { useNavigation } from '../state/navigation.ts';
import { texts } from '../texts/texts.ts';

const words = texts.help;

export function Help() {
  const set = useNavigation((state) => state.set);
  return (
    <section className="help" role="dialog" aria-modal="true" aria-label={words.title}>
      <div className="help-head">
        <h1>{words.title}</h1>
        <button type="button" className="button" onClick={() => set({ helpOpen: false, beginOpen: true })}>
          {texts.begin.title}
        </button>
        <button type="button" className="button icon quiet" aria-label={words.close} autoFocus onClick={() => set({ helpOpen: false })}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <div className="help-columns">
        <dl>
          <Keys pairs={words.keys} />
        </dl>
        <div>
          <h2>{words.marksTitle}</h2>
          <dl className="marks">
            {words.marks.map(([sign, what]) => (
              <div key={what} className="pair">
                <dt aria-hidden>{sign}</dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <h2>{words.listsTitle}</h2>
          <dl className="list-keys">
            <Keys pairs={words.lists} />
          </dl>
          <h2>{words.pointerTitle}</h2>
          <dl className="marks wide-keys">
            {words.pointer.map(([key, what]) => (
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

function Keys({ pairs }: { readonly pairs: readonly (readonly [key: string, what: string])[] }) {
  return pairs.map(([key, what]) => (
    <div key={key} className="pair">
      <dt>
        {key.split(' ').map((one) => (
          <kbd key={one}>{one}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </div>
  ));
}
