/** Objects are made from samples, files or what somebody writes: tried first, then applied, each with what came of it. */
import { FileUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import { lossOf, useDrafts } from '../../editor/drafts.ts';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { refusedFields } from '../../editor/refused-fields.ts';
import { NowNote } from '../../acts/OnlyNow.tsx';
import { useWritable } from '../../acts/use-writable.ts';
import { texts } from '../../texts/texts.ts';
import { kubectlLine, type LineOptions } from './kubectl-line.ts';
import { OutcomeList } from './OutcomeList.tsx';
import { createDraft, openFiles } from './read-file.ts';
import { toldOf, useCreateRun } from './run.ts';
import { samples } from './samples.ts';

const words = texts.create;

export function CreateView() {
  const text = useDrafts(({ drafts }) => drafts.get(createDraft)?.text ?? '');
  const loss = useDrafts((state) => lossOf(createDraft, state));
  const { put } = useDrafts();
  const { reason } = useWritable();
  const [force, setForce] = useState(false);
  const state = useCreateRun();
  const { working, run } = state;
  const told = toldOf(state, text, force);
  const file = useRef<HTMLInputElement>(null);
  const write = (next: string): void => {
    // The editor says again what a file has put there.
    if (next !== text) put(createDraft, { text: next });
  };
  const refusals = useMemo(
    () => (told?.text === text ? told.outcomes : []).flatMap(({ error, manifest }) => (error ? refusedFields(error, manifest, text) : [])),
    [told, text],
  );
  const blocked = reason !== '' || working || text.trim() === '';
  const isTried = told?.dryRun === true && told.fault === '';
  return (
    <>
      <div className="view-head">
        <h1>{words.title}</h1>
        <label className="grouping">
          <span className="muted">{words.samples}</span>
          <select
            className="field"
            value=""
            onChange={(event) => {
              const sample = samples.find(({ kind }) => kind === event.target.value);
              if (sample) write(text.trim() === '' ? sample.text : `${text.trimEnd()}\n---\n${sample.text}`);
            }}
          >
            <option value="">{words.choose}</option>
            {samples.map(({ kind }) => (
              <option key={kind}>{kind}</option>
            ))}
          </select>
        </label>
        <button type="button" className="button" onClick={() => file.current?.click()}>
          <FileUp size={14} aria-hidden />
          {words.file}
        </button>
        <input
          ref={file}
          type="file"
          multiple
          hidden
          accept=".yaml,.yml,.json,text/*"
          onChange={(event) => {
            void openFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        <div className="grow" />
        {text === '' ? null : <ClearButton key={text} />}
      </div>
      <div className="view-body create" tabIndex={0} role="region" aria-label={words.title}>
        <div className="create-text">
          <p className="muted dense">{words.hint}</p>
          <CodeEditor
            text={text}
            label={words.label}
            onText={write}
            onSubmit={() => void (blocked ? undefined : run({ dryRun: true, force }))}
            refusals={refusals}
          />
          {loss === undefined ? null : (
            <p className="warn dense" role="status">
              {texts.editor.losses[loss]}
            </p>
          )}
          <NowNote />
          <div className="row">
            <button type="button" className="button" disabled={blocked} onClick={() => void run({ dryRun: true, force })}>
              {working ? words.working : words.check}
            </button>
            <button
              type="button"
              className="button primary"
              disabled={blocked || !isTried}
              title={reason || (isTried ? undefined : words.tryFirst)}
              onClick={() => void run({ dryRun: false, force })}
            >
              {words.apply}
            </button>
            <label className="dense">
              <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} /> {words.force}
            </label>
          </div>
        </div>
        {told ? (
          <section className="create-told" aria-label={told.dryRun ? words.dry : words.done} role="status">
            {told.fault ? <p className="bad">{told.fault}</p> : <p className="muted dense">{told.dryRun ? words.dry : words.done}</p>}
            <OutcomeList outcomes={told.outcomes} dryRun={told.dryRun} />
            {told.fault ? null : <Line text={told.text} force={told.force} servesApply={!told.outcomes.some(({ isMerged }) => isMerged)} />}
          </section>
        ) : null}
      </div>
    </>
  );
}

/** What is written is thrown away when it is asked for twice; whatever is written then takes the question back. */
function ClearButton() {
  const drop = useDrafts((state) => state.drop);
  const [asking, setAsking] = useState(false);
  if (!asking)
    return (
      <button type="button" className="button quiet" onClick={() => setAsking(true)}>
        {words.clear}
      </button>
    );
  return (
    <>
      <button type="button" className="button danger" autoFocus onClick={() => drop(createDraft)}>
        {words.clearSure}
      </button>
      <button type="button" className="button quiet" onClick={() => setAsking(false)}>
        {words.keep}
      </button>
    </>
  );
}

function Line({ text, force, servesApply }: LineOptions & { readonly text: string }) {
  return <KubectlLine {...useMemo(() => kubectlLine(text, { force, servesApply }), [text, force, servesApply])} />;
}
