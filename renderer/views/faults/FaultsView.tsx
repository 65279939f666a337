/** What is broken on purpose, and the buttons that heal it. */
import { HeartPulse, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { formatTime, plural } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';
import { CrashTable } from './CrashTable.tsx';
import { FaultForm } from './FaultForm.tsx';

const path = '/apis/sim.wavetank.dev/v1alpha1/faults';

export function FaultsView() {
  const { rows, version, synced } = useCollection(path, 'full');
  const [asking, setAsking] = useState(false);
  const { select } = useNavigation();
  const faults = useMemo(() => [...rows.values()] as Fault[], [rows, version]);
  const active = faults.filter(({ status }) => status?.phase === 'Active').length;
  const heal = async (name: string): Promise<void> => {
    try {
      await request(`${path}/${name}`, { method: 'DELETE' });
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: 'The fault was not healed', detail: messageOf(error) });
    }
  };
  return (
    <>
      <div className="view-head">
        <h1>Faults</h1>
        <span className="muted">{active > 0 ? `${plural(active, 'fault')} active` : ''}</span>
        <div className="grow" />
        {asking ? null : (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            <Zap size={14} aria-hidden />
            Break something
          </button>
        )}
      </div>
      {asking ? <FaultForm onDone={() => setAsking(false)} /> : null}
      <div className="view-body" tabIndex={0} role="region" aria-label="Faults">
        {synced && faults.length === 0 ? (
          <Empty title="Nothing is broken">
            Cut the power or the network of a node, or take image registries down, and watch what the cluster makes of it.
            <button type="button" className="button" onClick={() => setAsking(true)}>
              Break something
            </button>
          </Empty>
        ) : (
          <table className="table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Type</th>
                <th>Target</th>
                <th>Phase</th>
                <th>What it does</th>
                <th>Since</th>
                <th>Heals</th>
                <th>
                  <span className="sr-only">Act</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {faults.map(({ metadata, spec, status }) => (
                <tr key={metadata.name}>
                  <td className="tight">
                    <code>{metadata.name}</code>
                  </td>
                  <td className="tight">{spec.type}</td>
                  <td className="tight">
                    {spec.target?.node ? (
                      <button type="button" className="link mono" onClick={() => select(`nodes/${spec.target?.node ?? ''}`)}>
                        {spec.target.node}
                      </button>
                    ) : (
                      (spec.target?.zone ?? spec.target?.host ?? 'all')
                    )}
                  </td>
                  <td className="tight">
                    <span
                      className={`badge ${status?.phase === 'Active' || status?.phase === 'Failed' ? 'bad' : status?.phase === 'Healed' ? 'good' : ''}`}
                    >
                      {status?.phase === 'Active' ? (
                        <Zap size={12} aria-hidden />
                      ) : status?.phase === 'Healed' ? (
                        <HeartPulse size={12} aria-hidden />
                      ) : null}
                      {status?.phase ?? 'Pending'}
                    </span>
                  </td>
                  <td className="muted">{status?.message}</td>
                  <td className="tight">{status?.injectedAt ? formatTime(Date.parse(status.injectedAt)) : ''}</td>
                  <td className="tight">
                    {status?.healedAt
                      ? formatTime(Date.parse(status.healedAt))
                      : status?.healsAt
                        ? formatTime(Date.parse(status.healsAt))
                        : 'when deleted'}
                  </td>
                  <td>
                    {status?.phase === 'Healed' ? null : (
                      <button
                        type="button"
                        className="button"
                        onClick={() => {
                          void heal(metadata.name ?? '');
                        }}
                      >
                        <HeartPulse size={13} aria-hidden />
                        Heal
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <CrashTable />
      </div>
    </>
  );
}
