/** Virtual time as the page knows it, and the acts that steer it. */
import { create } from 'zustand';
import type { Clock, ClockSpec } from '../../engine/api/sim/v1alpha1/clock.ts';
import { messageOf, request } from '../api/request.ts';
import type { Hearing } from '../api/watch-messages.ts';
import { useNotices } from './notices.ts';

export const clockPath = '/apis/sim.wavetank.dev/v1alpha1/clocks/cluster';
const speeds: readonly string[] = ['1', '10', '60', '600', '3600', 'max'];

interface ClockState {
  readonly clock: Clock | undefined;
  readonly nowMs: number;
  readonly startMs: number;
  readonly speed: string;
  /** The speed that play returns to. */
  readonly lastSpeed: string;
  /** `opening` until the engine is heard for the first time. */
  readonly hearing: Hearing | 'opening';
  receive(clock: Clock): void;
  setHearing(hearing: Hearing): void;
}

/** Wall milliseconds of the page at which the engine was last heard: five times a second, which is nothing to all of the page that follows the clock. */
export const useHeard = create<{ readonly atMs: number }>()(() => ({ atMs: Date.now() }));

export const useClock = create<ClockState>()((set, get) => ({
  clock: undefined,
  nowMs: 0,
  startMs: 0,
  speed: 'paused',
  lastSpeed: '1',
  hearing: 'opening',
  receive: (clock) => {
    const speed = clock.spec.speed ?? 'paused';
    set({
      clock,
      nowMs: clock.status.virtualMs,
      startMs: Date.parse(clock.status.startTime),
      speed,
      lastSpeed: speed === 'paused' ? get().lastSpeed : speed,
    });
  },
  setHearing: (hearing) => {
    if (hearing !== get().hearing) set({ hearing });
    if (hearing === 'heard') useHeard.setState({ atMs: Date.now() });
  },
}));

/** The instant of the cluster's life that the page knows: what was read at it is still true while it is the same. */
export function momentNow(): string {
  const { nowMs, clock } = useClock.getState();
  return `${nowMs} ${clock?.status.revision ?? 0}`;
}

/** The engine answers, or was not yet given time to. */
export function engineIsHeard({ hearing }: Pick<ClockState, 'hearing'>): boolean {
  return hearing === 'heard' || hearing === 'opening';
}

export async function steer(spec: ClockSpec): Promise<void> {
  try {
    useClock.getState().receive(await request<Clock>(clockPath, { method: 'PATCH', body: { spec: { ...spec } } }));
  } catch (error) {
    useNotices.getState().tell({ level: 'error', title: 'The clock did not take the command', detail: messageOf(error) });
  }
}

export async function loadClock(): Promise<void> {
  useClock.getState().receive(await request<Clock>(clockPath));
}

export function togglePlay(): void {
  const { speed, lastSpeed } = useClock.getState();
  void steer({ speed: speed === 'paused' ? lastSpeed : 'paused' });
}

/** Speeds to choose from, slowest first: with the one in force, or that play returns to, which may be any (`--speed 30`). */
export function speedsToOffer({ speed, lastSpeed }: Pick<ClockState, 'speed' | 'lastSpeed'>): readonly string[] {
  const inForce = speed === 'paused' ? lastSpeed : speed;
  if (speeds.includes(inForce)) return speeds;
  const slower = (one: string): boolean => one !== 'max' && Number(one) < Number(inForce);
  return [...speeds.filter(slower), inForce, ...speeds.filter((one) => !slower(one))];
}

export function isMoving({ speed, clock }: Pick<ClockState, 'speed' | 'clock'>): boolean {
  return speed !== 'paused' || clock?.status.runningUntil !== undefined;
}
