/** Breaks something: which fault, on what, how badly, for how long; the fault's own words say what will happen before it does. */
import { Zap } from 'lucide-react';
import { useEffect, useMemo, useState, type FormEvent } from 'react';
import type { FaultTarget } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { FaultType } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import type { JsonValue } from '../../../engine/base/json.ts';
import { parseParameter } from '../../../engine/component-helpers/fault-parameters.ts';
import { messageOf, request } from '../../api/request.ts';
import { useCollection } from '../../api/watches.ts';
import { parseDuration } from '../../lib/format.ts';
import { useNotices } from '../../state/notices.ts';
import { ParameterField } from './ParameterField.tsx';

const path = '/apis/sim.wavetank.dev/v1alpha1/faults';
const typesPath = '/apis/sim.wavetank.dev/v1alpha1/faulttypes';

type Words = { readonly [parameter: string]: string };

export function FaultForm({ onDone }: { readonly onDone: () => void }) {
  const nodes = useCollection('/api/v1/nodes', 'node');
  const [types, setTypes] = useState<readonly FaultType[]>([]);
  const [type, setType] = useState('node-power-loss');
  const [where, setWhere] = useState('');
  const [host, setHost] = useState('');
  const [duration, setDuration] = useState('');
  const [words, setWords] = useState<Words>({});
  useEffect(() => {
    request<{ items: readonly FaultType[] }>(typesPath).then(
      ({ items }) => setTypes(items),
      (error: unknown) => useNotices.getState().tell({ level: 'error', title: 'Faults cannot be read', detail: messageOf(error) }),
    );
  }, []);
  const { names, zones } = useMemo(() => {
    const rows = [...nodes.rows.values()];
    return { names: rows.map(({ name }) => name), zones: [...new Set(rows.map(({ zone }) => zone))].sort() };
  }, [nodes.rows, nodes.version]);
  const definition = types.find(({ metadata }) => metadata.name === type) ?? types[0];
  const chosen = where || `node/${names[0] ?? ''}`;
  const target = useMemo(() => targetOf(definition, chosen, host), [definition, chosen, host]);
  const said = useSentence(definition, target, words);
  if (!definition) return null;
  const name = definition.metadata.name ?? '';
  const badDuration = duration !== '' && parseDuration(duration) === 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (badDuration) return;
    const parameters = valuesOf(definition, words);
    try {
      await request(path, {
        method: 'POST',
        body: {
          apiVersion: 'sim.wavetank.dev/v1alpha1',
          kind: 'Fault',
          metadata: { generateName: `${name}-` },
          spec: {
            type: name,
            ...(Object.keys(target).length === 0 ? {} : { target: { ...target } }),
            ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
            ...(duration === '' ? {} : { duration }),
          },
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
      <div className="fields">
        <label>
          Fault
          <select
            className="field"
            value={name}
            onChange={(event) => {
              setType(event.target.value);
              setWords({});
            }}
          >
            {types.map(({ metadata, title }) => (
              <option key={metadata.name} value={metadata.name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {definition.target === 'nodes' ? (
          <label>
            Where
            <select className="field" value={chosen} onChange={(event) => setWhere(event.target.value)}>
              <optgroup label="One node">
                {names.map((node) => (
                  <option key={node} value={`node/${node}`}>
                    {node}
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
        ) : definition.target === 'image-registry' ? (
          <label>
            Registry host
            <input className="field" value={host} placeholder="every registry" onChange={(event) => setHost(event.target.value.trim())} />
          </label>
        ) : null}
        {definition.parameters.map((parameter) => (
          <ParameterField
            key={`${name}/${parameter.name}`}
            parameter={parameter}
            value={words[parameter.name] ?? ''}
            onChange={(value) => setWords({ ...words, [parameter.name]: value })}
          />
        ))}
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
        <button type="submit" className="button danger" disabled={(definition.target === 'nodes' && names.length === 0) || said.refusal !== ''}>
          <Zap size={14} aria-hidden />
          Break it
        </button>
        <button type="button" className="button quiet" onClick={onDone}>
          Cancel
        </button>
      </div>
      <p className="says" id="fault-says">
        {badDuration ? (
          <span className="bad">“{duration}” is not a duration. Write 90s, 10m or 1h30m.</span>
        ) : said.refusal ? (
          <span className="bad">{said.refusal}</span>
        ) : (
          said.sentence
        )}
      </p>
    </form>
  );
}

function targetOf(definition: FaultType | undefined, chosen: string, host: string): FaultTarget {
  if (definition?.target === 'nodes') return chosen.startsWith('zone/') ? { zone: chosen.slice(5) } : { node: chosen.slice(5) };
  return definition?.target === 'image-registry' && host !== '' ? { host } : {};
}

function valuesOf({ parameters }: FaultType, words: Words): Record<string, JsonValue> {
  const values = parameters.map((table) => [table.name, parseParameter(table, words[table.name] ?? '')] as const);
  return Object.fromEntries(values.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}

/** What the engine says would happen, with the settings in force. */
function useSentence(definition: FaultType | undefined, target: FaultTarget, words: Words): { readonly sentence: string; readonly refusal: string } {
  const [said, setSaid] = useState({ sentence: '', refusal: '' });
  const query = new URLSearchParams({ ...target, ...words }).toString();
  const name = definition?.metadata.name ?? '';
  useEffect(() => {
    if (name === '') return undefined;
    let isCurrent = true;
    request<FaultType>(`${typesPath}/${name}?${query}`).then(
      ({ sentence, refusal = '' }) => {
        if (isCurrent) setSaid({ sentence, refusal });
      },
      (error: unknown) => {
        if (isCurrent) setSaid({ sentence: '', refusal: messageOf(error) });
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [name, query]);
  return said;
}
