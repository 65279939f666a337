/** One parameter of a fault, as its table asks for it; empty means the default. */
import type { FaultType } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import { texts } from '../../texts/texts.ts';

interface ParameterFieldProps {
  readonly parameter: FaultType['parameters'][number];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, description } = parameter;
  return (
    <label title={description}>
      {`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
      {parameter.type === 'choice' ? (
        <select className="field" value={value || parameter.default} onChange={(event) => onChange(event.target.value)}>
          {parameter.values.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      ) : (
        <input
          className="field"
          value={value}
          placeholder={parameter.type === 'list' ? texts.faults.listDefault : String(parameter.default) || texts.faults.textDefault}
          inputMode={parameter.type === 'number' || parameter.type === 'integer' ? 'decimal' : 'text'}
          onChange={(event) => onChange(event.target.value.trim())}
        />
      )}
    </label>
  );
}
