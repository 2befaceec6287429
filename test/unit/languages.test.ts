/** All languages have the same sentences, with the same values in them. */
import { ar as arabicMails } from '../../src/mail/words/ar.js';
import { de as germanMails } from '../../src/mail/words/de.js';
import { en as englishMails } from '../../src/mail/words/en.js';
import { ar as arabicPages } from '../../src/pages/words/ar.js';
import { de as germanPages } from '../../src/pages/words/de.js';
import { en as englishPages } from '../../src/pages/words/en.js';
import { permissions } from '../../src/policies/permissions.js';
import { ar as arabicAdministration } from '../../web/src/administration/words/ar.js';
import { de as germanAdministration } from '../../web/src/administration/words/de.js';
import { en as englishAdministration } from '../../web/src/administration/words/en.js';
import { ar } from '../../web/src/words/ar.js';
import { de } from '../../web/src/words/de.js';
import { en } from '../../web/src/words/en.js';
import { describe, expect, test } from '../support/jest.js';

type Sentence = string | { [plural: string]: string };
interface Table {
  [key: string]: Sentence;
}

/** The names in braces. A form for one or two need not write the number. */
const valuesOf = (sentence: Sentence | undefined): string[] => {
  const text = typeof sentence === 'object' ? sentence['other'] : sentence;
  return [...new Set(text?.match(/\{\w+\}/g))].sort();
};
const contents = (table: Table) =>
  Object.fromEntries(Object.entries(table).map(([key, one]) => [key, valuesOf(one)]));

describe('the languages', () => {
  test('name each permission', () => {
    const named = Object.keys(englishAdministration)
      .filter((key) => key.startsWith('permission.'))
      .map((key) => key.slice('permission.'.length).toLowerCase());
    expect(named.sort()).toEqual([...permissions].sort());
  });

  test.each<[string, Table, Table]>([
    ['German, in the application', de, en],
    ['Arabic, in the application', ar, en],
    ['German, in the administration', germanAdministration, englishAdministration],
    ['Arabic, in the administration', arabicAdministration, englishAdministration],
    ['German, in e-mails', germanMails, englishMails],
    ['Arabic, in e-mails', arabicMails, englishMails],
    ['German, on the other pages', germanPages, englishPages],
    ['Arabic, on the other pages', arabicPages, englishPages],
  ])('%s has each sentence of the English one, with the same values', (_name, table, english) => {
    expect(contents(table)).toEqual(contents(english));
  });

  test.each([
    ['de', { ...de, ...germanAdministration }],
    ['ar', { ...ar, ...arabicAdministration }],
  ] as const)('%s has each plural that its numbers need', (tag, table) => {
    const rules = new Intl.PluralRules(tag);
    const needed = new Set([1, 2, 3, 11].map((count) => rules.select(count)));
    const lacking = Object.entries(table as Table).filter(
      ([, sentence]) =>
        typeof sentence === 'object' &&
        [...needed].some((form) => !(form in sentence) && form !== 'many'),
    );
    expect(lacking.map(([key]) => key)).toEqual([]);
  });

  test('no sentence is the English one, except for names', () => {
    const same = (table: Table) =>
      Object.entries(table).filter(
        ([key, text]) =>
          text === ({ ...en, ...englishAdministration } as Table)[key] &&
          /\p{L}/u.test(String(text)) &&
          text !== 'PDF',
      );
    expect(same({ ...ar, ...arabicAdministration })).toEqual([]);
  });
});
