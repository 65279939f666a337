/** When the API server was told to fail requests of components: what somebody tries a few times only may then be given up. */
import type { Fault } from '../../../engine/api/sim/v1alpha1/fault.ts';
import type { Change } from '../../../engine/store/store.ts';
import type { KubeObject } from '../../../engine/apimachinery/object.ts';
import { prefixOf } from '../world.ts';

interface Span {
  readonly fromMs: number;
  untilMs: number;
}

export class FailingRequests {
  readonly #spans = new Map<string, Span>();

  note({ key, current, previous }: Change<KubeObject>, nowMs: number): void {
    if (prefixOf(key) !== 'sim.wavetank.dev/faults') return;
    const { metadata, spec, status } = (current ?? previous)?.value as Fault;
    if (spec.type !== 'api-errors') return;
    const isOver = current === undefined || (status?.phase ?? 'Active') !== 'Active';
    const span = this.#spans.get(metadata.uid ?? '') ?? { fromMs: nowMs, untilMs: Number.POSITIVE_INFINITY };
    if (isOver) span.untilMs = Math.min(span.untilMs, nowMs);
    this.#spans.set(metadata.uid ?? '', span);
  }

  wereBetween(fromMs: number, untilMs: number): boolean {
    return [...this.#spans.values()].some((span) => span.fromMs <= untilMs && span.untilMs >= fromMs);
  }

  /**
   * Whether who was refused may still wait to try again: waits double, so the last one is no longer than the refusals went on.
   */
  mayWait(nowMs: number): boolean {
    return [...this.#spans.values()].some(({ fromMs, untilMs }) => nowMs <= untilMs || nowMs - untilMs <= untilMs - fromMs);
  }

  /** When one last may have failed; `nowMs` while they do. */
  lastMs(nowMs: number): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...[...this.#spans.values()].map(({ untilMs }) => Math.min(untilMs, nowMs)));
  }
}
