/** Components of the cluster that threw and were recovered: what nobody broke on purpose. */
import { useEffect, useState } from 'react';
import type { CrashRecord } from '../../../engine/api/sim/v1alpha1/crash-record.ts';
import { messageOf, request } from '../../api/request.ts';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { formatTime, plural } from '../../lib/format.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/crashrecords';
/** In wall time: crash records are computed and cannot be watched. */
const askMs = 5_000;

export function CrashTable() {
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
  if (error) return <ErrorBox title="Crashes cannot be read" detail={error} />;
  if (crashes.length === 0) return null;
  return (
    <section aria-label="Crashes">
      <h2>{plural(crashes.length, 'crash', 'crashes')}</h2>
      <p className="muted">Components that threw and were started again. These are defects: please report them with the session file.</p>
      <table className="table">
        <thead>
          <tr>
            <th>Component</th>
            <th>At</th>
            <th>Error</th>
            <th>Times</th>
            <th>Last</th>
          </tr>
        </thead>
        <tbody>
          {crashes.toReversed().map(({ metadata, component, key, error: text, count, lastAt }) => (
            <tr key={metadata.name}>
              <td className="tight">{component}</td>
              <td className="tight">
                <code>{key}</code>
              </td>
              <td>{text}</td>
              <td className="tight">{count}</td>
              <td className="tight">{formatTime(Date.parse(lastAt))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
