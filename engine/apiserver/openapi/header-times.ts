/** Times in the three forms that HTTP headers may have (Go's `http.ParseTime`). */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const shortDay = '(?:sun|mon|tue|wed|thu|fri|sat)';
const wholeDay = '(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)';
const month = `(?<month>${months.join('|')})`;
const clock = '(?<hour>\\d\\d?):(?<minute>\\d\\d):(?<second>\\d\\d)';

/** The second one has two digits for its year; its zone is a name, which says nothing unless somebody knows it. */
const forms = [
  new RegExp(`^${shortDay}, (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${clock} GMT$`, 'i'),
  new RegExp(`^${wholeDay}, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${clock} [A-Z]{3,4}$`, 'i'),
  new RegExp(`^${shortDay} ${month}  ?(?<day>\\d\\d?) ${clock} (?<year>\\d{4})$`, 'i'),
];
/** Years of two digits from here on are of the last century. */
const lastCenturyFrom = 69;

/** Milliseconds; undefined where it is none, or there is no such day. */
export function timeOfHeader(text: string): number | undefined {
  for (const form of forms) {
    const found = form.exec(text)?.groups;
    if (found !== undefined) return instant(found);
  }
  return undefined;
}

function instant(found: Readonly<Record<string, string>>): number | undefined {
  const { day = '', hour = '', minute = '', second = '', year = '' } = found;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  const at = new Date(0);
  at.setUTCFullYear(wholeYear(year), months.indexOf((found['month'] ?? '').toLowerCase()), Number(day));
  at.setUTCHours(h, m, s);
  // The 31st of April has become another day.
  return at.getUTCDate() === Number(day) ? at.getTime() : undefined;
}

function wholeYear(digits: string): number {
  const year = Number(digits);
  if (digits.length > 2) return year;
  return year >= lastCenturyFrom ? 1900 + year : 2000 + year;
}
