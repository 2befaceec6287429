/** The end of a sequence: existing records are in their lists, with their bytes. Deleted ones are not found. */
import { inspect, isDeepStrictEqual } from 'node:util';
import { containerId, globalId, typeOf } from './operations/draw.js';
import { attachmentsOf, fileLinksOf, present, type Model } from './model.js';
import { Disagreement, type Real } from './step.js';

/** A document may have 30 aliases. Other limits count too. */
const MOST = 25;
/** Contents that are read. */
const READ = 5;
const list = 'totalCount nodes { databaseId }';
const listed = (things: readonly { id: number }[]) => ({
  totalCount: things.length,
  nodes: things.map(({ id }) => ({ databaseId: id })),
});

/** @throws Disagreement */
export async function audit(model: Model, real: Real): Promise<void> {
  const containers = present(model.containers).slice(-MOST);
  const ofWorkPackages = (kind: string, text: string) => (kind === 'WorkPackage' ? text : '');
  const asked = containers.map(
    (one, index) =>
      `c${index}: ${typeOf(one.kind)}(id: "${containerId(one)}") { attachments { ${list} } ${ofWorkPackages(one.kind, `fileLinks { ${list} }`)} }`,
  );
  const expected = containers.map((one, index) => [
    `c${index}`,
    {
      attachments: listed(attachmentsOf(model, one)),
      ...(one.kind === 'WorkPackage' && { fileLinks: listed(fileLinksOf(model, one)) }),
    },
  ]);
  const gone = [
    ...model.containers.map((one) => ({ ...one, type: one.kind as string })),
    ...model.attachments.map((one) => ({ ...one, type: 'Attachment' })),
    ...model.fileLinks.map((one) => ({ ...one, type: 'FileLink' })),
  ]
    .filter((one) => one.gone)
    .slice(-MOST);
  await compare(model, real, `{ ${asked.join('\n')} }`, Object.fromEntries(expected));
  await compare(
    model,
    real,
    `{ ${gone.map(({ type, id }, index) => `g${index}: node(id: "${globalId(type, id)}") { id }`).join('\n')} }`,
    Object.fromEntries(gone.map((_, index) => [`g${index}`, null])),
  );
  const files = containers.flatMap((one) => attachmentsOf(model, one)).slice(-READ);
  for (const { id, content } of files) {
    const { refusal, shown } = await real
      .caller(model.people[0]!)
      .rest('GET', `/api/v3/attachments/${id}/content`, (_, { text }) => ({ shown: text }));
    if (refusal !== undefined || shown !== content)
      throw new Disagreement(
        `in the end the attachment ${id} should contain ${printed(content)}, but came ${refusal ?? printed(shown)}`,
      );
  }
}

async function compare(
  { people }: Model,
  real: Real,
  query: string,
  expected: object,
): Promise<void> {
  const { refusal, shown } = await real
    .caller(people[0]!)
    .graphql(query, {}, (data) => ({ shown: data }));
  if (refusal !== undefined || !isDeepStrictEqual(shown, expected))
    throw new Disagreement(
      `in the end expected ${printed(expected)}\nbut came ${refusal ?? printed(shown)}`,
    );
}

const printed = (value: unknown): string => inspect(value, { depth: 6, breakLength: 160 });
