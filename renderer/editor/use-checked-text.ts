/** A text with what can be said against it, and the schemas of the kinds in it, fetched as they appear. */
import { useEffect, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { texts } from '../texts/texts.ts';
import { type Finding, checkText, keyOf } from './check-text.ts';
import { type KindPlace, kindsInText } from './kinds-in-text.ts';
import { type KindSchema, loadKindSchema } from './schema.ts';

/** Longer texts are checked by the API server alone: nobody wants to wait at each letter. */
const checkedMax = 600_000;
const checkAfterMs = 250;

export interface CheckedEditorText {
  readonly findings: readonly Finding[];
  /** Its documents' kinds, a moment late. */
  readonly places: readonly KindPlace[];
  readonly schemas: ReadonlyMap<string, KindSchema>;
  /** Why nothing is completed. */
  readonly problem: string;
}

export function useCheckedText(text: string): CheckedEditorText {
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [places, setPlaces] = useState<readonly KindPlace[]>(() => kindsInText(text));
  const { schemas, problem } = useSchemas([...new Set(places.map(({ gvk }) => keyOf(gvk)))].sort().join(' '));
  useEffect(() => {
    const timer = setTimeout(() => {
      setPlaces(kindsInText(text));
      setFindings(text.length > checkedMax ? [] : checkText(text, schemas).findings);
    }, checkAfterMs);
    return () => clearTimeout(timer);
  }, [text, schemas]);
  return { findings, places, schemas, problem };
}

/** `kinds`: their keys, in one text. */
function useSchemas(kinds: string) {
  const [state, setState] = useState<{ schemas: ReadonlyMap<string, KindSchema>; problem: string }>({ schemas: new Map(), problem: '' });
  useEffect(() => {
    let isCurrent = true;
    const load = async (key: string): Promise<void> => {
      const [group = '', version = '', kind = ''] = key.split('/');
      try {
        const schema = await loadKindSchema({ group, version, kind });
        if (!isCurrent) return;
        if (schema) setState(({ schemas }) => ({ schemas: new Map([...schemas, [key, schema]]), problem: '' }));
        else setState(({ schemas }) => ({ schemas, problem: texts.editor.noSchema }));
      } catch (error) {
        if (isCurrent) setState(({ schemas }) => ({ schemas, problem: texts.editor.schemaUnread(messageOf(error)) }));
      }
    };
    for (const key of kinds.split(' ').filter((one) => one !== '')) void load(key);
    return () => {
      isCurrent = false;
    };
  }, [kinds]);
  return state;
}
