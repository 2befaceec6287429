/** Operations on attachments. */
import type { Outcome } from '../caller.js';
import {
  fileLinksOf,
  pick,
  removeAttachment,
  type Attachment,
  type Container,
  type Person,
} from '../model.js';
import {
  mayAttach,
  mayDelete,
  mayPrepare,
  mayUpload,
  refusalOf,
  sees,
  seesAttachment,
  seesLink,
} from '../rules.js';
import { fields, graph, hal, type Api } from '../normalized-answers.js';
import type { Operation } from '../step.js';
import { attachmentView, attachmentViews, pageOf } from '../views.js';
import { attachmentName, containerId, containerName, listPath, some, typeOf } from './draw.js';

export const fileNames = ['b.txt', 'a.txt', 'c.txt'];
export const contents = ['some text', '', 'more text than before', 'x'];
export const descriptions = ['', 'A <b>plan</b>'];

const CREATE = `mutation ($file: Upload!, $fileName: String, $description: String, $containerId: ID) { createAttachment(input: { file: $file, fileName: $fileName, description: $description, containerId: $containerId }) { attachment { ${fields.attachment} } } }`;
const PREPARE =
  'mutation ($input: PrepareAttachmentUploadInput!) { prepareAttachmentUpload(input: $input) { upload { databaseId } } }';
const UPDATE = `mutation ($input: UpdateAttachmentInput!) { updateAttachment(input: $input) { attachment { ${fields.attachment} } } }`;
const COMPLETE = `mutation ($id: ID!) { completeAttachmentUpload(input: { id: $id }) { attachment { ${fields.attachment} } } }`;

const made = (shown: { id: number }): Outcome => ({ shown, made: [shown.id] });
const nothing = (): Outcome => ({});

export const newAttachment = (
  id: number,
  author: Person,
  container: Container | undefined,
  { fileName, content, description }: Pick<Attachment, 'fileName' | 'content' | 'description'>,
): Attachment => ({
  id,
  fileName,
  content,
  description,
  author,
  container,
  status: 'uploaded',
  arrived: true,
  completed: false,
  gone: false,
});

export const upload: Operation = (model, person, { a, b, c, d }) => {
  const container = a % 3 === 0 ? undefined : some(model.containers, b);
  const file = {
    fileName: pick(fileNames, c),
    content: pick(contents, d),
    description: pick(descriptions, a),
  };
  const { content, ...metadata } = file;
  return {
    says: `attaches "${file.fileName}" (${content.length} bytes) to ${container ? containerName(container) : 'nothing'}`,
    refusal: container
      ? refusalOf(sees(person, container), mayAttach(person, container))
      : refusalOf(true, mayUpload(model, person)),
    rest: (caller) =>
      caller.upload(
        container ? listPath(container) : '/api/v3/attachments',
        metadata,
        content,
        (body) => made(hal.attachment(body)),
      ),
    graphql: (caller) =>
      caller.graphqlUpload(
        CREATE,
        { ...metadata, containerId: container && containerId(container) },
        content,
        ({ createAttachment }) => made(graph.attachment(createAttachment.attachment)),
      ),
    change: ([newId]) =>
      void model.attachments.push(newAttachment(newId!, person, container, file)),
    shows: () => attachmentView(person, model.attachments.at(-1)!),
  };
};

export const view: Operation = (model, person, { a }) => {
  const attachment = some(model.attachments, a);
  const { id } = attachment;
  return {
    says: `looks at ${attachmentName(attachment)}`,
    refusal: refusalOf(seesAttachment(person, attachment), true),
    rest: (caller) =>
      caller.rest('GET', `/api/v3/attachments/${id}`, (body) => ({ shown: hal.attachment(body) })),
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!) { attachment(id: $id) { ${fields.attachment} } }`,
        { id: String(id) },
        (data) => ({ shown: graph.attachment(data.attachment) }),
      ),
    shows: () => attachmentView(person, attachment),
  };
};

export const download: Operation = (model, person, { a }) => {
  const finished = model.attachments.filter(({ status }) => status === 'uploaded');
  const attachment = some(finished, a);
  return {
    says: `downloads ${attachmentName(attachment)}`,
    refusal: refusalOf(seesAttachment(person, attachment), true),
    rest: (caller) =>
      caller.rest('GET', `/api/v3/attachments/${attachment.id}/content`, (_, { text }) => ({
        shown: text,
      })),
    shows: () => attachment.content,
  };
};

export const remove: Operation = (model, person, { a }) => {
  const attachment = some(model.attachments, a);
  const { id } = attachment;
  return {
    says: `deletes ${attachmentName(attachment)}`,
    refusal: refusalOf(seesAttachment(person, attachment), mayDelete(person, attachment)),
    rest: (caller) =>
      caller.rest('DELETE', `/api/v3/attachments/${id}`, (_, { status, text }) => ({
        shown: `${status} ${text}`,
      })),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($id: ID!) { deleteAttachment(input: { id: $id }) { deletedAttachmentId } }',
        { id: String(id) },
        () => ({ shown: '204 ' }),
      ),
    change: () => removeAttachment(attachment, person),
    shows: () => '204 ',
  };
};

/** Who may delete an attachment may describe it. */
export const describe: Operation = (model, person, { a, b }) => {
  const attachment = some(model.attachments, a);
  // The last one is too long.
  const description = pick([...descriptions, 'Another plan', 'x'.repeat(256)], b);
  return {
    says: `describes ${attachmentName(attachment)} with ${description.length} characters`,
    refusal: refusalOf(
      seesAttachment(person, attachment),
      mayDelete(person, attachment),
      description.length < 256,
    ),
    graphql: (caller) =>
      caller.graphql(UPDATE, { input: { id: String(attachment.id), description } }, (data) => ({
        shown: graph.attachment(data.updateAttachment.attachment),
      })),
    change: () => void (attachment.description = description),
    shows: () => attachmentView(person, attachment),
  };
};

/** Who may delete an attachment may rename it. */
export const rename: Operation = (model, person, { a, b }) => {
  const attachment = some(model.attachments, a);
  const fileName = pick([...fileNames, 'd.txt', 'a/b'], b);
  return {
    says: `renames ${attachmentName(attachment)} to "${fileName}"`,
    refusal: refusalOf(
      seesAttachment(person, attachment),
      mayDelete(person, attachment),
      fileName !== 'a/b',
    ),
    graphql: (caller) =>
      caller.graphql(UPDATE, { input: { id: String(attachment.id), fileName } }, (data) => ({
        shown: graph.attachment(data.updateAttachment.attachment),
      })),
    change: () => void (attachment.fileName = fileName),
    shows: () => attachmentView(person, attachment),
  };
};

export const list: Operation = (model, person, { a, b }) => {
  const container = some(model.containers, a);
  const first = 1 + (b % 3);
  const type = typeOf(container.kind);
  return {
    says: `lists the attachments of ${containerName(container)}`,
    refusal: refusalOf(sees(person, container), true),
    rest: (caller) =>
      caller.rest('GET', listPath(container), (body) => ({
        shown: hal.list(body, hal.attachment),
      })),
    // Only the GraphQL request has pages here.
    graphql: (caller) =>
      caller.graphql(
        `query ($id: ID!, $first: Int) { ${type}(id: $id) { attachments(first: $first) { totalCount nodes { ${fields.attachment} } } } }`,
        { id: containerId(container), first },
        (data) => ({ shown: graph.list(data[type].attachments, graph.attachment) }),
      ),
    shows: (api: Api) =>
      pageOf(attachmentViews(model, person, container), 1, api === 'REST' ? 1_000 : first),
  };
};

/** How a ZIP archive begins each line of its directory. */
const DIRECTORY_ENTRY = 'PK\u0001\u0002';

/** Compares the number of files. A list names those that are missing. */
export const archive: Operation = (model, person, { a }) => {
  const container = some(model.containers, a);
  const files = model.attachments.filter(
    (one) => one.container === container && one.status === 'uploaded' && !one.gone,
  );
  const links = fileLinksOf(model, container).filter((link) => seesLink(model, person, link));
  const linked = links.filter(
    ({ storage, file }) => storage.answers && person.connected && file.status === 'ViewAllowed',
  );
  const lists = linked.length < links.length ? 1 : 0;
  return {
    says: `downloads the archive of ${containerName(container)}`,
    refusal: refusalOf(sees(person, container), true),
    rest: (caller) =>
      caller.rest('GET', `${listPath(container)}/archive`, (_, { text }) => ({
        shown: text.split(DIRECTORY_ENTRY).length - 1,
      })),
    shows: () => files.length + linked.length + lists,
  };
};

/** Without an object store direct upload is off. A user without permission gets the usual error. */
export const prepare: Operation = (model, person, { a, b }) => {
  const container = a % 3 === 0 ? undefined : some(model.containers, b);
  const input = { fileName: 'direct.txt', fileSize: 3 };
  return {
    says: `prepares an upload for ${container ? containerName(container) : 'nothing'}`,
    refusal: container
      ? refusalOf(sees(person, container), mayPrepare(person, container), false)
      : refusalOf(true, mayUpload(model, person), false),
    rest: (caller) =>
      caller.upload(
        `${container ? listPath(container) : '/api/v3/attachments'}/prepare`,
        input,
        undefined,
        nothing,
      ),
    graphql: (caller) =>
      caller.graphql(
        PREPARE,
        { input: { ...input, ...(container && { containerId: containerId(container) }) } },
        nothing,
      ),
  };
};

/** A direct upload from a time when the files were in an object store. */
export const prepared: Operation = (model, person, { a, b, c, d }) => {
  const author = person.key === undefined ? model.people[0]! : person;
  const container = a % 2 === 0 ? undefined : some(model.containers, b);
  const gone = container?.gone ?? false;
  const upload = {
    person: author,
    container: gone ? undefined : container,
    fileName: pick(fileNames, c),
    content: pick(contents, d),
    arrived: d % 5 > 0,
  };
  return {
    says: `had prepared an upload for ${upload.container ? containerName(upload.container) : 'nothing'}, whose bytes ${upload.arrived ? 'are' : 'are not'} in the store`,
    aside: async (real) => ({ made: [await real.prepared(upload)] }),
    change: ([id]) =>
      void model.attachments.push({
        ...newAttachment(id!, author, upload.container, { ...upload, description: '' }),
        status: 'prepared',
        arrived: upload.arrived,
      }),
  };
};

export const complete: Operation = (model, person, { a }) => {
  const prepareds = model.attachments.filter(({ status, gone }) => status === 'prepared' && !gone);
  const attachment =
    a % 4 > 0 && prepareds.length > 0 ? pick(prepareds, a) : some(model.attachments, a);
  const { id, status, author, arrived } = attachment;
  // Only its author can complete it, while it is prepared and if its bytes have arrived.
  const there =
    seesAttachment(person, attachment) && status === 'prepared' && author === person && arrived;
  // The error for missing bytes has its own text.
  const waits =
    seesAttachment(person, attachment) && status === 'prepared' && author === person && !arrived;
  const path = `/api/v3/attachments/${id}/uploaded`;
  const bare = (outcome: Outcome): Outcome =>
    waits && outcome.refusal?.includes('NotFound') ? { refusal: 'NotFound' } : outcome;
  return {
    says: `completes ${attachmentName(attachment)}`,
    refusal: refusalOf(there, true),
    rest: async (caller) =>
      bare(await caller.rest('GET', path, (body) => ({ shown: hal.attachment(body) }))),
    graphql: async (caller) =>
      bare(
        await caller.graphql(COMPLETE, { id: String(id) }, (data) => ({
          shown: graph.attachment(data.completeAttachmentUpload.attachment),
        })),
      ),
    change: () => void (attachment.completed = true),
    shows: () => attachmentView(person, attachment),
  };
};

/** The background work acts as the author, who may have lost the permission. */
export const finalise: Operation = (model) => ({
  says: 'waits for the background work',
  aside: async (real) => {
    await real.finalise();
    return {};
  },
  change() {
    for (const one of model.attachments.filter(
      ({ gone, status, completed }) => !gone && status === 'prepared' && completed,
    )) {
      const { author, container } = one;
      const allowed = container
        ? sees(author, container) && mayPrepare(author, container)
        : mayUpload(model, author);
      if (allowed) one.status = 'uploaded';
      else one.gone = true;
    }
  },
});
