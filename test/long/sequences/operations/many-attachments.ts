/** Operations on several attachments: all of them or none. */
import { graph, fields } from '../normalized-answers.js';
import { removeAttachment, type Attachment, type Model, type Person } from '../model.js';
import { mayAttach, mayDelete, refusalOf, sees, seesAttachment, type Refusal } from '../rules.js';
import type { Operation } from '../step.js';
import { attachmentView } from '../views.js';
import { newAttachment } from './attachments.js';
import { attachmentName, containerId, containerName, mostly, some } from './draw.js';

const manyOf = (name: 'moveAttachments' | 'copyAttachments') =>
  `mutation ($ids: [ID!]!, $to: ID!) { done: ${name}(input: { ids: $ids, to: $to }) { attachments { ${fields.attachment} } } }`;

/** One to three different ones, mostly finished ones of containers. */
export function several(model: Model, ...numbers: readonly number[]): Attachment[] {
  const [first = 0] = numbers;
  const choices = mostly(
    model.attachments,
    first,
    ({ gone, status, container }) => !gone && status === 'uploaded' && container !== undefined,
  );
  return [...new Set(numbers.map((number) => some(choices, number)))];
}
export const namesOf = (attachments: readonly Attachment[]): string =>
  attachments.map(attachmentName).join(' and ');
export const idsOf = (attachments: readonly Attachment[]): string[] =>
  attachments.map(({ id }) => String(id));

const refusalOfAll = (
  person: Person,
  attachments: readonly Attachment[],
  allowed: (attachment: Attachment) => boolean,
): Refusal | undefined =>
  refusalOf(
    attachments.every((one) => seesAttachment(person, one)),
    attachments.every(allowed),
  );

/** A prepared upload has no content yet. */
const refusalOfUnfinished = (attachments: readonly Attachment[]): Refusal | undefined =>
  attachments.some(({ status }) => status === 'prepared') ? 'NotFound' : undefined;

export const remove: Operation = (model, person, { a, b, c }) => {
  const chosen = several(model, ...[a, b, c].slice(0, 1 + (b % 3)));
  return {
    says: `deletes ${namesOf(chosen)} at once`,
    refusal: refusalOfAll(person, chosen, (one) => mayDelete(person, one)),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($ids: [ID!]!) { deleteAttachments(input: { ids: $ids }) { deletedAttachmentIds } }',
        { ids: idsOf(chosen) },
        (data) => ({ shown: data.deleteAttachments.deletedAttachmentIds.length }),
      ),
    change: () => chosen.forEach((one) => removeAttachment(one, person)),
    shows: () => chosen.length,
  };
};

/** Those that are there already stay. */
export const move: Operation = (model, person, { a, b, c, d }) => {
  const chosen = several(model, ...[a, b, c].slice(0, 1 + (b % 3)));
  const target = some(model.containers, d);
  return {
    says: `moves ${namesOf(chosen)} to ${containerName(target)}`,
    refusal:
      refusalOf(sees(person, target), mayAttach(person, target)) ??
      refusalOfAll(person, chosen, (one) => mayDelete(person, one)) ??
      refusalOfUnfinished(chosen),
    graphql: (caller) =>
      caller.graphql(
        manyOf('moveAttachments'),
        { ids: idsOf(chosen), to: containerId(target) },
        ({ done }) => ({ shown: done.attachments.map(graph.attachment) }),
      ),
    change() {
      for (const one of chosen) one.container = target;
    },
    shows: () => chosen.map((one) => attachmentView(person, one)),
  };
};

/** The copies belong to who copies. */
export const copy: Operation = (model, person, { a, b, c, d }) => {
  const chosen = several(model, ...[a, b, c].slice(0, 1 + (b % 3)));
  const target = some(model.containers, d);
  return {
    says: `copies ${namesOf(chosen)} to ${containerName(target)}`,
    refusal:
      refusalOf(sees(person, target), mayAttach(person, target)) ??
      refusalOfAll(person, chosen, () => true) ??
      refusalOfUnfinished(chosen),
    graphql: (caller) =>
      caller.graphql(
        manyOf('copyAttachments'),
        { ids: idsOf(chosen), to: containerId(target) },
        ({ done }) => {
          const shown = done.attachments.map(graph.attachment);
          return { shown, made: shown.map(({ id }: { id: number }) => id) };
        },
      ),
    change: (ids) =>
      void model.attachments.push(
        ...chosen.map((one, index) => newAttachment(ids[index]!, person, target, one)),
      ),
    shows: () => model.attachments.slice(-chosen.length).map((one) => attachmentView(person, one)),
  };
};
