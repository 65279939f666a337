/** What the API server says would come of an edit. */
import { isObject, type JsonObject, type JsonValue } from '../../engine/base/json.ts';
import { shorten } from '../lib/shorten.ts';
import { texts } from '../texts/texts.ts';
import { changesBetween, formatPath } from './changes.ts';
import { DiffView } from './DiffView.tsx';
import { editableOf, isSecret, withoutValues } from './editable.ts';
import { KubectlLine } from './KubectlLine.tsx';
import type { Plan } from './send.ts';
import { writeYaml } from './yaml-write.ts';

const words = texts.editor;
const valueMax = 200;
const messageMax = 2000;
const fieldsShown = 12;

interface PlanViewProps {
  readonly plan: Plan;
  readonly lines: { readonly line: string; readonly shown: string } | undefined;
  readonly onResolve: (winner: 'mine' | 'theirs') => void;
  /** Takes what was written to Create, where it can be made anew. */
  readonly onCreate: () => void;
}

export function PlanView({ plan, lines, onResolve, onCreate }: PlanViewProps) {
  switch (plan.kind) {
    case 'ready':
      return (
        <div className="plan" role="status">
          {plan.theirs.length > 0 ? <p className="warn dense">{words.movedOn(plan.theirs.length)}</p> : null}
          <Warnings warnings={plan.warnings} />
          <Difference live={plan.live} result={plan.result} />
          {lines ? <KubectlLine {...lines} /> : null}
        </div>
      );
    case 'conflict':
      return <Conflict plan={plan} onResolve={onResolve} />;
    case 'refused':
      return (
        <p className="bad dense" role="status">
          {words.refused} {shorten(plan.error.message, messageMax)}
        </p>
      );
    case 'deleted':
      return (
        <div className="plan" role="status">
          <p className="warn dense">{words.deleted}</p>
          <div className="row">
            <button type="button" className="button" onClick={onCreate}>
              {words.toCreate}
            </button>
          </div>
        </div>
      );
    default:
      return (
        <p className="warn dense" role="status">
          {words[plan.kind]}
        </p>
      );
  }
}

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <div className="warn dense">
      {words.warnings}
      <ul>
        {warnings.map((text) => (
          <li key={text}>{shorten(text, messageMax)}</li>
        ))}
      </ul>
    </div>
  );
}

/** What is there and what would be, without what changes at each write. */
export function Difference({ live, result }: { readonly live: JsonObject | undefined; readonly result: JsonObject }) {
  const [before, after] = [live && editableOf(live), editableOf(result)];
  const changed = changesBetween(before, after);
  if (changed.length === 0) return <p className="muted dense">{words.wouldNot}</p>;
  const hidden = isSecret(result) ? changed.filter(({ path }) => path[0] === 'data').length : 0;
  return (
    <>
      <p className="dense">{words.wouldChange}</p>
      {hidden > 0 ? <p className="muted dense">{words.hiddenLines(hidden)}</p> : null}
      <DiffView before={before ? writeYaml(withoutValues(before)) : ''} after={writeYaml(withoutValues(after))} label={words.wouldChange} />
    </>
  );
}

function Conflict({ plan: { fields, live }, onResolve }: Pick<PlanViewProps, 'onResolve'> & { readonly plan: Plan & { readonly kind: 'conflict' } }) {
  const secret = isSecret(live);
  return (
    <div className="plan" role="status">
      <p className="warn dense">{words.conflict}</p>
      <dl className="conflicts dense">
        {fields.slice(0, fieldsShown).map(({ mine, theirs }, index) => (
          <div key={index} className="pair">
            <dt>
              <code>{shorten(formatPath(mine.path), valueMax)}</code>
            </dt>
            <dd>
              {words.mine} <code>{secret ? '…' : valueText(mine.after)}</code>
              {words.comma} {words.theirs} <code>{secret ? '…' : valueText(theirs.after)}</code>
            </dd>
          </div>
        ))}
      </dl>
      {fields.length > fieldsShown ? <p className="muted dense">{words.moreFindings(fields.length - fieldsShown)}</p> : null}
      <div className="row">
        <button type="button" className="button" autoFocus onClick={() => onResolve('mine')}>
          {words.keepMine}
        </button>
        <button type="button" className="button" onClick={() => onResolve('theirs')}>
          {words.takeTheirs}
        </button>
      </div>
    </div>
  );
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return words.none;
  return shorten(isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value), valueMax);
}
