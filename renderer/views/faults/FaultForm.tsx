/** Breaks something: which fault, on what, for how long; the fault's own words say what will happen before it does. */
import { Zap } from 'lucide-react';
import { useMemo, useState, type FormEvent } from 'react';
import type { FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import { faults } from '../../../engine/faults/index.gen.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { parseDuration } from '../../lib/format.ts';
import { useNotices } from '../../state/notices.ts';

const path = '/apis/sim.wavetank.dev/v1alpha1/faults';

export function FaultForm({ onDone }: { readonly onDone: () => void }) {
  const nodes = useCollection('/api/v1/nodes', 'node');
  const [type, setType] = useState('node-power-loss');
  const [where, setWhere] = useState('');
  const [host, setHost] = useState('');
  const [duration, setDuration] = useState('');
  const definition = faults.find(({ name }) => name === type) ?? faults[0];
  const { names, zones } = useMemo(() => {
    const rows = [...nodes.rows.values()];
    return { names: rows.map(({ name }) => name), zones: [...new Set(rows.map(({ zone }) => zone))].sort() };
  }, [nodes.rows, nodes.version]);
  if (!definition) return null;
  const onNodes = definition.target === 'nodes';
  const chosen = where || `node/${names[0] ?? ''}`;
  const target: FaultTarget = onNodes
    ? chosen.startsWith('zone/')
      ? { zone: chosen.slice(5) }
      : { node: chosen.slice(5) }
    : host === ''
      ? {}
      : { host };
  const badDuration = duration !== '' && parseDuration(duration) === 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (badDuration) return;
    try {
      await request(path, {
        method: 'POST',
        body: {
          apiVersion: 'sim.wavetank.dev/v1alpha1',
          kind: 'Fault',
          metadata: { generateName: `${type}-` },
          spec: { type: definition.name, target: { ...target }, ...(duration === '' ? {} : { duration }) },
        },
      });
      onDone();
    } catch (error) {
      useNotices.getState().tell({ level: 'error', title: 'The fault was not injected', detail: messageOf(error) });
    }
  };
  return (
    <form
      className="fault-form"
      aria-label="Break something"
      onSubmit={(event) => {
        void submit(event);
      }}
    >
      <div className="segmented" role="group" aria-label="Fault">
        {faults.toReversed().map(({ name, title }) => (
          <button key={name} type="button" aria-pressed={name === definition.name} onClick={() => setType(name)}>
            {title}
          </button>
        ))}
      </div>
      <div className="fields">
        {onNodes ? (
          <label>
            Where
            <select className="field" value={chosen} onChange={(event) => setWhere(event.target.value)}>
              <optgroup label="One node">
                {names.map((name) => (
                  <option key={name} value={`node/${name}`}>
                    {name}
                  </option>
                ))}
              </optgroup>
              <optgroup label="Every node of a zone">
                {zones.map((zone) => (
                  <option key={zone} value={`zone/${zone}`}>
                    {zone}
                  </option>
                ))}
              </optgroup>
            </select>
          </label>
        ) : (
          <label>
            Registry host
            <input className="field" value={host} placeholder="every registry" onChange={(event) => setHost(event.target.value.trim())} />
          </label>
        )}
        <label>
          Heals after
          <input
            className="field"
            value={duration}
            placeholder="until it is healed"
            aria-invalid={badDuration}
            aria-describedby="fault-says"
            onChange={(event) => setDuration(event.target.value.trim())}
          />
        </label>
        <button type="submit" className="button danger" disabled={onNodes && names.length === 0}>
          <Zap size={14} aria-hidden />
          Break it
        </button>
        <button type="button" className="button quiet" onClick={onDone}>
          Cancel
        </button>
      </div>
      <p className="says" id="fault-says">
        {badDuration ? <span className="bad">“{duration}” is not a duration. Write 90s, 10m or 1h30m.</span> : definition.describe(target)}
      </p>
    </form>
  );
}
