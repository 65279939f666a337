/** Objects are made from samples, files or what somebody writes: tried first, then applied, each with what came of it. */
import { FileUp } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { messageOf } from '../../api/request.ts';
import { checkText } from '../../editor/check-text.ts';
import { CodeEditor } from '../../editor/CodeEditor.tsx';
import { useDrafts } from '../../editor/drafts.ts';
import { KubectlLine } from '../../editor/KubectlLine.tsx';
import { refusedFields } from '../../editor/refused-fields.ts';
import { fieldManager } from '../../editor/send.ts';
import { NowNote } from '../../acts/OnlyNow.tsx';
import { useWritable } from '../../acts/use-writable.ts';
import { texts } from '../../texts/texts.ts';
import { applyAll, type Outcome } from './apply.ts';
import { inOrder } from './order.ts';
import { OutcomeList } from './OutcomeList.tsx';
import { createDraft, openFiles } from './read-file.ts';
import { samples } from './samples.ts';

const words = texts.create;

interface Told {
  readonly dryRun: boolean;
  readonly outcomes: readonly Outcome[];
  readonly fault: string;
}

export function CreateView() {
  const text = useDrafts(({ drafts }) => drafts.get(createDraft)?.text ?? '');
  const { put, drop } = useDrafts();
  const { reason } = useWritable();
  const [told, setTold] = useState<Told | undefined>();
  const [working, setWorking] = useState(false);
  const [force, setForce] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const write = (next: string): void => {
    put(createDraft, { text: next });
    setTold(undefined);
  };
  const run = async (dryRun: boolean): Promise<void> => {
    const { manifests, findings } = checkText(text, new Map());
    const error = findings.find(({ level }) => level === 'error');
    const fault = error ? texts.editor.atLine(error.line, error.text) : manifests.length === 0 ? words.empty : '';
    setTold({ dryRun, outcomes: [], fault });
    if (fault !== '') return;
    setWorking(true);
    try {
      await applyAll(inOrder(manifests), { dryRun, force }, (outcome) =>
        setTold((before) => ({ dryRun, fault: '', outcomes: [...(before?.outcomes ?? []), outcome] })),
      );
    } catch (failure) {
      setTold((before) => ({ dryRun, outcomes: before?.outcomes ?? [], fault: messageOf(failure) }));
    }
    setWorking(false);
  };
  const refusals = useMemo(
    () => (told?.outcomes ?? []).flatMap(({ error, manifest }) => (error ? refusedFields(error, manifest, text) : [])),
    [told, text],
  );
  const blocked = reason !== '' || working || text.trim() === '';
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
        {text === '' ? null : (
          <button
            type="button"
            className="button quiet"
            onClick={() => {
              drop(createDraft);
              setTold(undefined);
            }}
          >
            {words.clear}
          </button>
        )}
      </div>
      <div className="view-body create" tabIndex={0} role="region" aria-label={words.title}>
        <div className="create-text">
          <p className="muted dense">{words.hint}</p>
          <CodeEditor text={text} label={words.label} onText={write} onSubmit={() => void (blocked ? undefined : run(true))} refusals={refusals} />
          <NowNote />
          <div className="row">
            <button type="button" className="button" disabled={blocked} onClick={() => void run(true)}>
              {working ? words.working : words.check}
            </button>
            <button type="button" className="button primary" disabled={blocked || !told?.dryRun || told.fault !== ''} onClick={() => void run(false)}>
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
            {told.fault ? null : <Line text={text} force={force} />}
          </section>
        ) : null}
      </div>
    </>
  );
}

/** A text that ends the here-document too early would be read as commands. */
function endOf(text: string): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  return end;
}

function Line({ text, force }: { readonly text: string; readonly force: boolean }) {
  const isSecret = useMemo(() => /^kind:\s*["']?Secret\b/m.test(text), [text]);
  const command = `kubectl apply --server-side --field-manager=${fieldManager}${force ? ' --force-conflicts' : ''} -f - <<'${endOf(text)}'`;
  const line = `${command}\n${text.trimEnd()}\n${endOf(text)}`;
  return <KubectlLine line={line} shown={isSecret ? `${command}\n…\n${endOf(text)}` : line} />;
}
