/** Comments and recorded changes of work packages. */
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { Container, ContainerRecord } from './container.js';
import { DateTime } from './date-time.js';
import { markdown, plain, Formattable } from './formattable.js';
import { Node } from './node.js';

export enum ActivityKind {
  COMMENT = 'comment',
  SYSTEM = 'system',
}
registerEnumType(ActivityKind, {
  name: 'ActivityKind',
  description: 'The kind of an activity.',
  valuesConfig: {
    COMMENT: { description: "A person's comment; it can have attachments." },
    SYSTEM: { description: 'A record of a change, written by the service.' },
  },
});

enum ChangeAction {
  ATTACHMENT_ADDED = 'attachmentAdded',
  ATTACHMENT_RENAMED = 'attachmentRenamed',
  ATTACHMENT_DESCRIBED = 'attachmentDescribed',
  ATTACHMENT_REPLACED = 'attachmentReplaced',
  ATTACHMENT_MOVED_AWAY = 'attachmentMovedAway',
  ATTACHMENT_MOVED_HERE = 'attachmentMovedHere',
  ATTACHMENT_RESTORED = 'attachmentRestored',
  ATTACHMENT_REMOVED = 'attachmentRemoved',
  ATTACHMENT_REJECTED = 'attachmentRejected',
  ATTACHMENT_QUARANTINED = 'attachmentQuarantined',
  ATTACHMENT_INFECTED = 'attachmentInfected',
  ATTACHMENT_RELEASED = 'attachmentReleased',
  FILE_LINK_ADDED = 'fileLinkAdded',
  FILE_LINK_REMOVED = 'fileLinkRemoved',
}
registerEnumType(ChangeAction, {
  name: 'ChangeAction',
  description: 'What was done to a file.',
  valuesConfig: {
    ATTACHMENT_ADDED: { description: 'A file was added.' },
    ATTACHMENT_RENAMED: { description: 'A file got another name.' },
    ATTACHMENT_DESCRIBED: { description: 'The description of a file changed.' },
    ATTACHMENT_REPLACED: { description: 'A file got a new content.' },
    ATTACHMENT_MOVED_AWAY: { description: 'A file was moved to another container.' },
    ATTACHMENT_MOVED_HERE: { description: 'A file was moved here from another container.' },
    ATTACHMENT_RESTORED: { description: 'A file was restored from the trash.' },
    ATTACHMENT_REMOVED: { description: 'A file was deleted.' },
    ATTACHMENT_REJECTED: { description: 'An upload failed.' },
    ATTACHMENT_QUARANTINED: { description: 'The virus scan found something in a file.' },
    ATTACHMENT_INFECTED: { description: 'A file was deleted because of the virus scan.' },
    ATTACHMENT_RELEASED: { description: 'An administrator released a file from quarantine.' },
    FILE_LINK_ADDED: { description: 'A file in a storage was linked.' },
    FILE_LINK_REMOVED: { description: 'A link to a file in a storage was removed.' },
  },
});

/** One change of an attachment or file link, as a system activity records it. */
@ObjectType('ActivityChange', {
  description: 'One change of a file, as the history records it.',
  simpleResolvers: true,
})
export class Change {
  @Field(() => ChangeAction, { description: 'What was done.' })
  action!: keyof typeof sentences;

  @Field(() => String, { description: 'The name of the file after the change.' })
  fileName!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      'The integer id of the attachment. Null for linked files, and in entries of earlier versions.',
  })
  attachmentDatabaseId!: number | null;

  /** Set if the service itself made the change. */
  @Field(() => String, {
    nullable: true,
    description:
      'Why the service did it: the finding of the virus scan, or the error of an upload.',
  })
  reason?: string;

  @Field(() => String, { nullable: true, description: 'The name before the change.' })
  formerName?: string;
}

const sentences = {
  attachmentAdded: (name: string) => `File ${name} added`,
  attachmentRenamed: (name: string, formerName: string) => `File ${formerName} renamed to ${name}`,
  attachmentDescribed: (name: string) => `Description of file ${name} changed`,
  attachmentReplaced: (name: string, formerName: string) =>
    name === formerName ? `File ${name} replaced` : `File ${formerName} replaced by ${name}`,
  attachmentMovedAway: (name: string) => `File ${name} moved away`,
  attachmentMovedHere: (name: string) => `File ${name} moved here`,
  attachmentRestored: (name: string) => `File ${name} restored`,
  attachmentRemoved: (name: string) => `File ${name} removed`,
  attachmentRejected: (name: string, reason: string) =>
    `The upload of file ${name} failed: ${reason}`,
  attachmentQuarantined: (name: string, reason: string) =>
    `File ${name} quarantined: the virus scan found ${reason}`,
  attachmentInfected: (name: string, reason: string) =>
    `File ${name} deleted: the virus scan found ${reason}`,
  fileLinkAdded: (name: string) => `Link to file ${name} added`,
  fileLinkRemoved: (name: string) => `Link to file ${name} removed`,
  attachmentReleased: (name: string) => `File ${name} released from quarantine`,
};

const concernsFileLink = (action: Change['action']): boolean =>
  action === 'fileLinkAdded' || action === 'fileLinkRemoved';

const broughtBy = new Set<Change['action']>([
  'attachmentAdded',
  'attachmentMovedHere',
  'fileLinkAdded',
]);

@ObjectType({
  implements: [Container, Node],
  description:
    "An entry in a work package's history: a comment, or a change that the service recorded.",
  simpleResolvers: true,
})
export class Activity extends ContainerRecord {
  static override tableName = 'activities';
  static override booleans = ['internal'];
  static override jsonAttributes = ['changes'];

  @Field(() => Int, { name: 'databaseId', description: 'The integer id of the HAL document.' })
  declare id: number;

  @Field(() => ActivityKind, { description: 'A comment or a record of a change.' })
  declare kind: ActivityKind;

  @Field(() => Formattable, {
    description: 'The comment as Markdown; empty for a record of a change.',
  })
  get comment(): Formattable {
    return markdown(this.commentText);
  }

  changesFor(withFileLinks: boolean): Change[] {
    return this.changes.filter(({ action }) => withFileLinks || !concernsFileLink(action));
  }

  /** One sentence for each recorded change. */
  sentences(withFileLinks: boolean): Formattable[] {
    return this.changesFor(withFileLinks).map(({ action, fileName, formerName, reason = '' }) =>
      plain(sentences[action](fileName, formerName ?? reason)),
    );
  }

  /** Names of the files that a recorded change brought, one for each. */
  addedFileNames(withFileLinks: boolean): string[] {
    return this.changesFor(withFileLinks)
      .filter(({ action }) => broughtBy.has(action))
      .map(({ fileName }) => fileName);
  }

  get mentionsFileLinks(): boolean {
    return this.changes.some(({ action }) => concernsFileLink(action));
  }

  @Field(() => Boolean, {
    description:
      'Whether it is an internal comment. Only users with the permission for internal comments can read it.',
  })
  declare internal: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  declare createdAt: string;

  @Field(() => DateTime, { description: 'When it or one of its attachments last changed.' })
  declare updatedAt: string;

  declare workPackageId: number;
  declare commentText: string;
  declare changes: Change[];
}
