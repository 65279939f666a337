/** Reads a log while it is still being written. What comes is put away at once, so that a page nobody looks at holds no more than another. */
import { branchBase } from '../api/branch.ts';
import { toError } from '../api/request.ts';
import type { LogLines } from './log-lines.ts';

/** `onMore` is told at most once a frame. */
export async function followLog(path: string, signal: AbortSignal, lines: LogLines, onMore: () => void): Promise<void> {
  const response = await fetch(branchBase + path, { credentials: 'same-origin', signal });
  if (!response.ok || !response.body) throw toError(response.status, await response.text());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = false;
  const tell = (): void => {
    waiting = false;
    if (!signal.aborted) onMore();
  };
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) break;
    lines.push(value);
    if (!waiting) requestAnimationFrame(tell);
    waiting = true;
  }
  lines.end();
}
