/** The size of an element, followed while it changes. */
import { useLayoutEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

const followed = new Map<Element, () => void>();
let observer: ResizeObserver | undefined;

/**
 * Of all elements at once, in the very frame that has their new sizes: what is drawn for the old ones is never seen in it, and what depends on several is
 * drawn once.
 */
function theObserver(): ResizeObserver {
  observer ??= new ResizeObserver((entries) =>
    flushSync(() => {
      for (const { target } of entries) followed.get(target)?.();
    }),
  );
  return observer;
}

/** Of an element whose size nobody else follows. */
export function useSize(ref: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
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
    followed.set(element, take);
    theObserver().observe(element);
    return () => {
      theObserver().unobserve(element);
      followed.delete(element);
    };
  }, [ref]);
  return size;
}
