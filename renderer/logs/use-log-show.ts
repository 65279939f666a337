/** How logs are shown, which the address names. */
import { type LogSwitch, switchesIn } from '../state/address.ts';
import { useNavigation } from '../state/navigation.ts';

export function useLogShow(one: LogSwitch): readonly [on: boolean, set: (on: boolean) => void] {
  const on = useNavigation(({ logShow }) => switchesIn(logShow).includes(one));
  return [on, (next) => setLogShow(one, next)];
}

function setLogShow(one: LogSwitch, on: boolean): void {
  const { go, logShow } = useNavigation.getState();
  const others = switchesIn(logShow).filter((other) => other !== one);
  go({ logShow: switchesIn([...others, ...(on ? [one] : [])].join(',')).join(',') });
}
