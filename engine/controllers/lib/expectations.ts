/**
 * What a controller still waits to see in its caches after its own creations and deletions, so that it does not do them twice.
 * Mirrors ControllerExpectations and UIDTrackingControllerExpectations of pkg/controller/controller_utils.go; plain data.
 */
import { number, optional, record, texts } from '../../base/codecs.ts';
import type { Slots } from '../../base/slots.ts';

const timeoutMs = 5 * 60_000;

interface Expectation {
  adds: number;
  deletes: number;
  readonly atMs: number;
  /** Names of the objects whose deletion is awaited, where they are told apart. */
  readonly names: Set<string> | undefined;
}

const expectationCodec = record<Expectation>({ adds: number, deletes: number, atMs: number, names: optional(texts) });

export class Expectations {
  readonly #nowMs: () => number;
  readonly #byKey: Map<string, Expectation>;

  constructor(nowMs: () => number, slots: Slots) {
    this.#nowMs = nowMs;
    this.#byKey = slots.map('expectations', expectationCodec);
  }

  expectCreations(key: string, adds: number): void {
    this.#byKey.set(key, { adds, deletes: 0, atMs: this.#nowMs(), names: undefined });
  }

  expectDeletions(key: string, deletes: number): void {
    this.#byKey.set(key, { adds: 0, deletes, atMs: this.#nowMs(), names: undefined });
  }

  /** Both at once. */
  expect(key: string, adds: number, deletes: number): void {
    this.#byKey.set(key, { adds, deletes, atMs: this.#nowMs(), names: undefined });
  }

  /** Each of these objects counts once, however often its deletion is observed. */
  expectDeletionsOf(key: string, names: readonly string[]): void {
    this.#byKey.set(key, { adds: 0, deletes: names.length, atMs: this.#nowMs(), names: new Set(names) });
  }

  creationObserved(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation !== undefined) expectation.adds--;
  }

  deletionObserved(key: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation !== undefined) expectation.deletes--;
  }

  deletionOfObserved(key: string, name: string): void {
    const expectation = this.#byKey.get(key);
    if (expectation?.names?.delete(name)) expectation.deletes--;
  }

  /** True when all was seen, nothing was expected, or it has taken so long that something was missed. */
  satisfied(key: string): boolean {
    const expectation = this.#byKey.get(key);
    if (expectation === undefined) return true;
    return (expectation.adds <= 0 && expectation.deletes <= 0) || this.#nowMs() - expectation.atMs > timeoutMs;
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
