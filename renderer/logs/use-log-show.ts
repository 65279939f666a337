/** How logs are shown, which the address names. */
import { type LogSwitch, switchesIn, withSwitch } from '../state/address.ts';
import { useNavigation } from '../state/navigation.ts';

export function useLogShow(one: LogSwitch): readonly [on: boolean, set: (on: boolean) => void] {
  const on = useNavigation(({ logShow }) => switchesIn(logShow).includes(one));
  return [on, (next) => setLogShow(one, next)];
}

function setLogShow(one: LogSwitch, on: boolean): void {
  const { go, logShow } = useNavigation.getState();
  go({ logShow: withSwitch(logShow, one, on) });
}
