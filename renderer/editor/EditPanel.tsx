/** The editor of one object: what is written is checked with the API server first, told as what would really change, and then applied. */
import { useMemo, useState } from 'react';
import { isObject, type JsonObject } from '../../engine/base/json.ts';
import { type ActTarget, inNamespace, named, pathOf } from '../acts/act.ts';
import { messageOf } from '../api/request.ts';
import { useNotices } from '../state/notices.ts';
import { NowNote } from '../acts/OnlyNow.tsx';
import { useWritable } from '../acts/use-writable.ts';
import { texts } from '../texts/texts.ts';
import { openInCreate } from '../views/create/read-file.ts';
import { checkText, type CheckedText } from './check-text.ts';
import { mergeThree } from './changes.ts';
import { CodeEditor } from './CodeEditor.tsx';
import { type Draft, lossOf, useDrafts } from './drafts.ts';
import { editableOf, isSecret, newlyMade, textOf, unhidden } from './editable.ts';
import { PlanView } from './PlanView.tsx';
import { refusedFields } from './refused-fields.ts';
import { applyPlan, fieldManager, type Plan, planEdit } from './send.ts';
import { shellQuote } from './shell-quote.ts';
import { writeYaml } from './yaml-write.ts';

const words = texts.editor;

interface EditPanelProps {
  readonly target: ActTarget;
  readonly draft: Draft & { readonly base: JsonObject };
}

export function EditPanel({ target, draft }: EditPanelProps) {
  const { id } = target;
  const { put, drop } = useDrafts();
  const loss = useDrafts((state) => lossOf(id, state));
  const { reason } = useWritable();
  const [plan, setPlan] = useState<Plan | undefined>();
  /** What the plan was made of. */
  const [checked, setChecked] = useState<JsonObject | undefined>();
  const [working, setWorking] = useState(false);
  const [said, setSaid] = useState('');
  const [asking, setAsking] = useState(false);
  const secret = isSecret(draft.base);
  const write = (text: string): void => {
    put(id, { ...draft, text });
    setPlan(undefined);
    setSaid('');
  };
  const rebase = (base: JsonObject, edited: JsonObject): void => {
    put(id, { ...draft, base, text: textOf(edited, draft.withValues === true) });
    setPlan(undefined);
  };
  const close = (): void => drop(id);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setWorking(true);
    setSaid('');
    try {
      await work();
    } catch (error) {
      setSaid(messageOf(error));
    }
    setWorking(false);
  };
  const check = (): Promise<void> =>
    attempt(async () => {
      const { object, fault } = objectOf(checkText(draft.text, new Map()));
      if (object === undefined) {
        setSaid(fault);
        return;
      }
      const edited = unhidden(object, draft.base);
      const next = await planEdit(pathOf(target), draft.base, edited);
      setChecked(edited);
      // A plan is of the text that was checked: nobody applies what no longer stands there.
      if (isWritten(id, draft.text)) setPlan(next);
      else setSaid(words.writtenSince);
    });
  const apply = (ready: Plan & { readonly kind: 'ready' }): Promise<void> =>
    attempt(async () => {
      const applied = await applyPlan(pathOf(target), ready);
      if (applied === undefined) {
        await check();
        setSaid(words.changedAgain);
        return;
      }
      useNotices.getState().tell({ level: 'info', title: words.applied(target.name) });
      const now = useDrafts.getState().drafts.get(id);
      if (now === undefined || now.text === draft.text) {
        close();
        return;
      }
      // What was written since begins with what has been applied.
      put(id, { ...now, base: checked ?? draft.base });
      setPlan(undefined);
      setSaid(words.appliedBefore);
    });
  const resolve = (winner: 'mine' | 'theirs'): void => {
    const { object } = objectOf(checkText(draft.text, new Map()));
    if (plan?.kind !== 'conflict' || object === undefined) return;
    const merged = mergeThree(editableOf(draft.base), editableOf(unhidden(object, draft.base)), editableOf(plan.live), winner);
    if (isObject(merged)) rebase(plan.live, merged);
  };
  const makeAnew = (): void => {
    const { object, fault } = objectOf(checkText(draft.text, new Map()));
    if (object === undefined) setSaid(fault);
    else openInCreate(writeYaml(newlyMade(unhidden(object, draft.base))));
  };
  const showValues = (): void => {
    const { object, fault } = objectOf(checkText(draft.text, new Map()));
    if (object === undefined) setSaid(fault);
    else put(id, { ...draft, text: textOf(unhidden(object, draft.base), true), withValues: true });
  };
  const blocked = reason !== '' || working;
  const refusals = useMemo(() => {
    const [manifest] = plan?.kind === 'refused' ? checkText(draft.text, new Map()).manifests : [];
    return manifest && plan?.kind === 'refused' ? refusedFields(plan.error, manifest, draft.text) : [];
  }, [plan, draft.text]);
  return (
    <section className="edit-panel" aria-label={words.label}>
      <p className="muted dense">
        {words.leftOut} {secret && !draft.withValues ? words.hiddenNote : ''} {loss === undefined ? '' : words.losses[loss]}
      </p>
      <CodeEditor
        text={draft.text}
        label={words.label}
        onText={write}
        onSubmit={() => void (blocked ? undefined : check())}
        refusals={refusals}
        focused
      />
      <NowNote />
      {said ? (
        <p className="bad dense" role="status">
          {said}
        </p>
      ) : null}
      {plan ? <PlanView plan={plan} lines={linesOf(target, plan, secret)} onResolve={resolve} onCreate={makeAnew} /> : null}
      <div className="row">
        {plan?.kind === 'ready' ? (
          <button key="apply" type="button" className="button primary" disabled={blocked} autoFocus onClick={() => void apply(plan)}>
            {words.apply}
          </button>
        ) : (
          <button key="check" type="button" className="button primary" disabled={blocked} onClick={() => void check()}>
            {working ? words.checking : words.check}
          </button>
        )}
        {secret && !draft.withValues ? (
          <button type="button" className="button" onClick={showValues}>
            {words.showValues}
          </button>
        ) : null}
        {asking ? (
          <>
            <button type="button" className="button danger" autoFocus onClick={close}>
              {words.discardSure}
            </button>
            <button type="button" className="button quiet" onClick={() => setAsking(false)}>
              {words.keepEditing}
            </button>
          </>
        ) : (
          <button
            type="button"
            className="button quiet"
            onClick={() => (draft.text === textOf(draft.base, draft.withValues === true) ? close() : setAsking(true))}
          >
            {words.discard}
          </button>
        )}
      </div>
    </section>
  );
}

/** Whether the draft is still this text: who asks the API server may go on writing. */
function isWritten(id: string, text: string): boolean {
  return useDrafts.getState().drafts.get(id)?.text === text;
}

/** The one object of a text, or why there is none. */
function objectOf({ manifests, findings }: CheckedText): { readonly object: JsonObject | undefined; readonly fault: string } {
  // The editor says what it is, at its line.
  if (findings.some(({ level }) => level === 'error')) return { object: undefined, fault: words.markedFirst };
  const [one, ...others] = manifests;
  if (others.length > 0) return { object: undefined, fault: words.several };
  return { object: one?.object, fault: one?.object ? '' : words.noObject };
}

interface Lines {
  readonly line: string;
  readonly shown: string;
}

/** Of a Secret the values are copied and not shown. */
function linesOf(target: ActTarget, plan: Plan, secret: boolean): Lines | undefined {
  if (plan.kind !== 'ready') return undefined;
  const line = (patch: string): string =>
    `kubectl patch ${named(target)}${inNamespace(target)} --type=merge --field-manager=${fieldManager} -p ${shellQuote(patch)}`;
  const shown = secret && isObject(plan.patch['data']) ? { ...plan.patch, data: '…' } : plan.patch;
  return { line: line(JSON.stringify(plan.patch)), shown: line(JSON.stringify(shown)) };
}
