/** Searches work packages: by number, or by words of subject, project, type and status. */
import type { Knex } from 'knex';
import type { Database, Sql } from '../database/index.js';
import type { Status } from '../models/status.js';
import type { Type } from '../models/type.js';
import { MAX_COUNTED } from '../contract/limits.js';
import type { Searching } from './needs.js';
import { isIndexed, nameContains, searchWords, wordStarts } from './search-words.js';
import type { InSet } from './sets.js';

interface Searched {
  filters: Sql[];
  starts: Sql[][];
  slowStarts: Sql[][];
}

/** Rows whose names a word can match. */
interface Named {
  /** They are few, so they are compared here. */
  statuses: readonly Status[];
  types: readonly Type[];
  /**
   * The projects whose work packages the caller sees; undefined for all. Names of others are not
   * searched: the time of a search would tell which words they have.
   */
  ofProjects: InSet | undefined;
}

/** @throws InvalidQuery */
export async function searchedWorkPackages(
  needs: Searching,
  search: string | null | undefined,
  named: Named,
): Promise<Searched> {
  const { db } = needs;
  const matches = await Promise.all(searchWords(search).map((word) => matchOf(needs, word, named)));
  const onlyInSubject = matches.filter(({ others }) => others.length === 0);
  const subject = wordStarts(
    db,
    'work_packages',
    onlyInSubject.map(({ word }) => word),
  );
  const words: Searched = {
    filters: matches.map(({ filter }) => filter),
    slowStarts: subject.slowStarts,
    starts: [
      ...subject.starts,
      ...matches.flatMap(({ word, others }) =>
        others.length > 0 && isIndexed(word)
          ? [[db.search.keysOf('work_packages', [word]), ...others]]
          : [],
      ),
    ],
  };
  const [, digits] = /^\s*#?(\d{1,10})\s*$/.exec(search ?? '') ?? [];
  return digits === undefined ? words : orNumber(needs, digits, words);
}

interface Match {
  word: string;
  filter: Sql;
  /** Select the keys of work packages by what else has the word in its name. */
  others: Sql[];
}

async function matchOf(
  { db, client }: Searching,
  word: string,
  { statuses, types, ofProjects }: Named,
): Promise<Match> {
  const statusIds = statuses
    .filter(
      ({ name, isClosed }) => nameContains(name, word) || word === (isClosed ? 'closed' : 'open'),
    )
    .map(({ id }) => id);
  const typeIds = types.filter(({ name }) => nameContains(name, word)).map(({ id }) => id);
  const projects = projectsWith(db, word, ofProjects);
  const [anyProject] = (await db.read
    .select('*')
    .from(db.read.raw(`(${projects.text}) as found`, [...projects.values] as Knex.RawBinding[]))
    .limit(1)
    .queryContext({ client })) as unknown[];
  const sets: [column: string, set: Sql][] = [
    ...keysIn('status_id', statusIds),
    ...keysIn('type_id', typeIds),
    ...(anyProject ? [['project_id', projects] as [string, Sql]] : []),
  ];
  const subject = db.search.contains('work_packages.search_text', word);
  const others = sets.map(([column, set]) => ({
    text: `work_packages.${column} in (${set.text})`,
    values: set.values,
  }));
  return {
    word,
    filter: {
      text: `(${[subject.text, ...others.map(({ text }) => `+${text}`)].join(' or ')})`,
      values: [subject, ...others].flatMap(({ values }) => values),
    },
    others: others.map(({ text, values }) => ({
      text: `select work_packages.id from work_packages where ${text}`,
      values,
    })),
  };
}

const keysIn = (column: string, ids: readonly number[]): [string, Sql][] =>
  ids.length > 0 ? [[column, { text: ids.map(() => '?').join(', '), values: ids }]] : [];

function projectsWith(db: Database, word: string, ofProjects: InSet | undefined): Sql {
  const conditions = [db.search.contains('projects.search_text', word)];
  if (ofProjects) conditions.push(ofProjects('projects.id'));
  // The index also has hidden projects.
  else if (isIndexed(word)) {
    const { text, values } = db.search.keysOf('projects', [word]);
    conditions.push({ text: `projects.id in (${text})`, values });
  }
  return {
    text: `select projects.id from projects where ${conditions.map(({ text }) => text).join(' and ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

/** Work packages whose number contains the digits, besides those that the words find. */
async function orNumber(
  { db, client }: Searching,
  digits: string,
  words: Searched,
): Promise<Searched> {
  const number = db.search.contains('cast(work_packages.id as text)', digits);
  const [found] = await db
    .read('work_packages')
    .max<{ highest: number | null }[]>({ highest: 'id' })
    .queryContext({ client });
  const ids = numbersWith(digits, String(found?.highest ?? 0).length);
  const [inSubject] = words.starts;
  return {
    filters: [
      {
        text: `(${number.text} or (${words.filters.map(({ text }) => text).join(' and ')}))`,
        values: [number, ...words.filters].flatMap(({ values }) => values),
      },
    ],
    starts: ids && inSubject ? [[keysOf(ids), ...inSubject]] : [],
    slowStarts: [],
  };
}

const keysOf = (ids: readonly number[]): Sql => ({
  text: `select work_packages.id from work_packages where work_packages.id in (${ids.join(', ') || 'null'})`,
  values: [],
});

/** All numbers of up to `length` digits that contain these; undefined if they are too many. */
function numbersWith(digits: string, length: number): number[] | undefined {
  const free = length - digits.length;
  if (free > 3) return undefined;
  const found = new Set<number>();
  for (let before = 0; before <= free; before += 1)
    for (let after = 0; before + after <= free; after += 1)
      for (let rest = 0; rest < 10 ** (before + after); rest += 1) {
        const padded = String(rest)
          .padStart(before + after, '0')
          .slice(0, before + after);
        const text = `${padded.slice(0, before)}${digits}${padded.slice(before)}`;
        if (!text.startsWith('0')) found.add(Number(text));
      }
  return found.size > MAX_COUNTED ? undefined : [...found];
}
