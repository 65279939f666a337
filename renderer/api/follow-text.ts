/** Reads a text answer while it is still being written, as whole lines, handed over at most once per frame. */
import { branchBase } from './branch.ts';
import { toError } from './request.ts';

export async function followText(path: string, signal: AbortSignal, onLines: (lines: readonly string[]) => void): Promise<void> {
  const response = await fetch(branchBase + path, { credentials: 'same-origin', signal });
  if (!response.ok || !response.body) throw toError(response.status, await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let waiting: string[] = [];
  const flush = () => {
    const lines = waiting;
    waiting = [];
    if (lines.length > 0 && !signal.aborted) onLines(lines);
  };
  for (;;) {
    const { done, value = '' } = await reader.read();
    const parts = (rest + value).split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    const lines = parts.filter((line, index) => line !== '' || index < parts.length - 1);
    if (waiting.length === 0 && lines.length > 0) requestAnimationFrame(flush);
    waiting.push(...lines);
    if (done) return;
  }
}
