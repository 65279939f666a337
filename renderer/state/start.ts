/** What the page asks and follows from its first moment on, before anything is drawn. */
import type { Clock } from '../../engine/api/sim/v1alpha1/clock.ts';
import { askForDependents } from '../api/dependents.ts';
import { askForObject } from '../api/objects.ts';
import { messageOf } from '../api/request.ts';
import { useResources } from '../api/resources.ts';
import { texts } from '../texts/texts.ts';
import { loadClock, useClock } from './clock.ts';
import { followClock } from './follow-clock.ts';
import { useNavigation } from './navigation.ts';
import { useNotices } from './notices.ts';

export function startFollowing(): void {
  followClock();
  useClock.subscribe(({ hearing, clock }, before) => {
    if (hearing === 'heard' && before.hearing === 'lost') void useResources.getState().load();
    if (clock && before.clock && !isSameCluster(clock, before.clock)) location.reload();
  });
  useNavigation.subscribe(({ selected, inspectorOpen, tab }, before) => {
    if (selected === before.selected || selected === '' || !inspectorOpen) return;
    askForObject(selected);
    if (tab === 'overview') askForDependents(selected);
  });
  loadClock().catch((error: unknown) => {
    useNotices.getState().tell({ level: 'error', title: texts.frame.cannotRead, detail: messageOf(error) });
  });
  void useResources.getState().load();
}

/** Another cluster under the same name and address: nothing that the page remembers is true of it. */
function isSameCluster({ status: a }: Clock, { status: b }: Clock): boolean {
  return a.seed === b.seed && a.startTime === b.startTime;
}
