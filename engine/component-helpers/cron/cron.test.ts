import { Cron } from 'croner';
import { describe, expect, it } from 'vitest';
import { CronParseError, parseCronSchedule } from './parse.ts';

function nexts(schedule: string, from: string, count: number): readonly string[] {
  const parsed = parseCronSchedule(schedule);
  const times: string[] = [];
  for (let at: number | undefined = Date.parse(from), i = 0; i < count && at !== undefined; i++) {
    at = parsed.next(at);
    times.push(at === undefined ? 'never' : new Date(at).toISOString().slice(0, 19));
  }
  return times;
}

describe('parseCronSchedule', () => {
  it.each([
    { schedule: '*/15 * * * *', from: '2026-01-01T00:00:30Z', want: ['2026-01-01T00:15:00', '2026-01-01T00:30:00'] },
    { schedule: '5/20 3 * * *', from: '2026-01-01T00:00:00Z', want: ['2026-01-01T03:05:00', '2026-01-01T03:25:00', '2026-01-01T03:45:00'] },
    { schedule: '0 0 13 * fri', from: '2026-01-01T00:00:00Z', want: ['2026-01-02T00:00:00', '2026-01-09T00:00:00', '2026-01-13T00:00:00'] },
    { schedule: '0 0 */2 * mon', from: '2026-01-01T00:00:00Z', want: ['2026-01-03T00:00:00', '2026-01-05T00:00:00'] },
    { schedule: '0 0 29 2 *', from: '2026-01-01T00:00:00Z', want: ['2028-02-29T00:00:00'] },
    { schedule: '0 0 31 2 *', from: '2026-01-01T00:00:00Z', want: ['never'] },
    { schedule: '@hourly', from: '2026-01-01T00:59:59.500Z', want: ['2026-01-01T01:00:00'] },
    { schedule: '@weekly', from: '2026-01-01T00:00:00Z', want: ['2026-01-04T00:00:00'] },
    { schedule: '@every 1h30m', from: '2026-01-01T00:00:00.250Z', want: ['2026-01-01T01:30:00'] },
    { schedule: 'TZ=America/New_York 30 2 * * *', from: '2026-03-07T12:00:00Z', want: ['2026-03-09T06:30:00'] },
    {
      schedule: 'TZ=America/New_York 30 1 * * *',
      from: '2026-11-01T00:00:00Z',
      want: ['2026-11-01T05:30:00', '2026-11-01T06:30:00', '2026-11-02T06:30:00'],
    },
    { schedule: 'CRON_TZ=Asia/Kolkata 0 9 * * *', from: '2026-01-01T00:00:00Z', want: ['2026-01-01T03:30:00'] },
    { schedule: 'TZ=America/Sao_Paulo 0 0 * * *', from: '2018-11-03T12:00:00Z', want: ['2018-11-05T02:00:00'] },
  ])('$schedule after $from', ({ schedule, from, want }) => {
    expect(nexts(schedule, from, want.length)).toEqual(want);
  });

  it.each([
    ['', 'empty spec string'],
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['1-x-3 * * * *', 'too many hyphens: 1-x-3'],
    ['@never', 'unrecognized descriptor: @never'],
    ['@every x', 'failed to parse duration @every x: time: invalid duration "x"'],
    ['@every 1', 'failed to parse duration @every 1: time: missing unit in duration "1"'],
    ['9223372036854775808 * * * *', 'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range'],
    ['9223372036854775807 * * * *', 'end of range (9223372036854775807) above maximum (59): 9223372036854775807'],
    [
      '*/9223372036854775808 * * * *',
      'failed to parse int from 9223372036854775808: strconv.Atoi: parsing "9223372036854775808": value out of range',
    ],
    ['TZ=No/Where * * * * *', 'provided bad location No/Where: unknown time zone No/Where'],
  ])('refuses %j', (schedule, message) => {
    expect(() => parseCronSchedule(schedule)).toThrow(new CronParseError(message));
  });

  it.each([
    ['', 'Empty spec string'],
    ['* * *  *', 'Expected exactly 5 fields, found 4: * * *  *'],
    ['a * * * *', 'Failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['1-x-3 * * * *', 'Too many hyphens: 1-x-3'],
    ['-1 * * * *', 'Failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['@every x', 'Failed to parse duration @every x: time: invalid duration x'],
    ['@every 1x', 'Failed to parse duration @every 1x: time: unknown unit x in duration 1x'],
    ['@never', 'Unrecognized descriptor: @never'],
    ['TZ=UTC * * * * *', 'Expected exactly 5 fields, found 6: TZ=UTC * * * * *'],
    ['TZ=UTC * * * *', 'Failed to parse int from TZ=UTC: strconv.Atoi: parsing "TZ=UTC": invalid syntax'],
  ])('refuses %j in the grammar of old, in its words', (schedule, message) => {
    expect(() => parseCronSchedule(schedule, 'v1')).toThrow(new CronParseError(message));
  });

  it('wants both of every second day and a day of the week in the grammar of old', () => {
    const next = parseCronSchedule('0 0 */2 * mon', 'v1').next(Date.parse('2026-01-01T00:00:00Z')) ?? 0;
    // The first Monday whose day of the month is odd.
    expect(new Date(next).toISOString()).toBe('2026-01-05T00:00:00.000Z');
    expect(parseCronSchedule('0 0 */2 * mon', 'v3').next(Date.parse('2026-01-01T00:00:00Z'))).toBe(Date.parse('2026-01-03T00:00:00Z'));
  });

  it('agrees with another implementation where no clocks change', () => {
    for (const schedule of ['*/7 * * * *', '3 4,16 * * *', '0 12 1-7 * *', '15 10 * 2-4 *', '0 22 * * 1-5', '10-20/5 8 * * 0,6']) {
      const other = new Cron(schedule, { timezone: 'UTC', paused: true });
      let at = Date.parse('2026-05-01T00:00:00Z');
      for (let i = 0; i < 50; i++) {
        const want = other.nextRun(new Date(at))?.getTime();
        at = parseCronSchedule(schedule).next(at) ?? 0;
        expect(at).toBe(want);
      }
    }
  });
});
