/** Where the files of a container are downloaded as one archive. */
import { Field, ObjectType } from 'type-graphql';
import { DateTime } from './date-time.js';

@ObjectType({ description: 'A ZIP archive of attachments.', simpleResolvers: true })
export class AttachmentsArchive {
  @Field(() => String, {
    description:
      'URL of the archive at this service. It needs no credentials, so give it to nobody. ' +
      'Files that the caller may not download, and files that are gone, are listed in a text ' +
      'file inside. Names that occur twice get a number.',
  })
  href!: string;

  @Field(() => DateTime, {
    description: 'Until when a download can begin: five minutes. It may take longer.',
  })
  expiresAt!: string;
}
