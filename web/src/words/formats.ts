/** Sizes, dates and times as the reader's language writes them. */
import { ofLanguage } from './language';

/** Formats by unit and digits: a list has many numbers. */
const units = ofLanguage((tag) => {
  const made = new Map<string, Intl.NumberFormat>();
  return (unit: string, digits: number): Intl.NumberFormat => {
    const key = `${unit} ${digits}`;
    const format =
      made.get(key) ??
      new Intl.NumberFormat(tag, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: digits,
      });
    made.set(key, format);
    return format;
  };
});

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in bytes with at most three digits: 186 kB, 4.1 MB. `down` rounds limits down. */
export function size(bytes: number, { down = false } = {}): string {
  let power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  // 999,950 bytes are 1 MB, not 1,000 kB.
  if (!down && bytes / 1_000 ** power >= 999.5 && power < 4) power += 1;
  const value = bytes / 1_000 ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 || power < 3 ? 1 : 2;
  const shown = down ? Math.floor(value * 10 ** digits) / 10 ** digits : value;
  return units()(UNITS[power] ?? 'byte', digits).format(shown);
}

/** What a unit is called beside a field: GB for 3. Each is a thousand times the one before it. */
export const unitName = (power: number): string =>
  units()(UNITS[power] ?? 'byte', 0)
    .formatToParts(5)
    .find(({ type }) => type === 'unit')?.value ?? '';

const minutesAgo = ofLanguage(
  (tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' }),
);
const daysAgo = ofLanguage((tag) => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }));
const clock = ofLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit' }),
);
const day = ofLanguage((tag) => new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }));
const dayAndYear = ofLanguage((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }));
const exact = ofLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeStyle: 'medium' }),
);

const midnight = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** 8 min ago, Today 13:52, Yesterday 16:47, 12 Nov, 30 Sep 2025. */
export function when(time: string, now = new Date()): string {
  const then = new Date(time);
  const minutes = Math.round((now.getTime() - then.getTime()) / 60_000);
  if (minutes < 60) return minutesAgo().format(-Math.max(0, minutes), 'minute');
  const days = Math.round((midnight(now) - midnight(then)) / 86_400_000);
  if (days <= 1) return `${daysAgo().format(-days, 'day')} ${clock().format(then)}`;
  return (then.getFullYear() === now.getFullYear() ? day() : dayAndYear()).format(then);
}

const conjunction = ofLanguage((tag) => new Intl.ListFormat(tag));
/** a, b and c. */
export const listed = (words: readonly string[]): string => conjunction().format(words);

const longDay = ofLanguage(
  (tag) => new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long' }),
);
/** Thursday, 26 November. */
export const today = (): string => longDay().format(new Date());

export const exactly = (time: string): string => exact().format(new Date(time));

/** A length of time: 9 s, 4 min, 1 h 20 min. */
export function duration(seconds: number): string {
  const unit = (value: number, name: string): string => units()(name, 0).format(value);
  if (seconds < 60) return unit(Math.ceil(seconds), 'second');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unit(minutes, 'minute');
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}
