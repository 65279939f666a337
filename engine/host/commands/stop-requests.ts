/**
 * Everything that asks a running command to stop: Ctrl-C, TERM, a terminal that was closed, a launcher that is gone. The first one
 * stops in good order; one that comes later, from somebody who will not wait, ends the process at once.
 */
export const interruptedCode = 130;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : [])] as const;
/** One Ctrl-C comes more than once: from the terminal, and from the launcher that passes its own on. */
const impatienceMs = 500;

/** Calls `stop` once. To be called before anything is begun that a stop has to end. */
export function onStopRequest(stop: () => void): void {
  let firstMs: number | undefined;
  const asked = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      stop();
    } else if (performance.now() - firstMs > impatienceMs) process.exit(interruptedCode);
  };
  for (const signal of signals) process.on(signal, asked);
  // The launcher holds the other end of a channel (build/node-release.mjs): it closes even when the launcher is killed.
  if (process.send !== undefined) process.on('disconnect', asked);
  // Whoever read what is printed may be gone already; that must not cost the cluster its orderly end.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
