/** All measurements with one database. */
import type { DatabaseKind, Databases } from './databases.js';
import type { Effort } from './effort.js';
import { assertSameAnswers } from './equal.js';
import type { Generator } from './load.js';
import { measureFiles } from './measure-files.js';
import { measureLatency } from './measure-latency.js';
import { measureMany } from './measure-many.js';
import { collecting, measureMemory } from './measure-memory.js';
import { measureRequests } from './measure-requests.js';
import type { SubjectName } from './programs.js';
import { progress } from './run.js';
import { Samples } from './samples.js';
import { statementDifferences } from './statements.js';
import { Subject } from './subject.js';
import { requestWorkloads } from './workloads.js';

export const PARTS = [
  'W1',
  'W1+',
  'W2',
  'W3',
  'W4',
  'W4T',
  'W1L',
  'W3L',
  'WS',
  'latency',
  'memory',
  'W5',
  'W6',
  'W7',
  'W8',
] as const;
export type Part = (typeof PARTS)[number];

interface Setting {
  kind: DatabaseKind;
  databases: Databases;
  folder: string;
  generator: Generator;
  wanted: ReadonlySet<Part>;
  effort: Effort;
}

export async function measureDatabase(
  setting: Setting,
): Promise<{ samples: Samples; notes: string[] }> {
  const { kind, databases, folder, generator, wanted, effort } = setting;
  const { onlyOurs, onlyBare } = await statementDifferences(databases.ours, folder);
  const notes = [
    ...onlyOurs.map((text) => `${kind}: only the server sends \`${text}\`.`),
    ...onlyBare.map((text) => `${kind}: only the bare program sends \`${text}\`.`),
  ];
  const samples = new Samples();
  const workloads = requestWorkloads.filter(
    ({ name, requests }) =>
      (wanted.has(name) || (name === 'W1' && wanted.has('latency'))) &&
      // W1+ compares with PostGraphile only.
      (!requests.postgraphile || requests.bare || databases.postgraphile),
  );
  if (workloads.length > 0) {
    await withSubjects(setting, ['ours', 'bare', 'postgraphile'], async (subjects) => {
      await assertSameAnswers(subjects, workloads, generator);
      progress(`${kind}: ${workloads.map(({ name }) => name).join(', ')}`);
      await measureRequests(workloads, { subjects, generator, databases }, effort, samples);
      if (!wanted.has('latency')) return;
      progress(`${kind}: W1 at half load`);
      await measureLatency(workloads[0]!, subjects, generator, effort, samples);
    });
  }
  // New processes, because memory depends on everything that a process did before.
  if (wanted.has('memory')) {
    const work = async (subjects: Subject[]) => {
      progress(`${kind}: idle memory`);
      await measureMemory(subjects, generator, effort, samples);
    };
    await withSubjects(setting, ['ours', 'bare'], work, collecting);
  }
  if (wanted.has('W5') || wanted.has('W6'))
    await withSubjects(setting, ['ours', 'bare'], async (subjects) => {
      progress(`${kind}: large files`);
      await measureFiles(wanted, subjects, generator, effort, samples);
    });
  if (wanted.has('W7') || wanted.has('W8'))
    await withSubjects(setting, ['ours'], async ([subject]) => {
      progress(`${kind}: pictures and an archive`);
      await measureMany(wanted, subject!, generator, samples);
    });
  return { samples, notes };
}

/** Without those that have no database. */
async function withSubjects(
  { databases, folder }: Setting,
  names: readonly SubjectName[],
  work: (subjects: Subject[]) => Promise<void>,
  nodeOptions: string[] = [],
): Promise<void> {
  const subjects: Subject[] = [];
  try {
    for (const name of names) {
      const url = databases[name];
      if (url !== undefined) subjects.push(await Subject.start(name, url, folder, nodeOptions));
    }
    await work(subjects);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
  }
}
