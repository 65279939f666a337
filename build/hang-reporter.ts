/**
 * A vitest reporter for what no time-out of vitest's own can end: a worker whose thread never comes to a turn again (an endless loop). When
 * nothing has been heard of any test for long, it names the files that have not ended, so that whoever reads the log knows where to look.
 */
import type { Reporter, TestModule } from 'vitest/node';

/** No test and no hook may take a tenth of it. */
const silenceMaxMs = 10 * 60_000;
const lookMs = 10_000;

export default class HangReporter implements Reporter {
  readonly #open = new Set<string>();
  #heardMs = 0;
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#hear();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  onTestModuleStart({ moduleId }: TestModule): void {
    this.#open.add(moduleId);
    this.#hear();
  }

  onTestCaseReady(): void {
    this.#hear();
  }

  onTestCaseResult(): void {
    this.#hear();
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#open.delete(moduleId);
    this.#hear();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #hear(): void {
    this.#heardMs = performance.now();
  }

  #look(): void {
    if (performance.now() - this.#heardMs < silenceMaxMs) return;
    this.#hear();
    console.error(`nothing was heard for ${silenceMaxMs / 60_000} minutes; files that have not ended: ${[...this.#open].join(', ')}`);
  }
}
