/** Settings that clients can read. */
import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';
import { ByteCount } from './byte-count.js';

@ObjectType({ description: 'Settings that clients need.', simpleResolvers: true })
export class Configuration {
  @Field(() => ByteCount, { description: 'Maximum size of an attachment, in bytes.' })
  maximumAttachmentFileSize!: number;

  @Field(() => Boolean, {
    description: 'Whether clients can upload files directly to the object store.',
  })
  directUploadAvailable!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether files are scanned for viruses. A file whose status is `UPLOADED` then waits for its ' +
      'scan.',
  })
  virusScanning!: boolean;

  @Field(() => Int, {
    description:
      'Days for which deleted and replaced files can be restored (`TRASH_DAYS`). 0: not at all.',
  })
  trashDays!: number;

  @Field(() => [String], {
    description:
      'Files that can be attached: media types, families of them (`image/*`) and extensions ' +
      '(`*.csv`). A file needs one of them. Empty: every file can be attached.',
  })
  attachmentAllowlist!: string[];
}
