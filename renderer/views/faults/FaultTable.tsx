/** Faults one by one: what each does where, since when, until when. */
import { shellQuote } from '../../editor/shell-quote.ts';
import { Clock, HeartPulse, X, Zap } from 'lucide-react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { OnlyNow } from '../../acts/OnlyNow.tsx';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { shorten } from '../../lib/shorten.ts';
import { Behind } from '../../shell/inspector/Behind.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { type FaultPhase, phaseOf } from './phase.ts';

const words = texts.faults;
const textMax = 600;
const nameMax = 80;
/** The line that does what the button does. */
export function healLine(faults: readonly Fault[]): string {
  return `kubectl delete faults.sim.wavetank.dev ${faults.map(({ metadata }) => shellQuote(metadata.name ?? '')).join(' ')}`;
}

const looks: Readonly<Record<FaultPhase, readonly [className: string, Sign: typeof Zap | undefined]>> = {
  Pending: ['', undefined],
  Planned: ['accent', Clock],
  Active: ['bad', Zap],
  Healing: ['', HeartPulse],
  Healed: ['good', HeartPulse],
  Failed: ['bad', X],
};

export function FaultTable({ faults, onHeal }: { readonly faults: readonly Fault[]; readonly onHeal: (fault: Fault) => void }) {
  const { columns } = words;
  return (
    <table className="table">
      <thead>
        <tr>
          {[columns.name, columns.type, columns.target, columns.phase, columns.does, columns.since, columns.heals].map((title) => (
            <th key={title}>{title}</th>
          ))}
          <th>
            <span className="sr-only">{columns.act}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {faults.map((fault) => (
          <FaultRow key={fault.metadata.name} fault={fault} onHeal={() => onHeal(fault)} />
        ))}
      </tbody>
    </table>
  );
}

function FaultRow({ fault, onHeal }: { readonly fault: Fault; readonly onHeal: () => void }) {
  const { metadata, spec, status } = fault;
  const select = useNavigation(({ select: choose }) => choose);
  const when = useWhen();
  const phase = phaseOf(fault);
  const row = `faults.sim.wavetank.dev/${metadata.name ?? ''}`;
  const [className, Sign] = looks[phase];
  const { node, zone, host } = spec.target ?? {};
  const at = (time: string | undefined): string => (time === undefined ? '' : when(Date.parse(time)));
  return (
    <tr>
      <td className="tight">
        <button type="button" className="link mono" onClick={() => select(row)}>
          {shorten(metadata.name ?? '', nameMax)}
        </button>
      </td>
      <td className="tight">{spec.type}</td>
      <td className="tight">
        {node === undefined ? (
          zone === undefined ? (
            host || words.all
          ) : (
            words.zone(zone)
          )
        ) : (
          <button type="button" className="link mono" onClick={() => select(`nodes/${node}`)}>
            {node}
          </button>
        )}
      </td>
      <td className="tight">
        <Behind row={row} says="status.phase" className={`badge ${className}`}>
          {Sign ? <Sign size={12} aria-hidden /> : null}
          {words.phases[phase]}
        </Behind>
      </td>
      <td className="muted fault-does">
        {shorten(status?.message ?? '', textMax)}
        {phase === 'Healing' ? null : <KubectlLine line={healLine([fault])} />}
      </td>
      <td className="tight">{status?.injectedAt ? at(status.injectedAt) : spec.startAt ? words.startsAt(at(spec.startAt)) : ''}</td>
      <td className="tight">
        {at(status?.healedAt ?? status?.healsAt) || (phase === 'Failed' ? '' : spec.duration ? words.after(spec.duration) : words.whenDeleted)}
      </td>
      <td>
        {phase === 'Healing' ? null : (
          <OnlyNow isSaid>
            <button type="button" className="button" onClick={onHeal}>
              {phase === 'Active' ? <HeartPulse size={13} aria-hidden /> : <X size={13} aria-hidden />}
              {phase === 'Active' ? words.heal : phase === 'Planned' ? words.takeBack : words.remove}
            </button>
          </OnlyNow>
        )}
      </td>
    </tr>
  );
}
