/** What shapes and colours mean, with how many pods there are of each: only what is there. */
import { useMemo } from 'react';
import { podLooks, type ClusterMapStatus, type PodLook } from '../../../engine/api/sim/v1alpha1/cluster-map.ts';
import { ShapeSign } from '../../components/ShapeSign.tsx';
import { formatCount } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { token, useTheme } from '../../state/theme.ts';
import { texts } from '../../texts/texts.ts';
import { colourOf, readClassColours } from './colours.ts';

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
            {nameOf(map, name)} <span className="muted">{formatCount(counts[place])}</span>
          </li>
        ) : null,
      )}
    </ul>
  );
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
