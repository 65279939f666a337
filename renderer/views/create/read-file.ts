/** Files that somebody drops or opens, as text for the editor. */
import { useEffect, useState } from 'react';
import { useDrafts } from '../../editor/drafts.ts';
import { useNavigation } from '../../state/navigation.ts';
import { useNotices } from '../../state/notices.ts';
import { texts } from '../../texts/texts.ts';
import { samples } from './samples.ts';

const words = texts.create;
export const createDraft = 'create';
/** No API server takes a larger body. */
const bytesMax = 3 * 1024 * 1024;

export async function openFiles(files: readonly File[]): Promise<void> {
  const { tell } = useNotices.getState();
  const parts: string[] = [];
  for (const file of files) {
    if (file.size > bytesMax) {
      tell({ level: 'error', title: words.tooLarge(file.name) });
      continue;
    }
    const text = await file.text();
    if (text.includes('\0') || text.includes('\ufffd')) tell({ level: 'error', title: words.notText(file.name) });
    else parts.push(`# ${words.dropped(file.name.replaceAll(/[\r\n]/g, ' '))}\n${text.trimEnd()}\n`);
  }
  if (parts.length === 0) return;
  openInCreate(parts.join('---\n'));
}

/** What somebody has written there is not lost to it. */
export function openInCreate(text: string): void {
  const { drafts, put } = useDrafts.getState();
  const { text: before = '', isOpened } = drafts.get(createDraft) ?? {};
  if (before.trim() === '' || isOpened) put(createDraft, { text, isOpened: true });
  else put(createDraft, { text: `${before.trimEnd()}\n---\n${text}` });
  useNavigation.getState().go({ view: 'create' });
}

/** Goes to Create, with a sample of the kind where there is one and nobody has begun to write. */
export function beginWith(kind: string): void {
  const { drafts, put } = useDrafts.getState();
  const sample = samples.find((one) => one.kind === kind);
  if (sample && (drafts.get(createDraft)?.text ?? '').trim() === '') put(createDraft, { text: sample.text });
  useNavigation.getState().go({ view: 'create' });
}

/** Whether a file is held over the page; let go, it is opened. */
export function useDroppedFiles(): boolean {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setHeld(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setHeld(false);
    };
    const drop = (event: DragEvent): void => {
      setHeld(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      void openFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop, true);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop, true);
    };
  }, []);
  return held;
}
