/** Ten reads of the interface, chosen by a seed: five over HAL, five by GraphQL. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSchema, parse, validate } from 'graphql';
import { Random } from '../../test/long/crash/random.js';
import type { Request } from '../connection.js';
import { seeded } from '../seed.js';
import { randomDocument } from './documents.js';
import { COUNT } from './rows.js';

const OF_EACH = 5;
const ATTEMPTS = 1_000;
/** W1 and W2, and reads that are no JSON or redirect. */
const UNSUITABLE =
  /^\/(attachments\/\{id\}|work_packages\/\{id\}\/attachments|spec\.json)$|\/(content|uploaded|open|download|files)\b/;

export interface Read {
  title: string;
  request: Request;
}

/** Whether both programs answer the read with data. */
type Accepted = (read: Read) => Promise<boolean>;

const here = fileURLToPath(new URL('../..', import.meta.url));

/** @param older folder of the older commit, whose schema the documents need, too */
export async function chooseReads(seed: number, older: string, accepted: Accepted) {
  const random = new Random(seed);
  const idOf = (type: string) => idsOf[type] && 1 + random.integer(idsOf[type]);
  const found: Read[] = [];
  async function add(make: () => Read | undefined): Promise<void> {
    const wanted = found.length + OF_EACH;
    for (let attempt = 0; found.length < wanted && attempt < ATTEMPTS; attempt += 1) {
      const read = make();
      if (read && !found.some(({ title }) => title === read.title) && (await accepted(read)))
        found.push(read);
    }
    if (found.length < wanted) throw new Error('The interface has too few reads for this seed.');
  }
  const paths = pathsOf();
  await add(() => halRead(paths[random.integer(paths.length)]!, idOf));
  const [schema, olderSchema] = [here, older].map((folder) =>
    buildSchema(readFileSync(join(folder, 'schema.graphql'), 'utf8')),
  );
  await add(() => {
    const query = randomDocument(schema!, random, idOf);
    return validate(olderSchema!, parse(query)).length > 0
      ? undefined
      : { title: query, request: { method: 'POST', path: '/graphql', json: { query } } };
  });
  return found;
}

/** How many rows there are. */
const idsOf: { [typeOrPath: string]: number } = {
  WorkPackage: seeded.workPackages.length,
  work_packages: seeded.workPackages.length,
  Attachment: seeded.attachments.length,
  Meeting: COUNT,
  meetings: COUNT,
  Post: COUNT,
  posts: COUNT,
  WikiPage: COUNT,
  wiki_pages: COUNT,
  Activity: COUNT,
  activities: COUNT,
  Project: 1,
  projects: 1,
  User: 10,
  users: 10,
  Storage: 1,
  storages: 1,
  ProjectStorage: 1,
  project_storages: 1,
  FileLink: COUNT,
  file_links: COUNT,
};

function pathsOf(): string[] {
  const file = join(here, 'openapi/generated/standard.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: { [path: string]: { get?: object } };
  };
  return Object.entries(paths)
    .filter(([path, { get }]) => get && !UNSUITABLE.test(path))
    .map(([path]) => path);
}

function halRead(template: string, idOf: (path: string) => number | undefined): Read | undefined {
  const id = idOf(template.split('/')[1]!);
  const filled = template.replace('{id}', String(id));
  if (filled.includes('{') || filled.includes('undefined')) return undefined;
  return { title: template, request: { method: 'GET', path: `/api/v3${filled}` } };
}
