/** Compares the SQL of the server with that of the bare program. A ratio is fair only if both do the same work. */
import { pino } from 'pino';
import { readConfig } from '../src/config.js';
import { startServer } from '../src/server.js';
import { SECRET_KEY } from './programs.js';
import { seeded } from './seed.js';
import { requestWorkloads } from './workloads.js';

/** @returns the statements that only one of the two sends */
export async function statementDifferences(
  databaseUrl: string,
  folder: string,
): Promise<{ onlyOurs: string[]; onlyBare: string[] }> {
  const bare = await bareStatements(databaseUrl);
  const ours = await ourStatements(databaseUrl, folder);
  return {
    onlyOurs: [...ours].filter((text) => !bare.has(text)),
    onlyBare: [...bare].filter((text) => !ours.has(text)),
  };
}

async function ourStatements(databaseUrl: string, folder: string): Promise<Set<string>> {
  const config = readConfig({
    NODE_ENV: 'production',
    SECRET_KEY,
    BASE_URL: 'http://127.0.0.1',
    DATABASE_URL: databaseUrl,
    BLOB_STORE: `disk:${folder}/blobs-statements`,
    PORT: '0',
    BACKGROUND_WORK: 'false',
    STORAGE_ALLOW_PRIVATE: 'true',
  });
  const running = await startServer(config, pino({ level: 'silent' }));
  const { db, forgetIdentities } = running.services;
  const seen = new Set<string>();
  const note = ({ sql }: { sql: string }) => {
    if (!/^(begin|commit)/i.test(sql)) seen.add(plain(sql));
  };
  for (const knex of new Set([db.read, db.write])) knex.on('query', note);
  try {
    for (const { requests } of requestWorkloads) {
      if (!requests.bare) continue;
      forgetIdentities();
      const { method, path, json, file } = requests.ours![0]!;
      const form = new FormData();
      form.append('metadata', '{"fileName":"upload.bin"}');
      form.append('file', new Blob([new Uint8Array(file ?? 0)]), 'upload.bin');
      const body = json ? JSON.stringify(json) : file === undefined ? null : form;
      const response = await fetch(running.address + path, {
        method,
        body,
        headers: {
          authorization: `Bearer ${seeded.key}`,
          ...(json && { 'content-type': 'application/json' }),
        },
      });
      if (!response.ok)
        throw new Error(
          `${method} ${path} was answered with ${response.status}: ${await response.text()}`,
        );
      await response.arrayBuffer();
    }
  } finally {
    await running.stop();
  }
  return seen;
}

async function bareStatements(databaseUrl: string): Promise<Set<string>> {
  const path = './bare/statements.mjs';
  const { sqliteStatements, postgresStatements } = (await import(path)) as {
    [name: string]: { [name: string]: string };
  };
  return new Set(
    Object.values((databaseUrl.startsWith('sqlite:') ? sqliteStatements : postgresStatements)!).map(
      plain,
    ),
  );
}

/**
 * Without quotes, with one kind of placeholder, and without the list of columns that are read.
 * Each program reads the columns that it needs. On SQLite the server reads rows as one JSON text.
 */
const plain = (sql: string) =>
  sql
    .replaceAll(/["`]/g, '')
    .replaceAll(/\$\d+/g, '?')
    .replace(/^select json_group_array\(.*?\) as found from \((.*)\)$/s, '$1')
    .replace(/^select (?!count\b|pg_notify\b).*? from /s, 'select … from ');
