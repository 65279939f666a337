/** Dates and times as schemas and expressions know them, otherwise than what objects hold. Mirrors pkg/validation/strfmt/time.go of kube-openapi. */

const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
const timePattern = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/;

export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = (daysOf[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0);
  return day >= 1 && day <= days;
}

/** Hours up to 23, minutes and seconds up to 59; the zone may say anything. */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', time] = text.toLowerCase().split('t');
  const parts = time === undefined || !isDate(date) ? null : timePattern.exec(time);
  return parts !== null && (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}
