/** Small text arts of the shell: words, sleep arguments, date formats. */

/** As one word of a script. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export function parseSleep(args: readonly string[]): number | undefined {
  let total = 0;
  for (const arg of args) {
    if (arg === 'infinity' || arg === 'inf') return Number.POSITIVE_INFINITY;
    const match = /^([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([smhd]?)$/.exec(arg);
    if (match === null) return undefined;
    const unit = match[2] === 'm' ? 60_000 : match[2] === 'h' ? 3_600_000 : match[2] === 'd' ? 86_400_000 : 1000;
    total += Number(match[1]) * unit;
  }
  return args.length === 0 ? undefined : total;
}

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const wholeDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const wholeMonths = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

export function formatDate(nowMs: number, format: string): string {
  const date = new Date(nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  return format.replaceAll(/%([a-zA-Z%])/g, (whole, verb: string) => {
    switch (verb) {
      case 's':
        return String(Math.floor(nowMs / 1000));
      case 'Y':
        return String(date.getUTCFullYear());
      case 'm':
        return two(date.getUTCMonth() + 1);
      case 'd':
        return two(date.getUTCDate());
      case 'e':
        return String(date.getUTCDate()).padStart(2);
      case 'H':
        return two(date.getUTCHours());
      case 'M':
        return two(date.getUTCMinutes());
      case 'S':
        return two(date.getUTCSeconds());
      case 'N':
        return String(Math.round((nowMs % 1000) * 1000))
          .padStart(6, '0')
          .padEnd(9, '0');
      case 'T':
        return time;
      case 'F':
        return day;
      case 'D':
        return `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`;
      case 'R':
        return time.slice(0, 5);
      case 'y':
        return two(date.getUTCFullYear() % 100);
      case 'C':
        return two(Math.floor(date.getUTCFullYear() / 100));
      case 'I':
        return two(date.getUTCHours() % 12 || 12);
      case 'k':
        return String(date.getUTCHours()).padStart(2);
      case 'l':
        return String(date.getUTCHours() % 12 || 12).padStart(2);
      case 'p':
        return date.getUTCHours() < 12 ? 'AM' : 'PM';
      case 'j':
        return String(Math.floor((nowMs - Date.UTC(date.getUTCFullYear(), 0)) / 86_400_000) + 1).padStart(3, '0');
      case 'u':
        return String(date.getUTCDay() || 7);
      case 'w':
        return String(date.getUTCDay());
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'A':
        return wholeDays[date.getUTCDay()] ?? '';
      case 'B':
        return wholeMonths[date.getUTCMonth()] ?? '';
      case 'h':
        return months[date.getUTCMonth()] ?? '';
      case 'a':
        return days[date.getUTCDay()] ?? '';
      case 'b':
        return months[date.getUTCMonth()] ?? '';
      case 'Z':
        return 'UTC';
      case 'z':
        return '+0000';
      case '%':
        return '%';
      default:
        return whole;
    }
  });
}
