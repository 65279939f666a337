/** The selected node: how it is, what it carries, and the button that breaks it. What will happen is said before it is done. */
import { HeartPulse, ZoomIn, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { ClusterMapStatus, MapNode } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { kubectlCreate } from '../../acts/kubectl-create.ts';
import { NowNote, OnlyNow } from '../../acts/OnlyNow.tsx';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { formatDuration, plural } from '../../lib/format.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useClock } from '../../state/clock.ts';
import { useNotices } from '../../state/notices.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { Behind } from '../../shell/inspector/Behind.tsx';
import { healLine } from '../faults/FaultTable.tsx';
import { type FaultPhase, phaseOf } from '../faults/phase.ts';
import { signWord, stateOf } from './NodeTable.tsx';
import { cores, tellCountdown } from './tell.ts';

const words = texts.cluster.card;
/** Kubelets renew their lease every 10 s. */
const staleMs = 15_000;
/** Faults of which a heal makes something else: they strike, or are about to. */
const ends: ReadonlySet<FaultPhase> = new Set(['Active', 'Pending']);
const faultsPath = '/apis/sim.wavetank.dev/v1alpha1/faults';
export interface NodeCardProps {
  readonly node: MapNode;
  readonly zone: string;
  readonly periods: Pick<ClusterMapStatus, 'graceMs' | 'unreachableMs'>;
  readonly onZoom: (() => void) | undefined;
}

export function NodeCard({ node, zone, periods: { graceMs, unreachableMs: evictionMs }, onZoom }: NodeCardProps) {
  const when = useWhen();
  const [asking, setAsking] = useState(false);
  const { busy, once } = useOnce();
  const nowMs = useClock((state) => state.nowMs);
  const all = useCollection(faultsPath, 'full');
  const faults = useMemo(() => [...all.rows.values()] as Fault[], [all.version, all.rows]);
  const struck = faults.filter((fault) => fault.spec.target?.node === node.name && ends.has(phaseOf(fault)));
  const { renewedMs, countdown } = node;
  const row = `nodes/${node.name}`;
  const act = async (requests: readonly Promise<unknown>[], done: string): Promise<void> => {
    const answers = await Promise.allSettled(requests);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    const { tell } = useNotices.getState();
    for (const { reason } of refused) tell({ level: 'error', title: words.notChanged, detail: messageOf(reason) });
    if (refused.length === 0) tell({ level: 'info', title: done });
    setAsking(false);
  };
  const fail = () => act([request(faultsPath, { method: 'POST', body: powerLoss(node.name) })], words.failed(node.name));
  const heal = () =>
    act(
      struck.map(({ metadata }) => request(`${faultsPath}/${encodeURIComponent(metadata.name ?? '')}`, { method: 'DELETE' })),
      words.healed(node.name, struck.length),
    );
  return (
    <section className="node-card" aria-label={words.label(node.name)}>
      <div className="row">
        <h2 className="mono">{node.name}</h2>
        <Behind row={row} says="Ready:">
          <StateSign state={stateOf(node)} word={signWord(node)} />
        </Behind>
        {node.cordoned ? (
          <Behind row={row} says="spec.unschedulable" className="badge warn">
            {texts.cluster.cordoned}
          </Behind>
        ) : null}
        {node.pressures?.map((one) => (
          <Behind key={one} row={row} says={`${one}:`} className="badge warn">
            {one}
          </Behind>
        ))}
        <span className="muted">
          {words.facts(
            zone,
            words.pods(plural(node.podCount, 'pod'), node.room),
            words.cpu(
              cores(node.requestedMilliCpu ?? 0),
              cores(node.milliCpu ?? 0),
              node.useMilliCpu === undefined ? undefined : cores(node.useMilliCpu),
            ),
          )}
        </span>
        {renewedMs === undefined ? null : (
          <span className={nowMs - renewedMs > staleMs ? 'warn' : 'muted'}>
            {words.heartbeat(nowMs - renewedMs < 1000 ? undefined : formatDuration(nowMs - renewedMs))}
          </span>
        )}
        {countdown ? (
          <span className="badge warn" role="timer">
            {tellCountdown(countdown, nowMs)}
          </span>
        ) : null}
        <div className="grow" />
        {onZoom ? (
          <button type="button" className="button" onClick={onZoom}>
            <ZoomIn size={14} aria-hidden />
            {texts.cluster.zoomIn}
          </button>
        ) : null}
        <OnlyNow isSaid>
          {struck.length > 0 ? (
            <button type="button" className="button" disabled={busy} onClick={() => once(heal)}>
              <HeartPulse size={14} aria-hidden />
              {words.heal(struck.length)}
            </button>
          ) : asking ? null : (
            <button type="button" className="button danger" onClick={() => setAsking(true)}>
              <Zap size={14} aria-hidden />
              {words.fail}
            </button>
          )}
        </OnlyNow>
      </div>
      {struck.length > 0 ? <KubectlLine line={healLine(struck)} /> : null}
      {node.taints ? (
        <div className="row dense muted">
          {node.taints.map((taint) => (
            <Behind key={taint} row={row} says="spec.taints">
              <code>{taint}</code>
            </Behind>
          ))}
        </div>
      ) : null}
      {asking ? (
        <div className="forecast" role="group" aria-label={words.forecast}>
          <strong>{words.loses(node.name, when(nowMs))}</strong>
          <ol className="dense">
            <li>
              <span className="muted">{words.atOnce}</span>
              <span>{words.stop(node.podCount)}</span>
            </li>
            <li>
              <span className="muted">{formatDuration(graceMs)}</span>
              <span>{words.unreachable}</span>
            </li>
            <li>
              <span className="muted">{formatDuration(graceMs + evictionMs)}</span>
              <span>{words.evicted(formatDuration(evictionMs).includes('m') ? `${evictionMs / 1000} s` : formatDuration(evictionMs))}</span>
            </li>
          </ol>
          <KubectlLine line={kubectlCreate([powerLoss(node.name)])} />
          <NowNote />
          <div className="row">
            <OnlyNow isSaid>
              <button type="button" className="button danger" autoFocus disabled={busy} onClick={() => once(fail)}>
                {words.cut}
              </button>
            </OnlyNow>
            <button type="button" className="button quiet" onClick={() => setAsking(false)}>
              {words.keep}
            </button>
          </div>
        </div>
      ) : null}
    </section>
  );
}

function powerLoss(node: string) {
  return {
    apiVersion: 'sim.wavetank.dev/v1alpha1',
    kind: 'Fault',
    metadata: { generateName: `power-${node}-` },
    spec: { type: 'node-power-loss', target: { node } },
  };
}
