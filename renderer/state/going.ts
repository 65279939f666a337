/** What a view shows first is asked for with the press that leads to it, and not after it was drawn without. */
import type { Place, ViewName } from './address.ts';
import { useNavigation } from './navigation.ts';

/** `ask` is told where to, each time that somebody comes to the view from another one. */
export function onGoingTo(view: ViewName, ask: (place: Place) => void): void {
  useNavigation.subscribe((place, before) => {
    if (place.view === view && before.view !== view) ask(place);
  });
}
