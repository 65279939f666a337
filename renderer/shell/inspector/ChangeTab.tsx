/** One change: who made it, its fields before and after, what it came of and what came of it. Each of these leads to its own change. */
import { CircleDot, Clock, HeartOff, Keyboard, PencilLine, Zap } from 'lucide-react';
import { useState } from 'react';
import type { ChangeEffect, ChangeStatus, FieldChange } from '../../../engine/api/sim/v1alpha1/change.ts';
import type { CauseLink } from '../../../engine/api/sim/v1alpha1/timeline.ts';
import { useChange } from '../../api/changes.ts';
import { Empty } from '../../components/Empty.tsx';
import { formatDate, formatTime } from '../../lib/format.ts';
import { shorten } from '../../lib/shorten.ts';
import { useWhen } from '../../state/use-when.ts';
import { texts } from '../../texts/texts.ts';
import { goToChange, useChangeKeys } from './use-change-keys.ts';

const words = texts.changes;
const signs = { write: PencilLine, timer: Clock, input: Keyboard, silence: HeartOff, fault: Zap, other: CircleDot } as const;
const textMax = 2100;
/** What begins or ends has these in its title already. */
const ofName = /^(kind|apiVersion|metadata\.(name|namespace|generateName))$/;

export function ChangeTab({ revision }: { readonly revision: number }) {
  const { change, error } = useChange(revision);
  useChangeKeys(change);
  if (error) return <Empty title={words.cannotRead}>{`${error}. ${words.forgottenText}`}</Empty>;
  if (!change) return <p className="muted">{words.reading}</p>;
  return (
    <>
      <section className="section">
        <h2 className="small-title">{words.revision(change.revision)}</h2>
        <p className="change-summary">{shorten(change.summary, textMax)}</p>
        <Writer change={change} />
      </section>
      <Fields change={change} />
      <section className="section">
        <h2 className="small-title">{words.because}</h2>
        {change.causes?.length ? (
          <ol className="change-links">
            {change.causes.map((cause, index) => (
              <Cause key={index} cause={cause} />
            ))}
          </ol>
        ) : (
          <p className="muted">{words.noCause}</p>
        )}
      </section>
      <section className="section">
        <h2 className="small-title">{words.broughtAbout}</h2>
        {change.effects?.length ? (
          <ol className="change-links">
            {change.effects.map((effect) => (
              <Effect key={effect.revision} effect={effect} />
            ))}
          </ol>
        ) : (
          <p className="muted">{words.noEffects}</p>
        )}
        {change.moreEffects ? <p className="muted">{words.moreEffects(change.moreEffects)}</p> : null}
      </section>
    </>
  );
}

function Writer({ change }: { readonly change: ChangeStatus }) {
  const { ms, actor, username, userAgent, fieldManagers = [] } = change;
  const facts = [
    [words.at, `${formatTime(ms, true)} · ${formatDate(ms)}`],
    [words.by, actor === username ? actor : `${actor} (${username})`],
    [words.userAgent, userAgent ?? ''],
    [words.managers, fieldManagers.join(', ')],
  ] as const;
  return (
    <dl className="facts">
      {facts.map(([name, text]) =>
        text === '' ? null : (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{shorten(text, 400)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Fields({ change: { verb, fields, moreFields = 0, facts } }: { readonly change: ChangeStatus }) {
  const [all, setAll] = useState(false);
  if (fields === undefined)
    return (
      <section className="section">
        <h2 className="small-title">{words.fields}</h2>
        <p className="muted">{words.fieldsForgotten}</p>
        <ul className="dense">
          {facts.map((fact, index) => (
            <li key={index}>{shorten(fact, textMax)}</li>
          ))}
        </ul>
      </section>
    );
  const telling = fields.filter(({ path, bookkeeping }) => bookkeeping !== true && (verb === 'update' || !ofName.test(path)));
  const rest = fields.length - telling.length;
  const shown = all ? fields : telling;
  return (
    <section className="section">
      <h2 className="small-title">{words.fields}</h2>
      {shown.length > 0 ? (
        <ul className="field-changes">
          {shown.map((field) => (
            <Field key={field.path} field={field} />
          ))}
        </ul>
      ) : (
        <p className="muted">{words.noFields}</p>
      )}
      {moreFields > 0 ? <p className="muted">{words.moreFields(moreFields)}</p> : null}
      {rest > 0 && !all ? (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {words.bookkeeping(rest)}
        </button>
      ) : null}
    </section>
  );
}

function Field({ field: { path, before, after, beforeLength, afterLength } }: { readonly field: FieldChange }) {
  return (
    <li>
      <code className="path">{shorten(path, 300)}</code>
      {before === undefined ? null : <Value sign="−" label={words.before} text={before} length={beforeLength} />}
      {after === undefined ? null : <Value sign="+" label={words.after} text={after} length={afterLength} />}
    </li>
  );
}

function Value({
  sign,
  label,
  text,
  length,
}: {
  readonly sign: string;
  readonly label: string;
  readonly text: string;
  readonly length: number | undefined;
}) {
  return (
    <div className={sign === '+' ? 'value is-after' : 'value is-before'}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{label}</span>
      <code>{text === '' ? '""' : shorten(text, textMax)}</code>
      {length === undefined ? null : <span className="muted">{words.long(text.length, length)}</span>}
    </div>
  );
}

function Cause({ cause: { type, revision, object, ms, text } }: { readonly cause: CauseLink }) {
  const when = useWhen();
  const Sign = signs[type];
  return (
    <li>
      <Sign size={14} aria-label={type} color="var(--text-muted)" />
      {revision !== undefined && object !== undefined ? (
        <button type="button" className="link" onClick={() => goToChange(object, revision)}>
          {shorten(text, textMax)}
        </button>
      ) : (
        <span>{shorten(text, textMax)}</span>
      )}
      <span className="muted time">{ms === undefined ? '' : when(ms, true)}</span>
    </li>
  );
}

function Effect({ effect: { revision, row, ms, text } }: { readonly effect: ChangeEffect }) {
  const when = useWhen();
  return (
    <li>
      <PencilLine size={14} aria-hidden color="var(--text-muted)" />
      <button type="button" className="link" onClick={() => goToChange(row, revision)}>
        {shorten(text, textMax)}
      </button>
      <span className="muted time">{when(ms, true)}</span>
    </li>
  );
}
