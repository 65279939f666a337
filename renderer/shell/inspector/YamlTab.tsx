/** The object as YAML. Managed fields and values of Secrets are folded away until asked for; it is edited in place of being read. */
import { Copy, Pencil } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { JsonObject } from '../../../engine/base/json.ts';
import type { ActTarget } from '../../acts/act.ts';
import { useWritable } from '../../acts/use-writable.ts';
import type { AnyObject } from '../../api/objects.ts';
import { useDrafts } from '../../editor/drafts.ts';
import { isSecret, shownText, textOf } from '../../editor/editable.ts';
import { later } from '../../lib/later.tsx';
import { shorten } from '../../lib/shorten.ts';
import { useNotices } from '../../state/notices.ts';
import { Coming } from '../Coming.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.editor;
/** Fetched when somebody edits. */
const EditPanel = later(() => import('../../editor/EditPanel.tsx').then((module) => module.EditPanel), Coming);

/** What was begun is shown whatever has become of the object. */
export function YamlTab({ object, target }: { readonly object: AnyObject | undefined; readonly target: ActTarget | undefined }) {
  const { drafts, put } = useDrafts();
  const draft = target && drafts.get(target.id);
  if (target && draft?.base) return <EditPanel target={target} draft={{ ...draft, base: draft.base }} />;
  const edit = (base: JsonObject): void => {
    if (target) put(target.id, { base, text: textOf(base, false) });
  };
  const canEdit = target?.resource.verbs.includes('patch') === true;
  return <ReadOnly object={object} onEdit={canEdit ? () => edit(object as unknown as JsonObject) : undefined} />;
}

function ReadOnly({ object, onEdit }: { readonly object: AnyObject | undefined; readonly onEdit: (() => void) | undefined }) {
  const [managed, setManaged] = useState(false);
  const [values, setValues] = useState(false);
  const { reason } = useWritable();
  const text = useMemo(() => (object ? shownText(object as unknown as JsonObject, managed, values) : ''), [object, managed, values]);
  if (!object) return <p className="muted">{words.gone}</p>;
  const lines = text.split('\n');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => useNotices.getState().tell({ level: 'info', title: texts.acts.copied }),
      () =>
        useNotices.getState().tell({
          level: 'error',
          title: words.notCopied,
          detail: words.selectInstead,
        }),
    );
  };
  return (
    <>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <button type="button" className="button" disabled={!onEdit || reason !== ''} title={onEdit ? reason : words.reasons.verb} onClick={onEdit}>
          <Pencil size={13} aria-hidden />
          {words.edit}
        </button>
        <button type="button" className="button" onClick={copy}>
          <Copy size={13} aria-hidden />
          {words.copy}
        </button>
        <button type="button" className="button" aria-pressed={managed} onClick={() => setManaged(!managed)}>
          {words.managedFields}
        </button>
        {isSecret(object as unknown as JsonObject) ? (
          <button type="button" className="button" aria-pressed={values} onClick={() => setValues(!values)}>
            {words.showValues}
          </button>
        ) : null}
      </div>
      <pre className="yaml" tabIndex={0} aria-label={words.yaml}>
        {lines.slice(0, linesMax).map((line, index) => (
          <YamlLine key={index} line={shortLine(line)} />
        ))}
        {lines.length > linesMax ? texts.frame.inspector.linesLeftOut(lines.length - linesMax) : null}
      </pre>
    </>
  );
}

const linesMax = 3000;
const lineMax = 2000;

/** Indentation stays as it is. */
function shortLine(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return indent + shorten(line.slice(indent.length), lineMax);
}

const keyed = /^(\s*(?:- )?)([^\s:#][^:]*):(?: (.*))?$/;

function YamlLine({ line }: { readonly line: string }) {
  const match = keyed.exec(line);
  if (!match)
    return (
      <>
        {line}
        {'\n'}
      </>
    );
  const [, indent, key, value] = match;
  return (
    <>
      {indent}
      <span className="k">{key}</span>
      {':'}
      {value === undefined ? (
        ''
      ) : (
        <>
          {' '}
          <span className={/^(-?[\d.]+|true|false|null)$/.test(value) ? 'n' : 's'}>{value}</span>
        </>
      )}
      {'\n'}
    </>
  );
}
