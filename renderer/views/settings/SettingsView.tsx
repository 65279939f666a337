/** Every option in force, under its flag name. */
import { useEffect, useState } from 'react';
import type { Settings } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { messageOf, request } from '../../api/request.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.settings;

/** As it would be given on a command line. */
function Value({ value }: { readonly value: unknown }) {
  const text = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(',') : value;
  if (text === '') return <span className="muted">{words.unset}</span>;
  return <code>{typeof text === 'string' ? text : JSON.stringify(text)}</code>;
}

export function SettingsView() {
  const { search, go } = useNavigation();
  const [answer, setAnswer] = useState<{ options: Settings['options'] | undefined; error: string }>({ options: undefined, error: '' });
  useEffect(() => {
    request<Settings>('/apis/sim.wavetank.dev/v1alpha1/settings/cluster').then(
      ({ options }) => setAnswer({ options, error: '' }),
      (error: unknown) => setAnswer({ options: undefined, error: messageOf(error) }),
    );
  }, []);
  const entries = Object.entries(answer.options ?? {})
    .filter(([name]) => name.includes(search))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <input
          type="search"
          className="field"
          placeholder={words.searchHint}
          aria-label={words.search}
          value={search}
          onChange={(event) => go({ search: event.target.value })}
        />
        <span className="muted dense">{words.when}</span>
      </div>
      {answer.error ? <ErrorBox title={words.cannotRead} detail={answer.error} /> : null}
      <div className="view-body" tabIndex={0} role="region" aria-label={texts.frame.views.settings}>
        {answer.options && entries.length === 0 ? (
          <Empty title={words.none(search)}>{words.clear}</Empty>
        ) : (
          <table className="table">
            <thead>
              <tr>
                <th>{words.flag}</th>
                <th>{words.value}</th>
              </tr>
            </thead>
            <tbody>
              {entries.map(([name, value]) => (
                <tr key={name}>
                  <td className="tight">
                    <code>{`--${name}`}</code>
                  </td>
                  <td>
                    <Value value={value} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  );
}
