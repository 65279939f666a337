/**
 * What plugins said of a pod on its way from a node to the binding. Thousands of pods hear the same in the same order, so such lists are
 * shared: each is what one before it said and one verdict more.
 */
export interface PlacedVerdict {
  readonly point: 'Reserve' | 'Permit' | 'PreBind' | 'Bind';
  /** The plugin, or the address of an extender that binds. */
  readonly plugin: string;
  /** `Skip`: it had nothing to do for this pod. `Wait`: the pod had to wait for it, and went on. */
  readonly verdict: 'Success' | 'Skip' | 'Wait' | 'Unschedulable' | 'Error';
}

export class Verdicts {
  readonly list: readonly PlacedVerdict[];
  /** By point, plugin and verdict, of which there are few. */
  readonly #longer = new Map<string, Verdicts>();

  constructor(list: readonly PlacedVerdict[] = []) {
    this.list = list;
  }

  with(point: PlacedVerdict['point'], plugin: string, verdict: PlacedVerdict['verdict']): Verdicts {
    const key = `${point} ${verdict} ${plugin}`;
    let longer = this.#longer.get(key);
    if (longer === undefined) this.#longer.set(key, (longer = new Verdicts([...this.list, { point, plugin, verdict }])));
    return longer;
  }

  /** As after a restore. */
  followed(list: readonly PlacedVerdict[]): Verdicts {
    return list.reduce((all: Verdicts, { point, plugin, verdict }) => all.with(point, plugin, verdict), this);
  }
}
