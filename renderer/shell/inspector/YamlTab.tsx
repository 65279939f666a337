/** The object as YAML, read only. Managed fields are folded away until asked for. */
import { Copy } from 'lucide-react';
import { useMemo, useState } from 'react';
import { stringify } from 'yaml';
import type { AnyObject } from '../../api/objects.ts';
import { shorten } from '../../lib/shorten.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';

export function YamlTab({ object }: { readonly object: AnyObject | undefined }) {
  const [managed, setManaged] = useState(false);
  const text = useMemo(() => (object ? toYaml(object, managed) : ''), [object, managed]);
  if (!object) return <p className="muted">There is no such object now.</p>;
  const lines = text.split('\n');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => useNotices.getState().tell({ level: 'info', title: 'Copied' }),
      () =>
        useNotices.getState().tell({
          level: 'error',
          title: 'Not copied',
          detail: 'The browser does not let this page write to the clipboard. Select the text instead.',
        }),
    );
  };
  return (
    <>
      <div style={{ display: 'flex', gap: 8 }}>
        <button type="button" className="button" onClick={copy}>
          <Copy size={13} aria-hidden />
          Copy
        </button>
        <button type="button" className="button" aria-pressed={managed} onClick={() => setManaged(!managed)}>
          Managed fields
        </button>
      </div>
      <pre className="yaml" tabIndex={0} aria-label="YAML">
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

function toYaml(object: AnyObject, managed: boolean): string {
  const { managedFields, ...metadata } = object.metadata;
  return stringify({ ...object, metadata: managed && managedFields ? { ...metadata, managedFields } : metadata }, { lineWidth: 0 });
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
      <span className="k">{key}</span>:
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
