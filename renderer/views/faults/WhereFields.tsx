/** On what a fault strikes: a node, every node of a zone, a registry; nothing is asked of what is there once. */
import type { FaultTargetKind } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.faults;

interface WhereFieldsProps {
  readonly target: FaultTargetKind;
  readonly names: readonly string[];
  readonly zones: readonly string[];
  /** `node/NAME` or `zone/NAME`. */
  readonly chosen: string;
  readonly host: string;
  readonly onWhere: (chosen: string) => void;
  readonly onHost: (host: string) => void;
}

export function WhereFields({ target, names, zones, chosen, host, onWhere, onHost }: WhereFieldsProps) {
  if (target === 'image-registry')
    return (
      <label>
        {words.registry}
        <input className="field" value={host} placeholder={words.everyRegistry} onChange={(event) => onHost(event.target.value.trim())} />
      </label>
    );
  if (target !== 'nodes') return null;
  return (
    <label>
      {words.where}
      <select className="field" value={chosen} onChange={(event) => onWhere(event.target.value)}>
        <optgroup label={words.oneNode}>
          {names.map((node) => (
            <option key={node} value={`node/${node}`}>
              {node}
            </option>
          ))}
        </optgroup>
        <optgroup label={words.wholeZone}>
          {zones.map((zone) => (
            <option key={zone} value={`zone/${zone}`}>
              {zone}
            </option>
          ))}
        </optgroup>
      </select>
    </label>
  );
}
