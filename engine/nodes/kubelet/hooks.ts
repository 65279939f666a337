/** Lifecycle hooks: they happen at once, and say how long they would have taken. */
import { secondsToMs } from '../../base/int64.ts';
import type { LifecycleHandler } from '../../api/core/v1/types.gen.ts';
import { runCommand } from '../runtime/shell.ts';
import type { KubeletEnvironment } from './environment.ts';
import { answersHook } from './probe-actions.ts';
import { programHost } from './program-host.ts';
import type { ContainerRun, PodWorker } from './worker.ts';

export interface HookResult {
  readonly ok: boolean;
  readonly tookMs: number;
}

export function runHook(worker: PodWorker, run: ContainerRun, hook: LifecycleHandler, env: KubeletEnvironment): HookResult {
  if (hook.sleep !== undefined) return { ok: true, tookMs: secondsToMs(hook.sleep.seconds ?? 0) };
  if (hook.exec !== undefined) {
    const result = runCommand(hook.exec.command ?? [], programHost(worker, run, env));
    return { ok: result.exitCode === 0, tookMs: result.tookMs };
  }
  if (hook.httpGet !== undefined) return { ok: answersHook(worker, run, hook.httpGet, env), tookMs: 1 };
  return { ok: true, tookMs: 0 };
}
