/** Reads the operators of filters by a time, which count days in UTC. */
import type { filterReader } from './filter-values.js';
import type { FilterCondition } from './page-and-filters.js';

export interface TimeRange {
  from?: string;
  until?: string;
}

const DAY = 86_400_000;
/** Beyond all rows: some thousand years. */
const MOST_DAYS = 1_000_000;

/**
 * `>t-` and `<t-` are less and more than so many days ago, `t-` is exactly so many days ago. `t` is
 * today, `w` this week from Monday, `=d` a day, and `<>d` lies between two times.
 * @throws InvalidQuery
 */
export function timeRange(
  condition: FilterCondition<string>,
  now: Date,
  { wrongOperator, invalidValues, only }: ReturnType<typeof filterReader>,
): TimeRange {
  const { name, operator, values } = condition;
  const today = Math.floor(now.getTime() / DAY) * DAY;
  const daysAgo = () => {
    const value = only(condition, operator);
    if (!/^\d{1,9}$/.test(value)) throw invalidValues(name);
    return today - Math.min(Number(value), MOST_DAYS) * DAY;
  };
  const momentOf = (value: string): number => {
    const time = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(time)) throw invalidValues(name);
    return time;
  };
  switch (operator) {
    case '>t-':
      return range(daysAgo(), today + DAY - 1);
    case '<t-':
      return range(undefined, daysAgo() + DAY - 1);
    case 't-':
      return days(daysAgo(), 1);
    case 't':
      return days(today, 1);
    case 'w':
      return days(today - ((now.getUTCDay() + 6) % 7) * DAY, 7);
    case '=d':
      return days(momentOf(only(condition, '=d')), 1);
    case '<>d': {
      const [from = '', until = ''] = values;
      if (values.length !== 2 || (from === '' && until === '')) throw invalidValues(name);
      return range(
        from === '' ? undefined : momentOf(from),
        until === '' ? undefined : momentOf(until),
      );
    }
    default:
      throw wrongOperator(name);
  }
}

const days = (from: number, count: number) => range(from, from + count * DAY - 1);

const range = (from: number | undefined, until: number | undefined): TimeRange => ({
  ...(from !== undefined && { from: new Date(from).toISOString() }),
  ...(until !== undefined && { until: new Date(until).toISOString() }),
});
