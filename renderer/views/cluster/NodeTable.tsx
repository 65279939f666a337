/** The same nodes as a table, for screen readers and for copying. */
import type { ClusterMapStatus, MapNode } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { StateSign } from '../../components/StateSign.tsx';
import { Behind } from '../../shell/inspector/Behind.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { texts } from '../../texts/texts.ts';
import { wordOf } from './paint-cluster.ts';
import { tellCountdown } from './tell.ts';

const words = texts.cluster;
const rowsMax = 500;

export function NodeTable({ map, nowMs }: { readonly map: ClusterMapStatus; readonly nowMs: number }) {
  const { selected, select } = useNavigation();
  const worstFirst = map.nodes.toSorted((a, b) => Number(a.ready === 'True') - Number(b.ready === 'True')).slice(0, rowsMax);
  return (
    <div className="view-body" tabIndex={0} role="region" aria-label={words.asTable}>
      <table className="table">
        <thead>
          <tr>
            <th>{words.table.node}</th>
            <th>{words.table.zone}</th>
            <th>{words.table.state}</th>
            <th className="number">{words.table.pods}</th>
            <th className="number">{words.table.cpu}</th>
            <th>{words.table.next}</th>
          </tr>
        </thead>
        <tbody>
          {worstFirst.map((node) => (
            <tr key={node.name} className={selected === `nodes/${node.name}` ? 'is-selected' : ''}>
              <td>
                <button type="button" className="link mono" onClick={() => select(`nodes/${node.name}`)}>
                  {node.name}
                </button>
              </td>
              <td>{map.zones[node.zone]?.name}</td>
              <td className="tight">
                <Behind row={`nodes/${node.name}`} says="Ready:">
                  <StateSign state={stateOf(node)} word={signWord(node)} />
                </Behind>{' '}
                {node.ready === 'True' ? wordOf(node) : ''}
              </td>
              <td className="number">
                {node.podCount}
                {node.room === undefined ? '' : ` / ${node.room}`}
              </td>
              <td className="number">{node.milliCpu ? `${Math.round(((node.requestedMilliCpu ?? 0) / node.milliCpu) * 100)} %` : ''}</td>
              <td>{node.countdown ? tellCountdown(node.countdown, nowMs) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {map.nodes.length > rowsMax ? <p className="map-note">{words.tableCut(map.nodes.length - rowsMax)}</p> : null}
    </div>
  );
}

/** As kubectl and the problems call it; what the map says of it beside that. */
export function signWord({ ready }: MapNode): string {
  return ready === 'True' ? 'Ready' : ready === 'Unknown' ? words.silentNode : ready === 'Gone' ? words.goneNode : 'NotReady';
}

export function stateOf({ ready }: MapNode): string {
  return ready === 'True' ? 'Ready' : ready === 'False' ? 'NotReady' : 'Unknown';
}
