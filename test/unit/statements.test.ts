/** Writes with fixed texts: together or not at all, alone or in a transaction, on stale connections. */
import { pino } from 'pino';
import { readConfig } from '../../src/config.js';
import { insertInto, type Write } from '../../src/database/statements.js';
import { openDatabase, type Database } from '../../src/database/index.js';
import { freshDatabase, on } from '../support/database.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '../support/jest.js';

const INSERT = insertInto('notes', { name: ':name', size: ':size' });
const RENAME = 'update notes set name = :other where name = :name';

for (const prepares of ['true', 'false'])
  describe(`with DATABASE_PREPARED_STATEMENTS=${prepares}`, () => {
    let db: Database;

    beforeAll(async () => {
      const { url } = await freshDatabase();
      const config = readConfig({ DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: prepares });
      db = openDatabase(config.database, pino({ level: 'silent' }));
      await db.write.schema.createTable('notes', (table) => {
        table.increments('id');
        table.text('name').unique();
        table.integer('size').notNullable();
      });
    });
    beforeEach(() => db.write('notes').delete());
    afterAll(() => db.close());

    const notes = async () =>
      (await db.write('notes').orderBy('id')).map(({ name, size }) => [name, size] as unknown);

    test('give the number of rows and the returned values, in order', async () => {
      const written = await db.statements.write(
        [INSERT, RENAME, RENAME, `${INSERT} returning size, name`],
        { name: 'a', other: 'b', size: 7 },
      );
      expect(written).toEqual([
        { count: 1, rows: [] },
        { count: 1, rows: [] },
        { count: 0, rows: [] },
        { count: 1, rows: [[7, 'a']] },
      ]);
      expect(await notes()).toEqual([
        ['b', 7],
        ['a', 7],
      ]);
    });

    test('insert a row only if the condition holds', async () => {
      const first = insertInto(
        'notes',
        { name: ':name', size: ':size' },
        'not exists (select 1 from notes)',
      );
      const counts = [];
      for (const name of ['a', 'b'])
        counts.push((await db.statements.write([first], { name, size: 1 }))[0]?.count);
      expect(counts).toEqual([1, 0]);
      expect(await notes()).toEqual([['a', 1]]);
    });

    test('leave nothing if a later one fails, and the connection works on', async () => {
      const values = { name: 'a', other: 'b', size: 1 };
      await expect(db.statements.write([INSERT, RENAME, INSERT, INSERT], values)).rejects.toThrow(
        /unique/i,
      );
      expect(await notes()).toEqual([]);
      await db.statements.write([INSERT, RENAME], values);
      expect(await notes()).toEqual([['b', 1]]);
    });

    test('belong to a transaction and end with it', async () => {
      const values = { name: 'a', other: 'b', size: 1 };
      await expect(
        db.write.transaction(async (trx) => {
          await db.statements.write([INSERT, RENAME], values, trx);
          expect(await trx('notes').pluck('name')).toEqual(['b']);
          throw new Error('changed its mind');
        }),
      ).rejects.toThrow('changed its mind');
      expect(await notes()).toEqual([]);
      await db.write.transaction(async (trx) => {
        await db.statements.write([INSERT], values, trx);
        await trx('notes').insert({ name: 'c', size: 2 });
      });
      expect(await notes()).toEqual([
        ['a', 1],
        ['c', 2],
      ]);
    });

    test('each have values of their own, in their order, however many they are', async () => {
      const sizes = Array.from({ length: 1_201 }, (_, size) => size);
      const inserts: Write[] = sizes.map((size) => ({
        sql: INSERT,
        values: { name: `n${size}`, size },
      }));
      const write = (writes: Write[]) =>
        db.write.transaction((trx) => db.statements.writeAll(writes, trx));
      await expect(write([...inserts, ...inserts.slice(0, 1)])).rejects.toThrow(/unique/i);
      expect(await notes()).toEqual([]);
      const renamed = { sql: RENAME, values: { name: 'n1200', other: 'last' } };
      await write([...inserts, renamed]);
      expect(await notes()).toEqual(
        sizes.map((size) => [size === 1_200 ? 'last' : `n${size}`, size]),
      );
    });

    test('report each statement with its values', async () => {
      const seen: [string, unknown][] = [];
      const note = ({ sql, bindings }: { sql: string; bindings: unknown }) => {
        if (!/^(begin|commit)/i.test(sql)) seen.push([sql.replaceAll(/\$\d/g, '?'), bindings]);
      };
      db.write.on('query', note);
      await db.statements.write([INSERT, RENAME], { name: 'a', other: 'b', size: 1 });
      db.write.off('query', note);
      expect(seen).toEqual([
        ['insert into notes (name, size) select ?, ? where true', ['a', 1]],
        ['update notes set name = ? where name = ?', ['b', 'a']],
      ]);
    });

    on('postgres')('are written once after the connection was cleaned', async () => {
      const write = (name: string) =>
        db.statements.write([INSERT, RENAME, INSERT], { name, other: `${name}2`, size: 1 });
      await write('a');
      await db.write.raw('deallocate all');
      await write('b');
      expect((await db.write('notes').orderBy('id')).map(({ name }) => name as unknown)).toEqual([
        'a2',
        'a',
        'b2',
        'b',
      ]);
    });

    on('postgres')('in a transaction end it instead, and the next one succeeds', async () => {
      await db.statements.write([INSERT], { name: 'a', size: 1 });
      await db.write.raw('deallocate all');
      const write = () =>
        db.write.transaction((trx) => db.statements.write([INSERT], { name: 'b', size: 1 }, trx));
      if (prepares === 'true') await expect(write()).rejects.toThrow(/cannot be used/);
      expect((await notes()).length).toBe(1);
      await write();
      expect((await notes()).length).toBe(2);
    });
  });
