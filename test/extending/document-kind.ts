/** A sixth kind of container, added to a copy of the checkout. This is all code that is written by hand. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const row = `  Document: {
    noun: 'document', plural: 'documents', tag: 'Documents', about: 'Containers: papers.',
    field: 'document', segment: 'documents', foreignKey: 'documentId', nameColumn: 'title', importList: 'documents', order: 'id',
    view: ['view_documents'], create: ['edit_documents'], add: ['edit_documents'], edit: ['edit_documents'],
  },
`;

const model = `import { Field, Int, ObjectType } from 'type-graphql';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { Node } from './node.js';

@ObjectType({ implements: [Container, Node], description: 'A document.', simpleResolvers: true })
export class Document extends ContainerRecord {
  static override tableName = 'documents';

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => String, { description: 'What the document is called.' })
  declare title: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it, or an attachment of it, was last changed.' })
  declare updatedAt: string;
}
`;

/** An attachment still belongs to one container at most. Every statement works on both databases. */
const migration = `export async function up(knex) {
  await knex.schema.createTable('documents', (table) => {
    table.increments('id');
    table.integer('project_id').notNullable().references('id').inTable('projects').onDelete('RESTRICT');
    table.integer('author_id').notNullable().references('id').inTable('users').onDelete('RESTRICT');
    table.string('ref', 255).unique();
    table.string('title', 255).notNullable();
    table.string('created_at', 24).notNullable();
    table.string('updated_at', 24).notNullable();
    table.index(['project_id', 'id']);
    table.index('author_id');
  });
  const others = ['work_package_id', 'activity_id', 'meeting_id', 'post_id', 'wiki_page_id'];
  await knex.raw('alter table attachments add column document_id integer references documents (id) on delete restrict'
    + \` constraint attachments_only_document check (document_id is null or (\${others.map((column) => \`\${column} is null\`).join(' and ')}))\`);
  await knex.raw('create index attachments_document_id_index on attachments (document_id, id) where document_id is not null');
  await knex.raw("create index attachments_document_project_index on attachments (project_id, id) where phase = 'kept' and document_id is not null");
}

export async function down() {
  throw new Error('Migrations only go forward: restore a back-up instead.');
}
`;

/** Inserts a text into a file of the copy, before another text that occurs once. */
function insert(checkout: string, file: string, before: string, text: string): string {
  const content = readFileSync(join(checkout, file), 'utf8');
  if (content.split(before).length !== 2)
    throw new Error(`${file} should have this once: ${before}`);
  writeFileSync(
    join(checkout, file),
    content.replace(before, () => text + before),
  );
  return file;
}

/** @returns the files that were created or changed */
export function addDocumentKind(checkout: string): { migration: string; files: string[] } {
  const last = readdirSync(join(checkout, 'migrations')).sort().at(-1);
  const number = Number(last?.slice(0, 3)) + 1;
  const name = `${String(number).padStart(3, '0')}-documents.js`;
  const files = [`migrations/${name}`, 'src/models/document.ts'];
  writeFileSync(join(checkout, files[0]!), migration, { flag: 'wx' });
  writeFileSync(join(checkout, files[1]!), model, { flag: 'wx' });
  files.push(insert(checkout, 'src/contract/container-kinds.ts', '} as const satisfies', row));
  const models = 'src/models/containers.ts';
  insert(checkout, models, 'import { Meeting }', "import { Document } from './document.js';\n");
  files.push(insert(checkout, models, ' } satisfies {', ', Document'));
  return { migration: name, files };
}
