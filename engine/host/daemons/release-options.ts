/** Options of a daemon as those of a release have them. */
import { getOwn } from '../../base/dictionary.ts';
import type { Release } from '../../contracts/release.ts';
import { section } from './common-flags.ts';
import type { DaemonFlag } from './flag-set.ts';

const dropped = section('Deprecated');

/** What came later stays with its default, so that whoever reads it finds something, and is unknown on a command line. */
export function optionsOfRelease(
  daemon: string,
  flags: readonly DaemonFlag[],
  { daemonOptions, flagDefaults }: Pick<Release, 'daemonOptions' | 'flagDefaults'>,
): readonly DaemonFlag[] {
  if (daemonOptions === undefined) return flags;
  const { later, former, spelled } = daemonOptions;
  const unknown = new Set(later);
  const present = flags.map((flag): DaemonFlag => {
    const other = getOwn(spelled, flag.name);
    const standard = flag.default === '' ? (getOwn(flagDefaults, flag.name) ?? '') : flag.default;
    return { ...flag, default: standard, ...(unknown.has(flag.name) ? { isLater: true } : {}), ...(other === undefined ? {} : { spelled: other }) };
  });
  if (daemon !== 'kube-controller-manager') return present;
  const gone = former.map(({ name, type, standard, why, deprecated }) =>
    dropped(name, type, standard, 'As upstream', { noEffect: why, ...(deprecated === undefined ? {} : { deprecated }) }),
  );
  return [...present, ...gone];
}
