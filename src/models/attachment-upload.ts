/** Prepared direct uploads as clients receive them. */
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { globalId } from '../contract/ids.js';
import type { Attachment } from './attachment.js';
import { DateTime } from './date-time.js';
import { Formattable } from './formattable.js';
import { UploadMethod } from './upload-method.js';

@ObjectType({ description: 'A part of an upload form.', simpleResolvers: true })
export class FormField {
  @Field(() => String, { description: 'Name of the part.' })
  name!: string;

  @Field(() => String, { description: 'Content of the part. Send it unchanged.' })
  value!: string;
}

@ObjectType({
  description:
    'How to send the content to the object store: a multipart/form-data request. Send these ' +
    'fields as parts, in this order, then the file as the last part, `file`.',
  simpleResolvers: true,
})
export class UploadForm {
  @Field(() => String, { description: 'URL of the object store.' })
  href!: string;

  @Field(() => UploadMethod, { description: 'Always `POST`.' })
  method!: `${UploadMethod}`;

  @Field(() => [FormField], { description: 'The fields. They are opaque and expire soon.' })
  formFields!: FormField[];

  @Field(() => DateTime, {
    description: 'Until when the object store accepts the form. Then prepare the upload again.',
  })
  expiresAt!: string;
}

// Does not implement `Node`, because a `Node` can be fetched again.
@ObjectType({
  description:
    'A prepared direct upload. It cannot be fetched again; `attachment` with the same ' +
    '`databaseId` can.',
  simpleResolvers: true,
})
export class AttachmentUpload {
  @Field(() => ID, { description: 'Global id for `completeAttachmentUpload`; opaque.' })
  id: string;

  @Field(() => Int, {
    description: 'The integer id of the pending attachment, as in the HAL document.',
  })
  databaseId: number;

  @Field(() => String, { description: 'Name of the file, as the client gave it.' })
  fileName: string;

  @Field(() => Formattable, { description: 'Description by the uploader.' })
  description: Formattable;

  @Field(() => DateTime, { description: 'When it was prepared.' })
  createdAt: string;

  @Field(() => UploadForm, { description: 'Where to send the content.' })
  addAttachment: UploadForm;

  /** The pending attachment, with its author and container. */
  readonly attachment: Attachment;

  constructor(
    attachment: Attachment,
    {
      href,
      method,
      fields,
      expiresAt,
    }: { href: string; method: 'post'; fields: FormField[]; expiresAt: string },
  ) {
    this.attachment = attachment;
    this.id = globalId('AttachmentUpload', attachment.id);
    this.databaseId = attachment.id;
    this.fileName = attachment.fileName;
    this.description = attachment.description;
    this.createdAt = attachment.createdAt;
    this.addAttachment = { href, method, formFields: fields, expiresAt };
  }
}
