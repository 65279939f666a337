/** What is broken on purpose, what is planned to, and the buttons that heal it. */
import { Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { OnlyNow } from '../../acts/OnlyNow.tsx';
import { messageOf, request } from '../../api/request.ts';
import { useCollection, watchAhead } from '../../api/watches.ts';
import { Empty } from '../../components/Empty.tsx';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { onGoingTo } from '../../state/going.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';
import { CrashTable } from './CrashTable.tsx';
import { FaultForm } from './FaultForm.tsx';
import { FaultTable, healLine } from './FaultTable.tsx';
import { orderOf, phaseOf } from './phase.ts';

const words = texts.faults;
const path = '/apis/sim.wavetank.dev/v1alpha1/faults';

onGoingTo('faults', () => watchAhead(path, 'full'));

export function FaultsView() {
  const { rows, version, synced } = useCollection(path, 'full');
  const [asking, setAsking] = useState(false);
  const [done, setDone] = useState<readonly Fault[]>([]);
  const faults = useMemo(() => ([...rows.values()] as Fault[]).toSorted(orderOf), [rows, version]);
  const inForce = faults.filter((fault) => phaseOf(fault) === 'Active');
  /** What one press heals, or has just healed. */
  const told = inForce.length > 1 ? inForce : done;
  const planned = faults.filter((fault) => phaseOf(fault) === 'Planned').length;
  const heal = async (healed: readonly Fault[]): Promise<void> => {
    const answers = await Promise.allSettled(healed.map(({ metadata }) => request(`${path}/${metadata.name ?? ''}`, { method: 'DELETE' })));
    const refused = answers.find((answer) => answer.status === 'rejected');
    setDone(refused ? [] : healed);
    if (refused) useNotices.getState().tell({ level: 'error', title: words.notHealed, detail: messageOf(refused.reason) });
  };
  const begin = (
    <button type="button" className="button" onClick={() => setAsking(true)}>
      <Zap size={14} aria-hidden />
      {words.begin}
    </button>
  );
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <span className="muted">{[words.active(inForce.length), words.planned(planned)].filter((part) => part !== '').join(' · ')}</span>
        <div className="grow" />
        {inForce.length > 1 ? (
          <OnlyNow isSaid>
            <button type="button" className="button" onClick={() => void heal(inForce)}>
              {words.healAll(inForce.length)}
            </button>
          </OnlyNow>
        ) : null}
        {asking ? null : begin}
      </div>
      {told.length > 1 ? (
        <div className="started">
          <KubectlLine line={healLine(told)} />
        </div>
      ) : null}
      {asking ? <FaultForm onDone={() => setAsking(false)} /> : null}
      <div className="view-body" tabIndex={0} role="region" aria-label={words.list}>
        {synced && faults.length === 0 ? (
          <Empty title={words.nothing}>
            {words.nothingText}
            {asking ? null : begin}
          </Empty>
        ) : (
          <FaultTable faults={faults} onHeal={(fault) => void heal([fault])} />
        )}
        <CrashTable />
      </div>
    </>
  );
}
