/** Addresses of files that need no credentials for some minutes. */
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { DateTime } from './date-time.js';

export enum ContentDisposition {
  ATTACHMENT = 'attachment',
  INLINE = 'inline',
}
registerEnumType(ContentDisposition, {
  name: 'ContentDisposition',
  description: 'What a browser does with a file.',
  valuesConfig: {
    ATTACHMENT: { description: 'It saves the file.' },
    INLINE: { description: 'It shows the file, if that is safe.' },
  },
});

@ObjectType({
  description: 'An address that needs no credentials for some minutes.',
  simpleResolvers: true,
})
export class TemporaryAddress {
  @Field(() => String, {
    description: 'URL at this service or at the object store. Give it to nobody.',
  })
  href!: string;

  @Field(() => DateTime, {
    description: 'Until when a download can begin: five minutes by default. It may take longer.',
  })
  expiresAt!: string;
}
