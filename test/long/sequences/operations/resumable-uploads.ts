/** Resumable uploads: requests of the protocol tus 1.0. */
import { metadataOf } from '../../../support/tus.js';
import { pick, type Attachment, type Model } from '../model.js';
import { hasUpload, mayPrepare, mayUpload, refusalOf, sees } from '../rules.js';
import type { Operation } from '../step.js';
import { contents, fileNames, newAttachment } from './attachments.js';
import { attachmentName, containerId, containerName, some } from './draw.js';

const offsetIn = (headers: Headers) => Number(headers.get('upload-offset') ?? 0);

/** Sometimes with the first bytes. */
export const begin: Operation = (model, person, { a, b, c, d }) => {
  const container = a % 3 === 0 ? undefined : some(model.containers, b);
  const fileName = pick(fileNames, c);
  const content = pick(contents, d);
  const first = a % 2 === 0 ? content.slice(0, 1 + (c % 7)) : '';
  return {
    says: `begins a resumable upload of ${content.length} bytes for ${container ? containerName(container) : 'nothing'}, and sends ${first.length}`,
    refusal: container
      ? refusalOf(sees(person, container), mayPrepare(person, container))
      : refusalOf(true, mayUpload(model, person)),
    rest: (caller) =>
      caller.tus(
        'POST',
        '/uploads',
        {
          'upload-length': String(content.length),
          'upload-metadata': metadataOf({
            filename: fileName,
            ...(container && { container: containerId(container) }),
          }),
        },
        first === '' ? undefined : first,
        (headers) => ({
          shown: offsetIn(headers),
          made: [Number(/^\/uploads\/(\d+)$/.exec(headers.get('location')!)![1])],
        }),
      ),
    change: ([id]) =>
      void model.attachments.push(
        arrived({
          ...newAttachment(id!, person, container, { fileName, content, description: '' }),
          status: 'prepared',
          received: first.length,
        }),
      ),
    shows: () => first.length,
  };
};

/** The last byte completes an upload. */
function arrived(attachment: Attachment): Attachment {
  const isComplete = attachment.received === attachment.content.length;
  return Object.assign(attachment, { arrived: isComplete, completed: isComplete });
}

/** Mostly those that are not complete. */
function resumable(model: Model, number: number): Attachment {
  const pending = model.attachments.filter(
    ({ received, completed, gone }) => received !== undefined && !completed && !gone,
  );
  const known = model.attachments.filter(({ received }) => received !== undefined);
  const choices = number % 5 > 0 && pending.length > 0 ? pending : known;
  return number % 11 === 0 || choices.length === 0
    ? some(model.attachments, number)
    : pick(choices, number);
}

/** The next bytes, or bytes for another place. */
export const send: Operation = (model, person, { a, b, c }) => {
  const attachment = resumable(model, a);
  const { id, content, received = 0 } = attachment;
  const isMisplaced = b % 5 === 0;
  const offset = isMisplaced ? received + 1 : received;
  const bytes = content.slice(offset, offset + 1 + (c % 30));
  return {
    says: `sends ${bytes.length} bytes of ${attachmentName(attachment)} from ${offset} on`,
    refusal: hasUpload(person, attachment)
      ? isMisplaced
        ? 'UpdateConflict'
        : undefined
      : 'NotFound',
    rest: (caller) =>
      caller.tus(
        'PATCH',
        `/uploads/${id}`,
        { 'upload-offset': String(offset) },
        bytes,
        (headers) => ({ shown: offsetIn(headers) }),
      ),
    change() {
      attachment.received = received + bytes.length;
      if (attachment.status === 'prepared') arrived(attachment);
    },
    shows: () => attachment.received,
  };
};

export const ask: Operation = (model, person, { a }) => {
  const attachment = resumable(model, a);
  return {
    says: `asks how far ${attachmentName(attachment)} is`,
    refusal: refusalOf(hasUpload(person, attachment), true),
    rest: (caller) =>
      caller.tus('HEAD', `/uploads/${attachment.id}`, {}, undefined, (headers) => ({
        shown: [offsetIn(headers), Number(headers.get('upload-length'))],
      })),
    shows: () => [attachment.received, attachment.content.length],
  };
};

/** Only what is not complete can be given up. */
export const end: Operation = (model, person, { a }) => {
  const attachment = resumable(model, a);
  const { id, received, content } = attachment;
  return {
    says: `gives up ${attachmentName(attachment)}`,
    refusal:
      refusalOf(hasUpload(person, attachment), true) ??
      (received === content.length ? 'InvalidRequestBody' : undefined),
    rest: (caller) => caller.tus('DELETE', `/uploads/${id}`, {}, undefined, () => ({})),
    change: () => void (attachment.gone = true),
  };
};
