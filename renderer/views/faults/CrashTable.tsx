/** Components of the cluster that threw and were recovered: what nobody broke on purpose. */
import { useEffect, useState } from 'react';
import type { CrashRecord } from '../../../engine/api/sim/v1alpha1/crash-record.ts';
import { messageOf, request } from '../../api/request.ts';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { shorten } from '../../lib/shorten.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { placeOfCrash } from './crash-place.ts';

const words = texts.crashes;
const path = '/apis/sim.wavetank.dev/v1alpha1/crashrecords';
/** In wall time: crash records are computed and cannot be watched. */
const askMs = 5_000;
const nameMax = 80;
const textMax = 600;

export function CrashTable() {
  const when = useWhen();
  const go = useNavigation((state) => state.go);
  const [answer, setAnswer] = useState<{ crashes: readonly CrashRecord[]; error: string }>({ crashes: [], error: '' });
  useEffect(() => {
    const ask = (): void => {
      request<{ items: readonly CrashRecord[] }>(path).then(
        ({ items }) => setAnswer({ crashes: items, error: '' }),
        (error: unknown) => setAnswer({ crashes: [], error: messageOf(error) }),
      );
    };
    ask();
    const timer = setInterval(ask, askMs);
    return () => clearInterval(timer);
  }, []);
  const { crashes, error } = answer;
  if (error) return <ErrorBox title={words.cannotRead} detail={error} />;
  if (crashes.length === 0) return null;
  return (
    <section aria-label={words.label}>
      <h2>{words.count(crashes.length)}</h2>
      <p className="muted">{words.text}</p>
      <table className="table">
        <thead>
          <tr>
            <th>{words.component}</th>
            <th>{words.at}</th>
            <th>{words.error}</th>
            <th>{words.times}</th>
            <th>{words.last}</th>
          </tr>
        </thead>
        <tbody>
          {crashes.toReversed().map((crash) => (
            <tr key={crash.metadata.name}>
              <td className="tight">{shorten(crash.component, nameMax)}</td>
              <td className="tight">
                <button type="button" className="link mono" title={words.open} onClick={() => go(placeOfCrash(crash))}>
                  {shorten(crash.key, nameMax)}
                </button>
              </td>
              <td>{shorten(crash.error, textMax)}</td>
              <td className="tight">{crash.count}</td>
              <td className="tight">{when(Date.parse(crash.lastAt))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
