/**
 * The judge of server-side apply and of updates: who owns which entries of one map of texts. The rules of the field manager said as naively
 * as possible; shares no code with it.
 */
export interface ApplyState {
  readonly values: Map<string, string>;
  /** By `manager operation`: the entries it owns. */
  readonly owners: Map<string, Set<string>>;
}

export type Entries = Readonly<Record<string, string>>;

export class ApplyModel {
  readonly state: ApplyState = { values: new Map(), owners: new Map() };

  /** Names of the entries in conflict; when there are any and `force` is not set, nothing has changed. */
  apply(manager: string, entries: Entries, force: boolean): readonly string[] {
    const { values, owners } = this.state;
    const own = `${manager} Apply`;
    const differing = Object.entries(entries).filter(([key, value]) => values.has(key) && values.get(key) !== value);
    const conflicts = differing.map(([key]) => key).filter((key) => [...owners].some(([other, keys]) => other !== own && keys.has(key)));
    if (conflicts.length > 0 && !force) return conflicts;
    for (const [other, keys] of owners) if (other !== own) for (const key of conflicts) keys.delete(key);
    const dropped = [...(owners.get(own) ?? [])].filter((key) => !(key in entries));
    for (const key of dropped) if (![...owners].some(([other, keys]) => other !== own && keys.has(key))) values.delete(key);
    owners.set(own, new Set(Object.keys(entries)));
    for (const [key, value] of Object.entries(entries)) values.set(key, value);
    this.#tidy();
    return [];
  }

  /** What a merge patch does: `null` removes. Only what changes changes hands; where nobody owns anything, updates are not tracked. */
  update(manager: string, changes: Readonly<Record<string, string | null>>): void {
    const { values, owners } = this.state;
    const own = `${manager} Update`;
    const tracked = owners.size > 0;
    for (const [key, value] of Object.entries(changes)) {
      if (value === null ? !values.has(key) : values.get(key) === value) continue;
      for (const keys of owners.values()) keys.delete(key);
      if (value === null) values.delete(key);
      else {
        values.set(key, value);
        if (tracked) owners.set(own, (owners.get(own) ?? new Set<string>()).add(key));
      }
    }
    this.#tidy();
  }

  /** Updaters that own nothing are forgotten. */
  #tidy(): void {
    for (const [owner, keys] of this.state.owners) if (keys.size === 0) this.state.owners.delete(owner);
  }
}
