/** Breaks something: which faults, on what, how badly, when, for how long; the engine's own words say what will happen before it does. */
import { Plus, X, Zap } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { FaultType } from '../../../engine/api/sim/v1alpha1/fault-type.ts';
import { compareNames } from '../../../engine/component-helpers/name-order.ts';
import { messageOf, request } from '../../api/request.ts';
import { kubectlCreate } from '../../acts/kubectl-create.ts';
import { NowNote, OnlyNow } from '../../acts/OnlyNow.tsx';
import { useCollection } from '../../api/watches.ts';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { parseDuration } from '../../lib/format.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useClock } from '../../state/clock.ts';
import { useNotices } from '../../state/notices.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { bodyOf, type FaultChoice, parametersOf, startOf, targetOf } from './fault-body.ts';
import { ParameterField } from './ParameterField.tsx';
import { proposedNode } from './proposed-node.ts';
import { useSentence } from './use-sentence.ts';
import { WhereFields } from './WhereFields.tsx';

const texted = texts.faults;
const path = '/apis/sim.wavetank.dev/v1alpha1/faults';
const typesPath = '/apis/sim.wavetank.dev/v1alpha1/faulttypes';

type Words = { readonly [parameter: string]: string };

export function FaultForm({ onDone }: { readonly onDone: () => void }) {
  const when = useWhen();
  const nodes = useCollection('/api/v1/nodes', 'node');
  const nowMs = useClock((state) => state.nowMs);
  const types = useTypes();
  const [type, setType] = useState('node-power-loss');
  const [where, setWhere] = useState('');
  const [host, setHost] = useState('');
  const [duration, setDuration] = useState('');
  const [startsIn, setStartsIn] = useState('');
  const [words, setWords] = useState<Words>({});
  const [queue, setQueue] = useState<readonly FaultChoice[]>([]);
  const { busy, once } = useOnce();
  const { names, zones } = useMemo(() => {
    const rows = [...nodes.rows.values()];
    return { names: rows.map(({ name }) => name).sort(compareNames), zones: [...new Set(rows.map(({ zone }) => zone))].sort(compareNames) };
  }, [nodes.rows, nodes.version]);
  const definition = types.find(({ metadata }) => metadata.name === type) ?? types[0];
  const faults = useCollection(path, 'full');
  const queued = queue.map((one) => one.target);
  const chosen = where || `node/${proposedNode([...nodes.rows.values()], [...faults.rows.values()] as Fault[], queued)}`;
  const target = useMemo(() => targetOf(definition, chosen, host), [definition, chosen, host]);
  const said = useSentence(typesPath, definition, target, words);
  if (!definition) return null;
  const name = definition.metadata.name ?? '';
  const choice: FaultChoice = { type: name, title: definition.title, target, parameters: parametersOf(definition, words), duration, startsIn };
  const all = [...queue, choice];
  const bad = [duration, startsIn].find((text) => text !== '' && parseDuration(text) === 0);
  const blocked = bad !== undefined || said.refusal !== '' || (definition.target === 'nodes' && names.length === 0);
  const start = startOf(choice, nowMs);
  const submit = async (): Promise<void> => {
    const nowMsThen = useClock.getState().nowMs;
    const ask = (query: string) => Promise.allSettled(all.map((one) => request(path + query, { method: 'POST', body: bodyOf(one, nowMsThen) })));
    // All of them or none, and at one instant: what they do together is the point of it.
    const tried = refusalsOf(await ask('?dryRun=All'));
    const refused = tried.length > 0 ? tried : refusalsOf(await ask(''));
    if (refused.length === 0) return onDone();
    useNotices.getState().tell({ level: 'error', title: texted.notInjected(refused.length), detail: refused.join(' ') });
  };
  return (
    <form
      className="fault-form"
      aria-label={texted.begin}
      onSubmit={(event) => {
        event.preventDefault();
        if (!blocked) once(submit);
      }}
    >
      {queue.length > 0 ? <Queue queue={queue} onDrop={(one) => setQueue(queue.filter((other) => other !== one))} /> : null}
      <div className="fields">
        <label>
          {texted.fault}
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
        <WhereFields {...{ target: definition.target, names, zones, chosen, host, onWhere: setWhere, onHost: setHost }} />
        {definition.parameters.map((parameter) => (
          <ParameterField
            key={`${name}/${parameter.name}`}
            parameter={parameter}
            value={words[parameter.name] ?? ''}
            onChange={(value) => setWords({ ...words, [parameter.name]: value })}
          />
        ))}
        <DurationField label={texted.startsIn} empty={texted.atOnce} value={startsIn} onChange={setStartsIn} />
        <DurationField label={texted.heals} empty={texted.untilHealed} value={duration} onChange={setDuration} />
      </div>
      <p className="says" id="fault-says">
        {bad === undefined ? (
          said.refusal ? (
            <span className="bad">{said.refusal}</span>
          ) : (
            <>
              {start === undefined ? null : <strong>{texted.planned1(when(Date.parse(start)))}</strong>}
              {said.sentence}
            </>
          )
        ) : (
          <span className="bad">{texted.badDuration(bad)}</span>
        )}
      </p>
      {bad === undefined ? <KubectlLine line={kubectlCreate(all.map((one) => bodyOf(one, nowMs)))} /> : null}
      <NowNote />
      <div className="row">
        <OnlyNow isSaid>
          <button type="submit" className="button danger" disabled={blocked || busy}>
            <Zap size={14} aria-hidden />
            {queue.length > 0 ? texted.breakAll(all.length) : start === undefined ? texted.breakIt : texted.planIt}
          </button>
          <button
            type="button"
            className="button"
            disabled={blocked || busy}
            onClick={() => {
              setQueue(all);
              setWhere('');
            }}
          >
            <Plus size={14} aria-hidden />
            {texted.another}
          </button>
        </OnlyNow>
        <button type="button" className="button quiet" onClick={onDone}>
          {texted.cancel}
        </button>
      </div>
    </form>
  );
}

function refusalsOf(answers: readonly PromiseSettledResult<unknown>[]): readonly string[] {
  return answers.flatMap((answer) => (answer.status === 'rejected' ? [messageOf(answer.reason)] : []));
}

function useTypes(): readonly FaultType[] {
  const [types, setTypes] = useState<readonly FaultType[]>([]);
  useEffect(() => {
    request<{ items: readonly FaultType[] }>(typesPath).then(
      ({ items }) => setTypes(items),
      (error: unknown) => useNotices.getState().tell({ level: 'error', title: texted.typesUnread, detail: messageOf(error) }),
    );
  }, []);
  return types;
}

function Queue({ queue, onDrop }: { readonly queue: readonly FaultChoice[]; readonly onDrop: (choice: FaultChoice) => void }) {
  return (
    <div className="row">
      <span className="muted dense">{texted.together}</span>
      {queue.map((one, index) => {
        const { node, zone, host } = one.target;
        const what = [
          one.title,
          node ?? (zone === undefined ? host : texted.zone(zone)),
          one.startsIn === '' ? undefined : `${texted.startsIn} ${one.startsIn}`,
        ];
        const text = what.filter((part) => part !== undefined).join(' · ');
        return (
          <span key={index} className="badge bad">
            {text}
            <button type="button" className="button icon quiet" aria-label={texted.drop(text)} onClick={() => onDrop(one)}>
              <X size={12} aria-hidden />
            </button>
          </span>
        );
      })}
    </div>
  );
}

interface DurationFieldProps {
  readonly label: string;
  readonly empty: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function DurationField({ label, empty, value, onChange }: DurationFieldProps) {
  return (
    <label>
      {label}
      <input
        className="field"
        value={value}
        placeholder={empty}
        aria-invalid={value !== '' && parseDuration(value) === 0}
        aria-describedby="fault-says"
        onChange={(event) => onChange(event.target.value.trim())}
      />
    </label>
  );
}
