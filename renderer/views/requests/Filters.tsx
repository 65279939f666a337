/** Verb, resource and code of what is there to choose from, and the order. */
import type { APIRequest } from '../../../engine/api/sim/v1alpha1/api-request.ts';
import { compareNames } from '../../../engine/component-helpers/name-order.ts';
import { texts } from '../../texts/texts.ts';
import { type Choice, slowMs, type Sort, sorts } from './choice.ts';

const words = texts.requests;

interface Props {
  readonly choice: Choice;
  readonly requests: readonly APIRequest[];
  readonly onChoose: (part: Partial<Choice>) => void;
}

export function Filters({ choice, requests, onChoose }: Props) {
  const of = (field: (status: APIRequest['status']) => string): readonly string[] => requests.map(({ status }) => field(status));
  return (
    <>
      <Select label={words.verb} any={words.anyVerb} value={choice.verb} offered={of(({ verb }) => verb)} onChoose={(verb) => onChoose({ verb })} />
      <Select
        label={words.resource}
        any={words.anyResource}
        value={choice.resource}
        offered={of(({ resource = '' }) => resource)}
        onChoose={(resource) => onChoose({ resource })}
      />
      <Select
        label={words.code}
        any={words.anyCode}
        value={choice.code}
        offered={of(({ code }) => (code === 0 ? '' : String(code)))}
        onChoose={(code) => onChoose({ code })}
      />
      <button type="button" className="button" aria-pressed={choice.failed} onClick={() => onChoose({ failed: !choice.failed })}>
        {words.failedOnly}
      </button>
      <button
        type="button"
        className="button"
        title={words.withPageTitle}
        aria-pressed={choice.page}
        onClick={() => onChoose({ page: !choice.page })}
      >
        {words.withPage}
      </button>
      <select
        className="field"
        aria-label={words.sortsLabel}
        title={words.sortsTitle(slowMs)}
        value={choice.sort}
        onChange={(event) => onChoose({ sort: event.target.value as Sort })}
      >
        {sorts.map((one) => (
          <option key={one} value={one}>
            {words.sorts[one]}
          </option>
        ))}
      </select>
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly any: string;
  readonly value: string;
  readonly offered: readonly string[];
  readonly onChoose: (value: string) => void;
}

/** What is chosen stays to be seen though nothing has it now. */
function Select({ label, any, value, offered, onChoose }: SelectProps) {
  const values = [...new Set([...offered, value])].filter((one) => one !== '').sort(compareNames);
  return (
    <select className="field" aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{any}</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}
