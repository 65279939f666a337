/** What tools say of the machine, its clock and its users. */
import type { SimpleCommand } from '../shell-commands.ts';
import { missing, readFile } from '../shell-files.ts';
import { formatDate } from '../shell-text.ts';
import { id, whoami } from '../shell-users.ts';
import { defineTool } from './options.ts';

const ok = { status: 0 };

const date = defineTool({
  name: 'date',
  options: 'uRI:d:s:r:',
  usage: '[-u] [-R] [-d TIME] [+FMT]',
  run: (options, { nowMs, budget }, { out, err }) => {
    if (options.has('s') || options.has('r') || options.has('I')) {
      err(`date: ${options.has('s') ? "can't set date: Operation not permitted" : 'this option is not simulated'}\n`);
      return { status: 1 };
    }
    const given = options.value('d');
    const atMs = given === undefined ? nowMs : timeOf(given);
    const format = options.rest[0] ?? (options.has('R') ? '+%a, %d %b %Y %H:%M:%S %z' : '+%a %b %e %H:%M:%S UTC %Y');
    if (atMs === undefined || !format.startsWith('+')) {
      err(`date: invalid date '${atMs === undefined ? given : format}'\n`);
      return { status: 1 };
    }
    // The longest of all verbs is written in fourteen times its own length.
    budget.text(format.length * 14);
    out(`${formatDate(atMs, format.slice(1))}\n`);
    return ok;
  },
});

/** `@SECONDS` or `2026-01-31 12:30[:59]`. */
function timeOf(text: string): number | undefined {
  if (/^@\d{1,11}$/.test(text)) return Number(text.slice(1)) * 1000;
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)Z?)?$/.exec(text);
  const atMs = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2] ?? '00:00:00'}Z`);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** What is asked of the name is what `/etc/hosts` says of it. */
const hostname = defineTool({
  name: 'hostname',
  options: 'sifdI',
  usage: '[-sidf]',
  run: (options, context, { out, err }) => {
    const own = context.host.hostname;
    const letter = ['i', 'I', 'f', 'd'].find((one) => options.has(one));
    if (letter === undefined) {
      out(`${options.has('s') ? own.split('.', 1)[0] : own}\n`);
      return ok;
    }
    const entries = (readFile('/etc/hosts', context) ?? '').split('\n').map((line) => line.split('#', 1)[0]?.trim().split(/\s+/) ?? []);
    const [address, name = own] = entries.find(([, ...names]) => names.includes(own)) ?? [];
    if (address === undefined) {
      err(`hostname: ${own}: Unknown host\n`);
      return { status: 1 };
    }
    if (letter === 'f') out(`${name}\n`);
    else if (letter === 'd') out(`${name.split('.').slice(1).join('.')}\n`);
    else out(`${address}\n`);
    return ok;
  },
});

const uname = defineTool({
  name: 'uname',
  options: 'amnrspvio',
  usage: '[-amnrspvio]',
  run: (options, { host }, { out }) => {
    const fields: readonly (readonly [string, string])[] = [
      ['s', 'Linux'],
      ['n', host.hostname],
      ['r', '6.8.0-wavetank'],
      ['v', '#1 SMP'],
      ['m', 'x86_64'],
      ['o', 'GNU/Linux'],
    ];
    if (options.has('a')) out(`Linux ${host.hostname} 6.8.0-wavetank x86_64 GNU/Linux\n`);
    else {
      const wanted = fields.filter(([letter]) => options.has(letter) || (letter === 'm' && options.has('p')));
      out(`${wanted.length === 0 ? 'Linux' : wanted.map(([, value]) => value).join(' ')}\n`);
    }
    return ok;
  },
});

const uptime = defineTool({
  name: 'uptime',
  options: '',
  usage: '',
  run: (_options, context, { out, err }) => {
    const text = readFile('/proc/uptime', context);
    if (text === undefined) {
      err(`uptime: /proc/uptime: ${missing}\n`);
      return { status: 1 };
    }
    const minutes = Math.floor(Number.parseFloat(text) / 60);
    const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24];
    const rest = hours === 0 ? `${minutes % 60} min` : `${String(hours).padStart(2)}:${String(minutes % 60).padStart(2, '0')}`;
    const time = formatDate(context.nowMs, '%H:%M:%S');
    out(` ${time} up ${days === 0 ? '' : `${days} day${days === 1 ? '' : 's'}, `}${rest},  load average: 0.00, 0.00, 0.00\n`);
    return ok;
  },
});

const stty: SimpleCommand = (args, { host }, { out, err }) => {
  const terminal = host.terminal?.() ?? null;
  if (terminal === null) {
    err('stty: standard input: Inappropriate ioctl for device\n');
    return { status: 1 };
  }
  if (args.includes('size')) out(`${terminal.rows} ${terminal.columns}\n`);
  else if (args.length === 0) out('speed 38400 baud; line = 0;\n-brkint -imaxbel\n');
  return ok;
};

const tty: SimpleCommand = (_args, { host }, { out }) => {
  const isTerminal = (host.terminal?.() ?? null) !== null;
  out(isTerminal ? '/dev/pts/0\n' : 'not a tty\n');
  return { status: isTerminal ? 0 : 1 };
};

export const machineTools: { readonly [name: string]: SimpleCommand } = { date, hostname, uname, id, whoami, uptime, stty, tty };
