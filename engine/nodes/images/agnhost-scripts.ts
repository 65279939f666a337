/**
 * Programs of `agnhost` that look at files and write lines, as scripts made from their arguments. Mirrors what test/images/agnhost
 * (mounttest, logs-generator) of Kubernetes prints.
 */
import { parseDuration } from '../../apimachinery/time.ts';
import { quoteWord } from '../runtime/shell-text.ts';

/** `--name=value` and `--name value`. */
function flagsOf(args: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  args.forEach((arg, i) => {
    const [, name, value] = /^--?([^=]+)(?:=([^]*))?$/.exec(arg) ?? [];
    if (name !== undefined) flags.set(name.replaceAll('-', '_'), value ?? args[i + 1] ?? '');
  });
  return flags;
}

const written = 'mount-tester new file\n';
const modes: readonly (readonly [flag: string, permissions: string])[] = [
  ['new_file_0644', 'rw-r--r--'],
  ['new_file_0666', 'rw-rw-rw-'],
  ['new_file_0660', 'rw-rw----'],
  ['new_file_0777', 'rwxrwxrwx'],
];

/** Its steps have an order: the file system, new files, modes, owners, contents. */
export function mounttestScript(args: readonly string[]): string {
  const flags = flagsOf(args);
  const lines = ['failed=0'];
  const step = (flag: string, make: (path: string) => readonly string[]): void => {
    const path = flags.get(flag) ?? '';
    if (path !== '') lines.push(...make(path));
  };
  const created = new Map<string, string>();
  step('fs_type', (path) =>
    orElse(path, 'error from statfs', 'statfs', [`echo "mount type of "${named(path)}": $(stat -f -c %T ${quoteWord(path)})"`]),
  );
  for (const [flag, permissions] of modes)
    step(flag, (path) => {
      created.set(path, permissions);
      return [`printf '%s\\n' ${quoteWord(written.trimEnd())} > ${quoteWord(path)}`, ...content(path)];
    });
  const told = (what: string, path: string, isWhole: boolean): readonly string[] => {
    const known = created.get(path);
    const read = `$(stat -c %A ${quoteWord(path)})`;
    const line = (text: string): string => `echo ${quoteWord(`${what} of file `)}${named(path)}": ${text}"`;
    if (known !== undefined) return [line(`-${known}`)];
    return orElse(path, 'error from Stat', 'stat', [`found=${read}`, line(isWhole ? '$found' : '-${found#?}')]);
  };
  step('file_mode', (path) => told('mode', path, true));
  step('file_perm', (path) => told('perms', path, false));
  step('file_owner', (path) =>
    orElse(path, 'error from stat', 'stat', [
      `echo "owner UID of "${named(path)}": $(stat -c %u ${quoteWord(path)})"`,
      `echo "owner GID of "${named(path)}": $(stat -c %g ${quoteWord(path)})"`,
    ]),
  );
  step('file_content', content);
  step('file_content_in_loop', (path) => {
    const seconds = Number(flags.get('retry_time') ?? 180);
    const rounds = Number.isFinite(seconds) ? Math.max(0, Math.min(43_200, Math.ceil(seconds / 2))) : 90;
    const stops = flags.get('break_on_expected_content') !== 'false';
    const stop = [
      `if [ "$(cat ${quoteWord(path)})" = ${quoteWord(written.trimEnd())} ]; then break; fi`,
      `echo "Unexpected content. Expected: ${written}. Retrying"`,
    ];
    return [
      'round=0',
      `while [ $round -lt ${rounds} ]; do`,
      `if [ -f ${quoteWord(path)} ]; then`,
      shown(path),
      ...(stops ? stop : []),
      'else',
      `echo ${quoteWord(`Error reading file ${path}: open ${path}: no such file or directory, retrying`)}`,
      'fi',
      'round=$((round+1))',
      'sleep 2',
      'done',
    ];
  });
  return [...lines, 'exit $failed'].join('\n');
}

function named(path: string): string {
  return quoteWord(JSON.stringify(path));
}

function shown(path: string): string {
  return `printf '%s' ${quoteWord(`content of file ${JSON.stringify(path)}: `)}; cat ${quoteWord(path)}; echo`;
}

function content(path: string): readonly string[] {
  return orElse(path, 'error reading file content for', 'open', [shown(path)]);
}

function orElse(path: string, what: string, call: string, lines: readonly string[]): readonly string[] {
  const place = what.startsWith('error reading') ? ` ${JSON.stringify(path)}` : `(${JSON.stringify(path)})`;
  const fault = `echo ${quoteWord(`${what}${place}: ${call} ${path}: no such file or directory`)}; failed=1`;
  return [`if [ -e ${quoteWord(path)} ]; then`, ...lines, 'else', fault, 'fi'];
}

/** The words of the first line of the resolver's file that begins with this one, between commas. */
export function wordsOfResolver(first: string): string {
  return [
    'said=',
    `for word in $(grep ${first} /etc/resolv.conf | head -n 1); do`,
    `if [ "$word" = ${first} ]; then continue; fi`,
    'if [ -z "$said" ]; then said=$word; else said=$said,$word; fi',
    'done',
    'echo "$said"',
  ].join('\n');
}

/** Lines as an API server logs its requests, evenly over their time. */
export function logsScript(args: readonly string[]): string {
  const flags = flagsOf(args);
  const total = Math.trunc(Number(flags.get('log_lines_total') ?? 0));
  const duration = parseDuration(flags.get('run_duration') ?? '0s');
  if (!(total > 0)) return `echo 'Invalid total number of lines: ${total || 0}'; exit 255`;
  if (duration === undefined || !(duration > 0)) return `echo 'Invalid duration: 0s'; exit 255`;
  const pause = (duration / 1000 / total).toFixed(3);
  return [
    'line=0',
    `while [ $line -lt ${total} ]; do`,
    'echo "I$(date +%m%d) $(date +%H:%M:%S).000000       1 logs_generator.go:76] $line GET /api/v1/namespaces/kube-system/pods/pod$line 200"',
    'line=$((line+1))',
    `sleep ${pause}`,
    'done',
  ].join('\n');
}
