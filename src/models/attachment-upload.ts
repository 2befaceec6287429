import { Field, ID, Int, ObjectType } from 'type-graphql';
import { globalId } from '../contract/ids.js';
import type { Attachment } from './attachment.js';
import { DateTime } from './date-time.js';
import { Formattable } from './formattable.js';

@ObjectType({ description: 'A part of a form.', simpleResolvers: true })
export class FormField {
  @Field(() => String, { description: 'Name of the part.' })
  name!: string;

  @Field(() => String, { description: 'Its content, to be sent as it is.' })
  value!: string;
}

@ObjectType({
  description:
    'How the bytes get to the store: a multipart/form-data request with these fields as parts, in this order, and a last part `file`.',
  simpleResolvers: true,
})
export class UploadForm {
  @Field(() => String, { description: 'Address at the store.' })
  href!: string;

  @Field(() => String, { description: 'HTTP method, `post`.' })
  method!: string;

  @Field(() => [FormField], { description: 'Opaque; short-lived.' })
  formFields!: FormField[];
}

// No `Node`: that can be fetched again.
@ObjectType({
  description:
    'A prepared direct upload. It cannot be read again: `attachment` of the same `databaseId` can.',
  simpleResolvers: true,
})
export class AttachmentUpload {
  @Field(() => ID, { description: 'Global id for `completeAttachmentUpload`; opaque.' })
  id: string;

  @Field(() => Int, {
    description: 'The integer id of the HAL document, that of the pending attachment.',
  })
  databaseId: number;

  @Field(() => String, { description: 'Name of the file as announced.' })
  fileName: string;

  @Field(() => Formattable, { description: 'What the uploader says about the file.' })
  description: Formattable;

  @Field(() => DateTime, { description: 'When it was prepared.' })
  createdAt: string;

  @Field(() => UploadForm, { description: 'Where the bytes go.' })
  addAttachment: UploadForm;

  /** The pending attachment itself; it has author and container. */
  readonly attachment: Attachment;

  constructor(
    attachment: Attachment,
    { href, method, fields }: { href: string; method: string; fields: FormField[] },
  ) {
    this.attachment = attachment;
    this.id = globalId('AttachmentUpload', attachment.id);
    this.databaseId = attachment.id;
    this.fileName = attachment.fileName;
    this.description = attachment.description;
    this.createdAt = attachment.createdAt;
    this.addAttachment = { href, method, formFields: fields };
  }
}
