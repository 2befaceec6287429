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

/** One change of an attachment or file link, as a system activity records it. */
export interface Change {
  action: keyof typeof sentences;
  fileName: string;
  /** Set if the service itself made the change. */
  reason?: string;
  /** The name before the change. */
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

  /** One sentence for each recorded change. */
  sentences(withFileLinks: boolean): Formattable[] {
    return this.changes
      .filter(({ action }) => withFileLinks || !concernsFileLink(action))
      .map(({ action, fileName, formerName, reason = '' }) =>
        plain(sentences[action](fileName, formerName ?? reason)),
      );
  }

  /** Names of the files that a recorded change brought, one for each. */
  addedFileNames(withFileLinks: boolean): string[] {
    return this.changes
      .filter(({ action }) => withFileLinks || !concernsFileLink(action))
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
