/** Zones, nodes and their pods, and what happens to them: as the engine's map tells it, in the resolution that there is room for. */
import { Table2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { mapColours, type ClusterMapStatus, type MapColour } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { Empty } from '../../components/Empty.tsx';
import { ErrorBox } from '../../components/ErrorBox.tsx';
import { Told } from '../../components/Told.tsx';
import { formatInstant, formatWhen, plural } from '../../lib/format.ts';
import { useKeys } from '../../lib/keys.ts';
import { useSize } from '../../lib/use-size.ts';
import { useClock } from '../../state/clock.ts';
import { useNavigation } from '../../state/navigation.ts';
import { usePast } from '../../state/past.ts';
import { texts } from '../../texts/texts.ts';
import { beginWith } from '../create/read-file.ts';
import { layoutMap } from './layout.ts';
import { Counted } from './Counted.tsx';
import { MapLegend } from './MapLegend.tsx';
import { MapPlot } from './MapPlot.tsx';
import { NodeCard } from './NodeCard.tsx';
import { NodeTable } from './NodeTable.tsx';
import { colourOf, useMap } from './use-map.ts';
import { WaitingRoom } from './WaitingRoom.tsx';

const words = texts.cluster;
/** A picture that is older, in virtual time, says so. */
const oldMs = 5_000;

export function ClusterView() {
  const { selected, group, filter, table: asTable, go } = useNavigation();
  const by = colourOf(group);
  const pastMs = usePast();
  const clockMs = useClock((state) => Math.floor(state.nowMs / 250) * 250);
  const whole = useMap('cluster', by, pastMs);
  const zoomed = useMap(filter === '' ? undefined : filter, by, pastMs);
  const map = filter === '' ? whole.map : zoomed.map;
  const nowMs = pastMs ?? Math.max(clockMs, map?.atMs ?? 0);
  const plot = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(plot);
  const layout = useMemo(() => (map && width > 0 ? layoutMap(map, width, height) : undefined), [map, width, height]);
  const [said, setSaid] = useState('');
  const zoom = (name: string) => go({ filter: name, ...(name === '' ? {} : { selected: `nodes/${name}` }) });
  useKeys({ Backspace: () => zoom('') });
  const selectedNode = selected.startsWith('nodes/') ? whole.map?.nodes.find(({ name }) => `nodes/${name}` === selected) : undefined;
  const error = whole.error || zoomed.error;
  return (
    <div className="cluster">
      <Head
        map={whole.map}
        clockMs={clockMs}
        by={by}
        said={said}
        onColour={(colour) => go({ group: colour === 'state' ? '' : colour })}
        asTable={asTable}
        onTable={(shown) => go({ table: shown })}
      />
      {pastMs === undefined ? null : <p className="map-note">{words.past(formatInstant(pastMs))}</p>}
      {error ? <ErrorBox title={words.cannotRead} detail={error} /> : null}
      {filter === '' ? null : (
        <div className="map-note row">
          <button type="button" className="button" onClick={() => zoom('')}>
            {words.backToAll}
          </button>
          <strong>{words.zoomed(filter)}</strong>
        </div>
      )}
      {map ? <MapLegend map={map} /> : null}
      {asTable && whole.map ? (
        <NodeTable map={whole.map} nowMs={nowMs} />
      ) : (
        <MapPlot map={map} layout={layout} nowMs={nowMs} height={height} plot={plot} onSay={setSaid} onZoom={zoom}>
          {map?.nodes.length === 0 && filter === '' ? (
            <Empty title={words.noNodes}>
              <Told parts={words.howToGetNodes} />
              <button type="button" className="button" onClick={() => beginWith('NodePool')}>
                {words.createPool}
              </button>
            </Empty>
          ) : null}
        </MapPlot>
      )}
      {whole.map ? <WaitingRoom waiting={whole.map.waiting} nowMs={nowMs} isPast={whole.map.isPast} /> : null}
      {selectedNode && pastMs === undefined ? (
        <NodeCard
          key={selectedNode.name}
          node={selectedNode}
          zone={whole.map?.zones[selectedNode.zone]?.name ?? ''}
          periods={whole.map ?? { graceMs: 0, unreachableMs: 0 }}
          onZoom={filter === '' ? () => zoom(selectedNode.name) : undefined}
        />
      ) : null}
    </div>
  );
}

function Head({
  map,
  clockMs,
  by,
  said,
  onColour,
  asTable,
  onTable,
}: {
  readonly map: ClusterMapStatus | undefined;
  readonly clockMs: number;
  readonly by: MapColour;
  readonly said: string;
  readonly onColour: (colour: MapColour) => void;
  readonly asTable: boolean;
  readonly onTable: (asTable: boolean) => void;
}) {
  const down = useMemo(() => map?.nodes.filter(({ ready }) => ready !== 'True') ?? [], [map]);
  const waiting = map?.waiting.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return (
    <div className="view-head">
      <h1>{words.title}</h1>
      {map ? (
        <>
          <Counted className="badge neutral" place={{ view: 'objects', kind: 'nodes' }}>
            {plural(map.nodes.length, 'node')}
          </Counted>
          <Counted className="badge neutral" place={{ view: 'objects', kind: 'pods' }}>
            {plural(map.podCount, 'pod')}
          </Counted>
        </>
      ) : null}
      {down.length > 0 ? (
        <Counted
          className="badge bad"
          place={down.length === 1 ? { selected: `nodes/${down[0]?.name ?? ''}`, tab: 'why' } : { view: 'problems', filter: 'nodes' }}
        >
          {words.notReady(down.length)}
        </Counted>
      ) : null}
      {waiting > 0 ? (
        <Counted className="badge warn" place={{ view: 'problems', filter: 'pods' }}>
          {words.waiting(waiting)}
        </Counted>
      ) : null}
      {map && !map.isPast && clockMs - map.atMs > oldMs ? <span className="badge warn">{words.asOf(formatWhen(map.atMs, clockMs))}</span> : null}
      <span className={`muted dense ellipsis grow said ${said ? '' : 'is-hint'}`} role="status">
        {said || (map === undefined || map.nodes.length === 0 ? '' : map.isPast ? words.hintPast : words.hint)}
      </span>
      <label className="grouping">
        <span className="wide muted">{words.colourBy}</span>
        <select
          className="field"
          aria-label={words.colourBy}
          title={words.colourBy}
          value={by}
          onChange={(event) => onColour(event.target.value as MapColour)}
        >
          {mapColours.map((colour) => (
            <option key={colour} value={colour}>
              {words.colours[colour]}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button" aria-pressed={asTable} title={words.asTable} onClick={() => onTable(!asTable)}>
        <Table2 size={14} aria-hidden />
        <span className="table-word">{words.asTable}</span>
      </button>
    </div>
  );
}
