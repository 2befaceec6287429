/** The processor time of the PostgreSQL server: all its processes. */
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { TICK_MS } from './subject.js';

/** The process id of the server, to which all its other processes belong. */
export async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return statOf(rows[0]!.pid)!.parent;
  } finally {
    await client.end();
  }
}

/** Milliseconds since its start. Processes that ended are part of the time of the first one. */
export function databaseCpu(postmaster: number): number {
  const own = statOf(postmaster)!;
  let ticks = own.used + own.usedByEnded;
  for (const name of readdirSync('/proc')) {
    const process = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    if (process?.parent === postmaster) ticks += process.used;
  }
  return ticks * TICK_MS;
}

interface Stat {
  parent: number;
  used: number;
  usedByEnded: number;
}

/** Undefined if the process has ended. */
function statOf(pid: number): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The second field is a name in parentheses. The fields behind it start with the third.
  const fields = text
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  return {
    parent: fields[1]!,
    used: fields[11]! + fields[12]!,
    usedByEnded: fields[13]! + fields[14]!,
  };
}
