/** Buttons for what can be done to what is chosen; beneath them what will happen, the kubectl line that does the same, and what came of it. */
import { Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AnyObject } from '../api/objects.ts';
import { isAbort, messageOf, request, UnansweredError } from '../api/request.ts';
import { Unbroken } from '../editor/Unbroken.tsx';
import { useKeys } from '../lib/keys.ts';
import { shorten } from '../lib/shorten.ts';
import { useClock } from '../state/clock.ts';
import { useNotices } from '../state/notices.ts';
import { texts } from '../texts/texts.ts';
import { type Act, type ActMoment, type ActTarget, momentAt, pathOf } from './act.ts';
import { actsFor } from './acts.ts';
import { OnlyNow } from './OnlyNow.tsx';

const words = texts.acts;
const linesMax = 5;
const saidMax = 600;
const nameMax = 120;

interface Outcome {
  readonly level: 'info' | 'error';
  readonly lines: readonly string[];
  /** Row ids of what was acted upon: of other objects it says nothing. */
  readonly of: ReadonlySet<string>;
}

interface ActBarProps {
  readonly targets: readonly ActTarget[];
  /** What there was and is no more: its acts keep their place, so that nothing below them moves, and are not offered. */
  readonly gone?: readonly ActTarget[];
}

/** Of what there was and is no more, or is chosen no more, it tells what came of the last act. */
export function ActBar({ targets, gone = [] }: ActBarProps) {
  const [chosen, setChosen] = useState<Act | undefined>();
  const [told, setTold] = useState<Outcome | undefined>();
  const [working, setWorking] = useState(false);
  const [input, setInput] = useState('');
  const [moment, setMoment] = useState(() => momentAt(0));
  const bar = useRef<HTMLElement>(null);
  const isThere = useMounted();
  useKeys({ x: () => bar.current?.querySelector<HTMLElement>('button:enabled')?.focus() });
  const isGone = targets.length === 0 && gone.length > 0;
  const shown = isGone ? gone : targets;
  const offered = shown.length === 0 ? [] : actsFor(shown);
  const outcome = told && targets.every(({ id }) => told.of.has(id)) ? told : undefined;
  if (offered.length === 0 && outcome === undefined) return null;
  const run = async (act: Act, text: string, at: ActMoment): Promise<void> => {
    setWorking(true);
    setTold(undefined);
    const came = await runAll(act, targets, text, at);
    setTold(came);
    setWorking(false);
    if (!isThere.current) tellElsewhere(act, targets, came);
  };
  const choose = (act: Act): void => {
    const [first] = targets;
    // What several have may differ: none is offered.
    const text = act.input && first && targets.length === 1 ? act.input.initial(first) : '';
    const at = momentAt(useClock.getState().nowMs);
    setMoment(at);
    setChosen(act);
    setInput(text);
    setTold(undefined);
    if (!act.danger && !act.input) void run(act, text, at);
  };
  return (
    <section className="acts" aria-label={words.bar} ref={bar}>
      <OnlyNow>
        <div className="row">
          {offered.map((act) => (
            <button
              key={act.name}
              type="button"
              className={`button ${act.danger ? 'danger' : ''}`}
              aria-expanded={chosen?.name === act.name}
              disabled={working || isGone}
              title={isGone ? words.reasons.gone : undefined}
              // The second of a double click asks for nothing more.
              onClick={({ detail }) => (detail > 1 ? undefined : choose(act))}
            >
              {act.label}
            </button>
          ))}
        </div>
        {chosen ? (
          <ActPanel
            key={chosen.name}
            {...{ act: chosen, targets, input, moment, outcome, working, onInput: setInput }}
            onRun={() => void run(chosen, input, moment)}
            onClose={() => {
              // Whoever goes through acts by keys stays among them.
              bar.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
              setChosen(undefined);
              setTold(undefined);
            }}
          />
        ) : null}
      </OnlyNow>
    </section>
  );
}

/** False once it is out of sight. */
function useMounted(): { readonly current: boolean } {
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}

function tellElsewhere({ label }: Act, targets: readonly ActTarget[], { level, lines }: Outcome): void {
  const names = targets.length === 1 ? (targets[0]?.name ?? '') : words.chosen(targets.length);
  useNotices.getState().tell({ level, title: words.outcomeOf(label, shorten(names, nameMax)), detail: lines.join('\n') });
}

async function runAll(act: Act, targets: readonly ActTarget[], text: string, moment: ActMoment): Promise<Outcome> {
  const of = new Set(targets.map(({ id }) => id));
  const isOne = targets.length === 1;
  const tell = (target: ActTarget, what: string): string => (isOne ? what : words.one(shorten(target.name, nameMax), what));
  const said: string[] = [];
  const refusals: string[] = [];
  let unknown = 0;
  for (const target of targets) {
    try {
      const came = await act.run(target, text, moment);
      if (came !== '') said.push(tell(target, came));
    } catch (error) {
      if (error instanceof UnansweredError) unknown++;
      refusals.push(tell(target, messageOf(error)));
    }
  }
  const done = words.done(targets.length - refusals.length);
  if (refusals.length === 0) return { level: 'info', lines: isOne ? [shorten([done, ...said].join(' '), saidMax)] : [done, ...firstOf(said)], of };
  const refused = unknown > 0 ? words.unanswered(refusals.length - unknown, unknown, targets.length) : words.refused(refusals.length, targets.length);
  if (isOne) return { level: 'error', lines: [shorten(`${refused} ${refusals[0] ?? ''}`.trim(), saidMax)], of };
  const head = refusals.length < targets.length ? `${done} ${refused}` : refused;
  return { level: 'error', lines: [head, ...firstOf(refusals), ...firstOf(said)], of };
}

function firstOf(all: readonly string[]): readonly string[] {
  const more = all.length - linesMax;
  return [...all.slice(0, linesMax).map((one) => shorten(one, saidMax)), ...(more > 0 ? [words.more(more)] : [])];
}

interface ActPanelProps {
  readonly act: Act;
  readonly targets: readonly ActTarget[];
  readonly input: string;
  readonly moment: ActMoment;
  readonly outcome: Outcome | undefined;
  /** The API server is being asked. */
  readonly working: boolean;
  readonly onInput: (text: string) => void;
  readonly onRun: () => void;
  readonly onClose: () => void;
}

function ActPanel({ act, targets, input, moment, outcome, working, onInput, onRun, onClose }: ActPanelProps) {
  const said = useForecast(act, targets);
  const { values, refusal } = useInitial(act, targets);
  // Until something is typed each line says what is there now: a line without its number is none.
  const line = (target: ActTarget): string => act.kubectl(target, input || values.get(target.id) || words.count, moment);
  const lines = targets.slice(0, linesMax).map(line);
  const [only] = targets.length === 1 ? targets : [];
  const found = only && values.get(only.id);
  useEffect(() => {
    if (found !== undefined && input === '') onInput(found);
  }, [found]);
  const more = targets.length - lines.length;
  const fault = act.input?.fault(input) ?? '';
  const asks = act.danger === true || act.input !== undefined;
  // Pressed again it would undo what was just done, or do more of it.
  const isOver = act.danger === true && outcome !== undefined && outcome.level !== 'error';
  return (
    <form
      className="act-panel"
      aria-label={act.label}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === '' && !working) onRun();
      }}
    >
      {act.input ? (
        <label>
          {act.input.label}{' '}
          <input
            className="field"
            autoFocus
            value={input}
            inputMode="numeric"
            aria-invalid={input !== '' && fault !== ''}
            onChange={(event) => onInput(event.target.value.trim())}
          />
          {input !== '' && fault ? <span className="bad"> {fault}</span> : null}
        </label>
      ) : null}
      {[...said, ...(refusal === '' ? [] : [refusal])].map((text) => (
        <p key={text}>{shorten(text, saidMax)}</p>
      ))}
      {targets.length === 0 ? null : (
        <div className="kubectl">
          <pre>
            <Unbroken text={lines.map((text) => shorten(text, saidMax)).join('\n') + (more > 0 ? `\n… ${more}` : '')} />
          </pre>
          <button type="button" className="button icon quiet" aria-label={words.copy} title={words.copy} onClick={() => copy(targets.map(line))}>
            <Copy size={13} aria-hidden />
          </button>
        </div>
      )}
      {working || outcome ? (
        <div className={working ? 'muted' : outcome?.level === 'error' ? 'bad' : 'good'} role="status">
          {(working ? [words.working] : (outcome?.lines ?? [])).map((text, index) => (
            <p key={index}>{text}</p>
          ))}
        </div>
      ) : null}
      <div className="row">
        {asks && targets.length > 0 && !isOver ? (
          <button
            type="submit"
            className={`button ${act.danger ? 'danger' : 'primary'}`}
            disabled={fault !== '' || working}
            autoFocus={act.danger === true}
          >
            {words.doIt(act.label)}
          </button>
        ) : null}
        <button type="button" className="button quiet" onClick={onClose}>
          {asks && !outcome ? words.cancel : words.close}
        </button>
      </div>
    </form>
  );
}

/** What is told before it is done, of all that are chosen. */
function useForecast(act: Act, targets: readonly ActTarget[]): readonly string[] {
  const [said, setSaid] = useState<readonly string[]>([]);
  const ids = targets.map(({ id }) => id).join(' ');
  useEffect(() => {
    let isCurrent = true;
    const { forecast } = act;
    if (!forecast || targets.length === 0) {
      setSaid([]);
      return undefined;
    }
    forecast(targets).then(
      (all) => {
        if (isCurrent) setSaid([...new Set(all)]);
      },
      (error: unknown) => {
        if (isCurrent) setSaid([messageOf(error)]);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [act, ids]);
  return said;
}

interface Initial {
  /** By row id, of those that are listed. */
  readonly values: ReadonlyMap<string, string>;
  readonly refusal: string;
}

const nothingKnown: Initial = { values: new Map(), refusal: '' };

/** What an act that asks for a value would change; objects that the page does not know are read. */
function useInitial(act: Act, targets: readonly ActTarget[]): Initial {
  const [known, setKnown] = useState(nothingKnown);
  const ids = targets.map(({ id }) => id).join(' ');
  useEffect(() => {
    const { input } = act;
    if (!input) return undefined;
    const abort = new AbortController();
    const read = async (target: ActTarget): Promise<readonly [string, string]> => {
      const object = target.object ?? (await request<AnyObject>(pathOf(target), { signal: abort.signal }));
      return [target.id, input.initial({ ...target, object })];
    };
    Promise.all(targets.slice(0, linesMax).map(read)).then(
      (values) => setKnown({ values: new Map(values), refusal: '' }),
      (error: unknown) => {
        if (!isAbort(error)) setKnown({ values: new Map(), refusal: messageOf(error) });
      },
    );
    return () => abort.abort();
  }, [act, ids]);
  return known;
}

function copy(lines: readonly string[]): void {
  const { tell } = useNotices.getState();
  navigator.clipboard.writeText(lines.join('\n')).then(
    () => tell({ level: 'info', title: words.copied }),
    () => tell({ level: 'error', title: words.copy, detail: words.notCopied }),
  );
}
