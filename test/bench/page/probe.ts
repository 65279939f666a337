/** What a bench asks of a page from within it: how long an act takes to be seen and to be done, how long frames are. */
import type { CDPSession, Page } from 'playwright-core';
import { percentile } from '../spawned.ts';

/** Put into every page before its own code. */
export function installProbe(): void {
  const isShown = (node: Node): boolean =>
    (node instanceof Element ? node : node.parentElement)?.closest('main.view, .inspector, .drawer') instanceof Element;
  // Inputs have what they have set again with each look at them.
  const isChange = ({ target, attributeName }: MutationRecord): boolean => isShown(target) && attributeName !== 'name' && attributeName !== 'type';
  const act = { beganMs: 0, firstMs: 0, lastMs: 0 };
  // An answer that has not begun yet is a part of the act that asked for it, however quiet the page is meanwhile.
  const waiting = new Set<object>();
  const fetchNow = window.fetch.bind(window);
  window.fetch = async (...asked) => {
    const question = {};
    waiting.add(question);
    try {
      return await fetchNow(...asked);
    } finally {
      waiting.delete(question);
    }
  };
  const frames = { lastMs: 0, deltas: [] as number[] };
  const begin = (event: Event): void => {
    if (act.beganMs < 0) act.beganMs = event.timeStamp;
  };
  for (const type of ['keydown', 'pointerdown', 'wheel', 'input']) addEventListener(type, begin, { capture: true, passive: true });
  const watch = (): void => {
    new MutationObserver((records) => {
      if (act.beganMs <= 0 || !records.some(isChange)) return;
      act.lastMs = performance.now();
      if (act.firstMs === 0) {
        act.firstMs = -1;
        requestAnimationFrame(() => (act.firstMs = performance.now()));
      }
    }).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  if (document.documentElement === null) addEventListener('DOMContentLoaded', watch);
  else watch();
  const step = (nowMs: number): void => {
    if (frames.lastMs !== 0) frames.deltas.push(nowMs - frames.lastMs);
    frames.lastMs = nowMs;
    requestAnimationFrame(step);
  };
  Object.assign(window, {
    probe: {
      arm: () => {
        waiting.clear();
        Object.assign(act, { beganMs: -1, firstMs: 0, lastMs: 0 });
      },
      /** Over when nothing was shown and nothing arrived for so long. */
      settled: async (quietMs: number, mostMs: number) => {
        const endMs = performance.now() + mostMs;
        const lastMs = (): number => {
          // Files of the page that come ahead of what needs them are no part of an act: where one is waited for, what it shows comes after it.
          const asked = performance
            .getEntriesByType('resource')
            .filter(({ startTime, name }) => startTime >= act.beganMs && !name.includes('/assets/')) as PerformanceResourceTiming[];
          return Math.max(act.beganMs, act.lastMs, ...asked.map(({ responseEnd }) => responseEnd));
        };
        while (performance.now() < endMs && (waiting.size > 0 || performance.now() - lastMs() < quietMs))
          await new Promise((resolve) => setTimeout(resolve, 20));
        return { seenMs: act.firstMs > 0 ? act.firstMs - act.beganMs : 0, doneMs: lastMs() - act.beganMs };
      },
      countFrames: () => {
        frames.deltas = [];
        frames.lastMs = 0;
        if (!('isCounting' in frames)) requestAnimationFrame(step);
        Object.assign(frames, { isCounting: true });
      },
      frames: () => frames.deltas,
    },
  });
}

interface Probe {
  arm(): void;
  settled(quietMs: number, mostMs: number): Promise<Acted>;
  countFrames(): void;
  frames(): number[];
}

type Probed = Window & { readonly probe: Probe };

export interface Acted {
  /** Until the first frame with something of it, and until all of it was there. */
  readonly seenMs: number;
  readonly doneMs: number;
}

const quietMs = 400;
const actMostMs = 8_000;

export async function timeAct(page: Page, act: () => Promise<unknown>): Promise<Acted> {
  await page.evaluate(() => (window as unknown as Probed).probe.arm());
  await act();
  const { seenMs, doneMs } = await page.evaluate(([quiet, most]) => (window as unknown as Probed).probe.settled(quiet, most), [
    quietMs,
    actMostMs,
  ] as const);
  return { seenMs: Math.round(seenMs), doneMs: Math.round(doneMs) };
}

export interface FrameTimes {
  readonly frames: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

export async function timeFrames(page: Page, act: () => Promise<unknown>): Promise<FrameTimes> {
  await page.evaluate(() => (window as unknown as Probed).probe.countFrames());
  await act();
  const deltas = await page.evaluate(() => (window as unknown as Probed).probe.frames());
  return { frames: deltas.length, medianMs: percentile(deltas, 0.5), p99Ms: percentile(deltas, 0.99), longestMs: percentile(deltas, 1) };
}

export interface Traffic {
  readonly httpKb: number;
  /** Texts of the page's one socket. */
  readonly socketKb: number;
  readonly requests: number;
  /** The largest answer: what is long shows itself here. */
  readonly largestKb: number;
}

/** Bytes that come from now on; reading them begins anew. The socket is a worker's, which is a target of its own. */
export async function countTraffic(cdp: CDPSession): Promise<() => Traffic> {
  const counted = { httpKb: 0, socketKb: 0, requests: 0, largestKb: 0 };
  await cdp.send('Network.enable');
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.requests++;
    counted.httpKb += encodedDataLength / 1000;
    counted.largestKb = Math.max(counted.largestKb, encodedDataLength / 1000);
  });
  cdp.on('Target.attachedToTarget', ({ sessionId }) => {
    void cdp.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: 1, method: 'Network.enable' }) });
  });
  cdp.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { method, params } = JSON.parse(message) as FromTarget;
    if (method === 'Network.webSocketFrameReceived') counted.socketKb += (params?.response?.payloadData?.length ?? 0) / 1000;
  });
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  return () => {
    const { httpKb, socketKb, requests, largestKb } = counted;
    Object.assign(counted, { httpKb: 0, socketKb: 0, requests: 0, largestKb: 0 });
    return { httpKb: Math.round(httpKb), socketKb: Math.round(socketKb), requests, largestKb: Math.round(largestKb) };
  };
}

interface FromTarget {
  readonly method?: string;
  readonly params?: { readonly response?: { readonly payloadData?: string } };
}
