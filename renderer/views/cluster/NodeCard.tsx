/** The selected node: how it is, what it carries, and the button that breaks it. What will happen is said before it is done. */
import { HeartPulse, ZoomIn, Zap } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { ClusterMapStatus, MapNode } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { formatDuration, formatTime, plural } from '../../lib/format.ts';
import { useClock } from '../../state/clock.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';
import { stateOf } from './NodeTable.tsx';
import { tellCountdown } from './tell.ts';

/** Kubelets renew their lease every 10 s. */
const staleMs = 15_000;
const faultsPath = '/apis/sim.wavetank.dev/v1alpha1/faults';
export interface NodeCardProps {
  readonly node: MapNode;
  readonly zone: string;
  readonly periods: Pick<ClusterMapStatus, 'graceMs' | 'unreachableMs'>;
  readonly onZoom: (() => void) | undefined;
}

export function NodeCard({ node, zone, periods: { graceMs, unreachableMs: evictionMs }, onZoom }: NodeCardProps) {
  const [asking, setAsking] = useState(false);
  const nowMs = useClock((state) => state.nowMs);
  const all = useCollection(faultsPath, 'full');
  const faults = useMemo(() => [...all.rows.values()] as Fault[], [all.version, all.rows]);
  const fault = faults.find(({ spec, status }) => spec.target?.node === node.name && status?.phase !== 'Healed' && status?.phase !== 'Failed');
  const { renewedMs, countdown } = node;
  const act = async (path: string, options: Parameters<typeof request>[1], done: string): Promise<void> => {
    try {
      await request(path, options);
      useNotices.getState().tell({ level: 'info', title: done });
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: 'The fault was not changed', detail: messageOf(error) });
    }
    setAsking(false);
  };
  const fail = () =>
    act(
      faultsPath,
      {
        method: 'POST',
        body: {
          apiVersion: 'sim.wavetank.dev/v1alpha1',
          kind: 'Fault',
          metadata: { generateName: `power-${node.name}-` },
          spec: { type: 'node-power-loss', target: { node: node.name } },
        },
      },
      `${node.name} has lost power`,
    );
  return (
    <section className="node-card" aria-label={`Node ${node.name}`}>
      <div className="row">
        <h2 className="mono">{node.name}</h2>
        <StateSign state={stateOf(node)} />
        {node.cordoned ? <span className="badge warn">cordoned</span> : null}
        {node.pressures?.map((one) => (
          <span key={one} className="badge warn">
            {one}
          </span>
        ))}
        <span className="muted">
          {zone} · {plural(node.podCount, 'pod')}
          {node.room === undefined ? '' : ` of ${node.room}`} · {cores(node.requestedMilliCpu)} of {cores(node.milliCpu)} CPU requested
          {node.useMilliCpu === undefined ? '' : `, ${cores(node.useMilliCpu)} used`}
        </span>
        {renewedMs === undefined ? null : (
          <span className={nowMs - renewedMs > staleMs ? 'warn' : 'muted'}>
            last heartbeat {nowMs - renewedMs < 1000 ? 'just now' : `${formatDuration(nowMs - renewedMs)} ago`}
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
        {fault ? (
          <button
            type="button"
            className="button"
            onClick={() => {
              void act(`${faultsPath}/${fault.metadata.name ?? ''}`, { method: 'DELETE' }, `${node.name} has power again`);
            }}
          >
            <HeartPulse size={14} aria-hidden />
            Heal this node
          </button>
        ) : asking ? null : (
          <button type="button" className="button danger" onClick={() => setAsking(true)}>
            <Zap size={14} aria-hidden />
            Fail this node
          </button>
        )}
      </div>
      {node.taints ? (
        <div className="row dense muted">
          {node.taints.map((taint) => (
            <code key={taint}>{taint}</code>
          ))}
        </div>
      ) : null}
      {asking ? (
        <div className="forecast" role="group" aria-label="What will happen">
          <strong>
            {node.name} loses power at {formatTime(nowMs)}. Then:
          </strong>
          <ol className="dense">
            <li>
              <span className="muted">at once</span>
              <span>{plural(node.podCount, 'pod')} stop; nothing reports it yet</span>
            </li>
            <li>
              <span className="muted">{formatDuration(graceMs)}</span>
              <span>no heartbeat: marked unreachable</span>
            </li>
            <li>
              <span className="muted">{formatDuration(graceMs + evictionMs)}</span>
              <span>
                pods evicted {formatDuration(evictionMs).includes('m') ? `${evictionMs / 1000} s` : formatDuration(evictionMs)} later, and replaced by
                their controllers
              </span>
            </li>
          </ol>
          <div className="row">
            <button
              type="button"
              className="button danger"
              autoFocus
              onClick={() => {
                void fail();
              }}
            >
              Cut the power
            </button>
            <button type="button" className="button quiet" onClick={() => setAsking(false)}>
              Keep it running
            </button>
          </div>
        </div>
      ) : null}
    </section>
  );
}

function cores(milliCpu: number | undefined): string {
  return ((milliCpu ?? 0) / 1000).toFixed(1);
}
