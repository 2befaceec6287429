/** Settings that clients can read. */
import 'reflect-metadata';
import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Settings that clients need.', simpleResolvers: true })
export class Configuration {
  @Field(() => Float, { description: 'Maximum size of an attachment, in bytes.' })
  maximumAttachmentFileSize!: number;

  @Field(() => Boolean, {
    description: 'Whether clients can upload files directly to the object store.',
  })
  directUploadAvailable!: boolean;
}
