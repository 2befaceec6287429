/** Replaced and deleted attachments: what becomes of their bytes. */
import { graph, fields } from '../normalized-answers.js';
import { pick, type Attachment, type Model, type Person } from '../model.js';
import { mayDelete, mayRestore, refusalOf, sees, seesAttachment, seesProject } from '../rules.js';
import type { Operation } from '../step.js';
import { attachmentView } from '../views.js';
import { contents, fileNames, newAttachment } from './attachments.js';
import { attachmentName, containerId, containerName, some } from './draw.js';
import { idsOf, namesOf, several } from './many-attachments.js';

const REPLACE = `mutation ($file: Upload!, $id: ID!, $fileName: String) { replaceAttachment(input: { id: $id, file: $file, fileName: $fileName }) { attachment { ${fields.attachment} container { deletedAttachments(first: 200) { nodes { databaseId replacedBy { databaseId } } } } } } }`;
const RESTORE = `mutation ($ids: [ID!]!) { restoreAttachments(input: { ids: $ids }) { attachments { ${fields.attachment} } } }`;
const TRASH =
  'query ($id: ID!) { container(id: $id) { deletedAttachments(first: 200) { totalCount nodes { databaseId fileName fileSize author { databaseId } deletedBy { databaseId } replacedBy { databaseId } } } } }';

/** The former content of a container's attachment goes to the trash under an id of its own. */
export const replace: Operation = (model, person, { a, b, c }) => {
  const attachment = some(model.attachments, a);
  const { id, container } = attachment;
  const fileName = pick(fileNames, b);
  const content = pick(contents, c);
  return {
    says: `replaces ${attachmentName(attachment)} by "${fileName}" (${content.length} bytes)`,
    refusal:
      refusalOf(seesAttachment(person, attachment), mayDelete(person, attachment)) ??
      (attachment.status === 'prepared' ? 'NotFound' : undefined),
    graphql: (caller) =>
      caller.graphqlUpload(REPLACE, { id: String(id), fileName }, content, (data) => {
        const { attachment: replaced } = data.replaceAttachment;
        const former = replaced.container?.deletedAttachments.nodes.filter(
          ({ replacedBy }: any) => replacedBy?.databaseId === id,
        );
        const ids = former?.map(({ databaseId }: any) => databaseId) ?? [];
        return { shown: graph.attachment(replaced), made: [Math.max(...ids)] };
      }),
    change([formerId]) {
      if (container)
        model.attachments.push({
          ...newAttachment(formerId!, attachment.author, container, attachment),
          gone: true,
          trash: { deletedBy: person, replacedBy: attachment },
        });
      Object.assign(attachment, { fileName, content, received: undefined });
    },
    shows: () => attachmentView(person, attachment),
  };
};

/** Mostly those that are in the trash. */
function inTrash(model: Model, a: number, b: number): Attachment[] {
  const there = model.attachments.filter(({ trash }) => trash);
  return a % 8 === 0 || there.length === 0
    ? several(model, a, b)
    : [...new Set(a % 2 === 0 ? [pick(there, a)] : [pick(there, a), pick(there, b)])];
}

export const restore: Operation = (model, person, { a, b }) => {
  const chosen = inTrash(model, a, b);
  return {
    says: `restores ${namesOf(chosen)}`,
    refusal: refusalOf(
      chosen.every((one) => mayRestore(person, one)),
      true,
    ),
    graphql: (caller) =>
      caller.graphql(RESTORE, { ids: idsOf(chosen) }, (data) => ({
        shown: data.restoreAttachments.attachments.map(graph.attachment),
      })),
    change() {
      for (const one of chosen) Object.assign(one, { gone: false, trash: undefined });
    },
    shows: () => chosen.map((one) => attachmentView(person, one)),
  };
};

const trashView = (person: Person, { id, fileName, content, author, trash }: Attachment) => ({
  databaseId: id,
  fileName,
  fileSize: Buffer.byteLength(content),
  author: { databaseId: author.id },
  deletedBy: { databaseId: trash!.deletedBy.id },
  replacedBy:
    trash!.replacedBy && seesAttachment(person, trash!.replacedBy)
      ? { databaseId: trash!.replacedBy.id }
      : null,
});

/** In the order of the ids. Several may be deleted in the same millisecond. */
export const list: Operation = (model, person, { a }) => {
  const container = some(model.containers, a);
  return {
    says: `looks into the trash of ${containerName(container)}`,
    refusal: refusalOf(sees(person, container), true),
    graphql: (caller) =>
      caller.graphql(TRASH, { id: containerId(container) }, (data) => {
        const { totalCount, nodes } = data.container.deletedAttachments;
        const byId = [...nodes].sort((one, other) => one.databaseId - other.databaseId);
        return { shown: { totalCount, nodes: byId } };
      }),
    shows: () => {
      const there = model.attachments
        .filter((one) => one.container === container && mayRestore(person, one))
        .sort((one, other) => one.id - other.id);
      return { totalCount: there.length, nodes: there.map((one) => trashView(person, one)) };
    },
  };
};

export const empty: Operation = (model, person, { a }) => {
  const project = pick(model.projects, a);
  const there = model.attachments.filter(
    ({ trash, container }) => trash && container?.project === project,
  );
  return {
    says: `empties the trash of the ${project.name}`,
    refusal: refusalOf(seesProject(person, project), person.admin),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($id: ID!) { emptyTrash(input: { projectId: $id }) { removed } }',
        { id: String(project.id) },
        (data) => ({ shown: data.emptyTrash.removed }),
      ),
    change: () => there.forEach((one) => (one.trash = undefined)),
    shows: () => there.length,
  };
};
