/** The size of an element, followed while it changes. */
import { createContext, useContext, useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

/**
 * Of all elements at once, in the very frame that has their new sizes: what is drawn for the old ones is never seen in it, and what depends on several is
 * drawn once.
 */
export class Sizes {
  readonly #followed = new Map<Element, () => void>();
  readonly #observer = new ResizeObserver((entries) =>
    flushSync(() => {
      for (const { target } of entries) this.#followed.get(target)?.();
    }),
  );

  /** Returns what ends it. Nobody else follows the element. */
  follow(element: Element, take: () => void): () => void {
    this.#followed.set(element, take);
    this.#observer.observe(element);
    return () => {
      this.#observer.unobserve(element);
      this.#followed.delete(element);
    };
  }
}

/** The page's. */
export const SizesContext = createContext<Sizes | undefined>(undefined);

/** Of an element whose size nobody else follows. */
export function useSize(ref: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const sizes = useContext(SizesContext);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const take = (): void =>
      setSize((before) =>
        before.width === element.clientWidth && before.height === element.clientHeight
          ? before
          : { width: element.clientWidth, height: element.clientHeight },
      );
    take();
    return sizes?.follow(element, take);
  }, [ref, sizes]);
  return size;
}
