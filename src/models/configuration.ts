import 'reflect-metadata';
import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Settings that clients need to know.', simpleResolvers: true })
export class Configuration {
  @Field(() => Float, { description: 'Largest file that is accepted, in bytes.' })
  maximumAttachmentFileSize!: number;

  @Field(() => Boolean, {
    description: 'Whether files can be uploaded straight to the object store.',
  })
  directUploadAvailable!: boolean;
}
