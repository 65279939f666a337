/**
 * A vitest reporter for what no time-out of vitest's own can end: a worker whose thread never comes to a turn again (an endless loop).
 * It names the files that wait and ends the run, so that a machine says within minutes what it would say never.
 */
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** No test and no hook may take a tenth of it. */
const silenceMaxMs = 10 * 60_000;
const lookMs = 10_000;

export default class HangReporter implements Reporter {
  /** Files that run, and when each said something last. */
  readonly #heard = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#heard.set(moduleId, performance.now());
  }

  onTestCaseReady({ module }: TestCase): void {
    this.#heard.set(module.moduleId, performance.now());
  }

  onTestCaseResult({ module }: TestCase): void {
    this.#heard.set(module.moduleId, performance.now());
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#heard.delete(moduleId);
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const silent = [...this.#heard].filter(([, atMs]) => performance.now() - atMs > silenceMaxMs);
    if (silent.length === 0) return;
    for (const [file] of silent) console.error(`hangs: ${file}, silent for ${silenceMaxMs / 60_000} minutes`);
    process.exit(1);
  }
}
