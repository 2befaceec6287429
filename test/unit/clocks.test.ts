/** Which of several clocks is wrong. */
import { judgeClocks } from '../../src/storages/clocks.js';
import { expect, test } from '../support/jest.js';

const clocks = (...ahead: number[]) =>
  ahead.map((minutes, index) => ({ name: `host${index + 1}`, aheadMs: minutes * 60_000 }));

test.each<[string, number[], string | undefined, RegExp]>([
  ['all agree', [0, 0.5], undefined, /^The clocks of this service and of host1, host2 agree\.$/],
  [
    'all others agree with each other only',
    [10, 10.2],
    'clock_wrong_here',
    /^The clock of this service is 10 minutes behind: host1, host2 agree with each other\./,
  ],
  [
    'one of two differs',
    [0, -10],
    'clock_wrong_there',
    /^The clock of host2 is 10 minutes behind: this service agrees with host1\./,
  ],
  ['the only other one differs', [10], 'clock_differs', /^The clock of host1 is 10 minutes ahead/],
  [
    'both differ, in different ways',
    [10, -10],
    'clock_differs',
    /^The clock of host1 is 10 minutes ahead, and that of host2 is 10 minutes behind compared/,
  ],
])('%s', (_what, ahead, code, hint) => {
  const judged = judgeClocks(clocks(...ahead));
  expect('code' in judged ? judged.code : undefined).toBe(code);
  expect(judged.hint).toMatch(hint);
});
