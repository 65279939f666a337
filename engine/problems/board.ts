/**
 * Knows which objects may be in trouble: a question to each object as it changes, so that a cluster that is well costs nothing to ask about.
 * What is really wrong with them is found when somebody reads (`grouping.ts`).
 */
import type { Event } from '../api/core/v1/types.gen.ts';
import type { KubeObject } from '../apimachinery/object.ts';
import { membersOf, number, record, text } from '../base/codecs.ts';
import type { Slots } from '../base/slots.ts';
import type { HistoryObserver } from '../history/recorder.ts';
import { resourceType, type Row } from '../history/row.ts';
import type { Change } from '../store/store.ts';
import { detectorOf } from './detectors/index.ts';
import type { Warning } from './finding.ts';

/** An object that may be in trouble since an instant, and the change with which it came to be. */
export interface Suspect {
  readonly key: string;
  readonly row: string;
  /** With its group. */
  readonly resource: string;
  readonly sinceMs: number;
  readonly revision: number;
}

const warningsMax = 5_000;

export class ProblemBoard implements HistoryObserver {
  /** By key. */
  #suspects = new Map<string, Suspect>();
  /** The last about each object, by uid, the oldest first. */
  #warnings = new Map<string, Warning>();

  suspects(): IterableIterator<Suspect> {
    return this.#suspects.values();
  }

  warning(uid: string): Warning | undefined {
    return this.#warnings.get(uid);
  }

  onChange({ key, current, revision, meta }: Change<KubeObject>, row: Row): void {
    const resource = resourceType(row);
    if (current === undefined) {
      this.#suspects.delete(key);
      this.#warnings.delete(row.uid);
    } else if (!detectorOf(resource).isSuspect(current.value)) this.#suspects.delete(key);
    else if (!this.#suspects.has(key)) this.#suspects.set(key, { key, row: row.id, resource, sinceMs: meta.virtualMs, revision });
  }

  onEvent({ type, reason = '', message = '' }: Event, { uid }: Row, ms: number): void {
    if (type !== 'Warning') return;
    this.#warnings.delete(uid);
    this.#warnings.set(uid, { ms, reason, message });
    if (this.#warnings.size <= warningsMax) return;
    for (const oldest of this.#warnings.keys()) {
      this.#warnings.delete(oldest);
      return;
    }
  }

  keepIn(slots: Slots): void {
    slots.field(
      'suspects',
      membersOf(record<Suspect>({ key: text, row: text, resource: text, sinceMs: number, revision: number })),
      () => this.#suspects,
      (suspects) => {
        this.#suspects = new Map(suspects);
      },
    );
    slots.field(
      'warnings',
      membersOf(record<Warning>({ ms: number, reason: text, message: text })),
      () => this.#warnings,
      (warnings) => {
        this.#warnings = new Map(warnings);
      },
    );
  }
}
