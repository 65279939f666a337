/** What is broken on purpose, and the buttons that heal it. */
import { HeartPulse } from 'lucide-react';
import { useMemo } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { formatTime } from '../../lib/format.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/faults';

export function FaultsView() {
  const { rows, version, synced } = useCollection(path, 'full');
  const { go, select } = useNavigation();
  const faults = useMemo(() => [...rows.values()] as Fault[], [rows, version]);
  const heal = async (name: string): Promise<void> => {
    try {
      await request(`${path}/${name}`, { method: 'DELETE' });
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: 'The fault was not healed', detail: messageOf(error) });
    }
  };
  return (
    <>
      <div className="view-head"><h1>Faults</h1></div>
      <div className="view-body" tabIndex={0} role="region" aria-label="Faults">
        {synced && faults.length === 0 ? <Empty title="Nothing is broken">Select a node in the cluster view and fail it, or create a Fault with kubectl.<button type="button" className="button" onClick={() => go({ view: 'cluster' })}>Open the cluster view</button></Empty> : (
          <table className="table">
            <thead><tr><th>Name</th><th>Type</th><th>Target</th><th>Phase</th><th>Since</th><th>Heals</th><th><span className="sr-only">Act</span></th></tr></thead>
            <tbody>{faults.map(({ metadata, spec, status }) => (
              <tr key={metadata.name}>
                <td><code>{metadata.name}</code></td><td>{spec.type}</td>
                <td>{spec.target?.node ? <button type="button" className="link mono" onClick={() => select(`nodes/${spec.target?.node ?? ''}`)}>{spec.target.node}</button> : (spec.target?.zone ?? spec.target?.host ?? 'all')}</td>
                <td className={status?.phase === 'Active' ? 'bad' : ''}>{status?.phase ?? 'Pending'}{status?.message ? <span className="muted"> {status.message}</span> : null}</td>
                <td className="tight">{status?.injectedAt ? formatTime(Date.parse(status.injectedAt)) : ''}</td><td className="tight">{status?.healedAt ? formatTime(Date.parse(status.healedAt)) : status?.healsAt ? formatTime(Date.parse(status.healsAt)) : 'when deleted'}</td>
                <td>{status?.phase === 'Healed' ? null : <button type="button" className="button" onClick={() => { void heal(metadata.name ?? ''); }}><HeartPulse size={13} aria-hidden />Heal</button>}</td>
              </tr>))}</tbody>
          </table>)}
      </div>
    </>
  );
}
