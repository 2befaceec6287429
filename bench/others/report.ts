/** The gains of ten reads beside those of W1 and W3. */
import type { DatabaseKind } from '../databases.js';
import { digits } from '../figures.js';
import { alignedTable } from '../report.js';
import { databaseNames, headOf, type Run } from '../run.js';

export interface Gain {
  database: DatabaseKind;
  title: string;
  /** Processor milliseconds per request of the two versions. */
  older: number;
  newer: number;
}

export interface Report extends Run {
  commit: string;
  seed: number;
  gains: Gain[];
}

/** A read gains at least this share of what W1 and W3 gain on average. */
const SHARE = 0.5;
const FAVOURITES = ['W1', 'W3'];
const LONGEST = 90;

/** The share of the older version's time that the newer one saves. */
const gainOf = ({ older, newer }: Gain): number => 1 - newer / older;

export function markdownOf(report: Report): string {
  const { commit, seed, gains } = report;
  const kinds = [...new Set(gains.map(({ database }) => database))];
  return [
    '# Other reads',
    '',
    headOf(report, 'server, database and client'),
    `The gain is the processor time of the server that is saved since \`${commit}\`. Seed ${seed} chose the reads.`,
    `The goal is ${SHARE * 100} % of the mean gain of W1 and W3. No answer was compared, because the interface changed since.`,
    'Reads that need no row, such as the configuration, have little to gain.',
    '',
    ...kinds.flatMap((kind) => [
      `## ${databaseNames[kind]}`,
      '',
      ...tableOf(gains.filter(({ database }) => database === kind)),
      '',
    ]),
  ].join('\n');
}

function tableOf(gains: readonly Gain[]): string[] {
  const favourites = gains.filter(({ title }) => FAVOURITES.includes(title));
  const mean = favourites.reduce((sum, gain) => sum + gainOf(gain), 0) / favourites.length;
  return alignedTable([
    ['read', `before, ms`, 'now, ms', 'gain', 'goal'],
    ...gains.map((gain) => {
      const { title, older, newer } = gain;
      const enough = gainOf(gain) >= mean * SHARE;
      return [
        `\`${title.length > LONGEST ? `${title.slice(0, LONGEST)}…` : title}\``,
        digits(older),
        digits(newer),
        percent(gainOf(gain)),
        favourites.includes(gain)
          ? ''
          : `≥ ${percent(mean * SHARE)}: ${enough ? 'met' : '**missed**'}`,
      ];
    }),
  ]);
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
