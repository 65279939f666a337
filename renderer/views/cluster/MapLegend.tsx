/** What shapes and colours mean, with how many pods there are of each: only what is there. */
import { useMemo } from 'react';
import { podLooks, type ClusterMapStatus, type PodLook } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { formatCount } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import type { Place } from '../../state/address.ts';
import { token, useTheme } from '../../state/theme.ts';
import { texts } from '../../texts/texts.ts';
import { colourOf, readClassColours } from './colours.ts';
import { Counted } from './Counted.tsx';

const nameMax = 40;

export function MapLegend({ map }: { readonly map: ClusterMapStatus }) {
  const theme = useTheme(({ shown }) => shown);
  const colours = useMemo(() => {
    void theme;
    return readClassColours(token);
  }, [theme]);
  const counts = useMemo(() => countsOf(map), [map]);
  if (!counts.some((count) => count > 0)) return null;
  return (
    <ul className="map-legend" aria-label={texts.cluster.colours[map.by]}>
      {map.classes.map((name, place) =>
        counts[place] ? (
          <li key={name}>
            <ShapeSign look={map.by === 'state' ? podLooks[place] : undefined} colour={colourOf(colours, map.by, map.classes, place)} />
            {nameOf(map, name)} <Count of={placeOf(map, name)} count={counts[place]} />
          </li>
        ) : null,
      )}
    </ul>
  );
}

function Count({ of, count }: { readonly of: Partial<Place> | undefined; readonly count: number }) {
  if (of === undefined) return <span className="muted">{formatCount(count)}</span>;
  return (
    <Counted className="plain muted" place={of}>
      {formatCount(count)}
    </Counted>
  );
}

/** Where those are listed; nowhere those of an instant that has passed, and of a class that no list knows. */
function placeOf({ by, isPast }: ClusterMapStatus, name: string): Partial<Place> | undefined {
  if (isPast) return undefined;
  if (by === 'state') return { view: 'objects', kind: 'pods', filter: `look=${name}` };
  return by === 'owner' && name.includes('/') ? { selected: name } : undefined;
}

function countsOf({ nodes, classes }: ClusterMapStatus): readonly number[] {
  const counts = new Array<number>(classes.length).fill(0);
  for (const node of nodes)
    for (let at = 0; at < node.counts.length; at += 2) {
      const place = node.counts[at] as number;
      counts[place] = (counts[place] ?? 0) + (node.counts[at + 1] as number);
    }
  return counts;
}

function nameOf({ by }: ClusterMapStatus, name: string): string {
  if (by === 'state') return texts.cluster.looks[name as PodLook] ?? name;
  return shorten(by === 'owner' ? (name.split('/').at(-1) ?? name) : name, nameMax);
}
