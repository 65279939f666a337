/** `id` and `whoami`: whom the programs of a container run as. */
import type { SimpleCommand } from './shell-commands.ts';

const root = { uid: 0, gid: 0, supplementalGroups: [0] };
/** What the files of a small image know. */
const users: Readonly<Record<number, string>> = { 0: 'root', 65534: 'nobody' };
const groups: Readonly<Record<number, string>> = { 0: 'root', 65534: 'nobody' };

export const id: SimpleCommand = (args, { host }, { out, err }) => {
  const { uid, gid, supplementalGroups } = host.user?.() ?? root;
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const byName = flags.includes('n');
  const all = [...new Set([gid, ...supplementalGroups])];
  if (flags.includes('u') || flags.includes('g')) {
    const [number, names, word] = flags.includes('u') ? ([uid, users, 'user'] as const) : ([gid, groups, 'group'] as const);
    if (byName && names[number] === undefined) {
      err(`id: unknown ${word === 'user' ? 'ID' : 'group ID'} ${number}\n`);
      return { status: 1 };
    }
    out(`${byName ? names[number] : number}\n`);
  } else if (flags.includes('G')) out(`${all.map((group) => (byName ? (groups[group] ?? group) : group)).join(' ')}\n`);
  else out(`uid=${named(uid, users)} gid=${named(gid, groups)} groups=${all.map((group) => named(group, groups)).join(',')}\n`);
  return { status: 0 };
};

export const whoami: SimpleCommand = (_args, { host }, { out, err }) => {
  const { uid } = host.user?.() ?? root;
  const name = users[uid];
  if (name === undefined) err(`whoami: unknown uid ${uid}\n`);
  else out(`${name}\n`);
  return { status: name === undefined ? 1 : 0 };
};

function named(number: number, names: Readonly<Record<number, string>>): string {
  const name = names[number];
  return name === undefined ? String(number) : `${number}(${name})`;
}
