/** A real API server that does not start, for recorders. */
import { spawn } from 'node:child_process';

/** What it says, and its exit code; empty and null for one that serves or has found nothing wrong after half a minute, which is ended. */
export async function startRefusal(command: string, options: readonly string[]): Promise<{ readonly code: number | null; readonly error: string }> {
  const child = spawn(command, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said += piece.toString();
    if (/Serving securely|Serving insecurely/.test(said)) child.kill('SIGKILL');
  });
  let goesOn = false;
  const timer = setTimeout(() => {
    goesOn = true;
    child.kill('SIGKILL');
  }, 30_000);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (goesOn || /Serving securely|Serving insecurely/.test(said)) return { code: null, error: '' };
  return { code, error: errorIn(said) };
}

/** As the newer releases log it, and as the older ones print it behind their options. */
function errorIn(said: string): string {
  const [, quoted, lines] = /"command failed" err=(?:(".*")|<\n([\s\S]*?)\n >)/.exec(said) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted) as string;
  if (lines !== undefined) return lines.replaceAll(/^\t/gm, '');
  return (/\nerror: ([\s\S]*)$/.exec(said)?.[1] ?? said.slice(-500)).trimEnd();
}
