/**
 * Which autoscalers choose which pods: two that choose the same one would fight over it. Mirrors
 * pkg/controller/util/selectors/bimultimap.go, as an index by the label that a selector demands.
 */
import { parseSelector, type Selector } from '../../apimachinery/labels.ts';
import type { Pod } from '../../api/core/v1/types.gen.ts';

interface Known {
  readonly text: string;
  readonly selector: Selector;
  /** Under which entry of the index it stands. */
  readonly entry: string;
}

export class PodSelectors {
  /** By autoscaler. */
  readonly #known = new Map<string, Known>();
  /** Autoscalers by namespace and the label that their pods must have. */
  readonly #index = new Map<string, Set<string>>();

  /** `text` has been parsed once already. */
  put(key: string, namespace: string, text: string): void {
    if (this.#known.get(key)?.text === text) return;
    this.forget(key);
    const selector = parseSelector(text);
    const demanded = selector.requirements.find(
      ({ operator, values }) => (operator === '=' || operator === '==' || operator === 'in') && values.length === 1,
    );
    const entry = entryOf(namespace, demanded === undefined ? '' : `${demanded.key}=${demanded.values[0]}`);
    this.#known.set(key, { text, selector, entry });
    const keys = this.#index.get(entry) ?? new Set();
    keys.add(key);
    this.#index.set(entry, keys);
  }

  forget(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    this.#known.delete(key);
    const keys = this.#index.get(known.entry);
    keys?.delete(key);
    if (keys?.size === 0) this.#index.delete(known.entry);
  }

  /** All that choose one of these pods, sorted. */
  choosing(namespace: string, pods: readonly Pod[]): readonly string[] {
    const found = new Set<string>();
    const seen = new Set<string>();
    for (const { metadata } of pods) {
      const labels = metadata.labels ?? {};
      const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
      // Pods of one template are alike.
      const all = pairs.join(',');
      if (seen.has(all)) continue;
      seen.add(all);
      for (const pair of ['', ...pairs]) {
        for (const key of this.#index.get(entryOf(namespace, pair)) ?? []) {
          if (this.#known.get(key)?.selector.matches(labels) === true) found.add(key);
        }
      }
    }
    return [...found].sort();
  }
}

function entryOf(namespace: string, pair: string): string {
  return `${namespace}/${pair}`;
}
