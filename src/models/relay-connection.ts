/** Relay connections: the pages of lists. */
import { ClassType, Field, ObjectType } from 'type-graphql';
import { plainContainers, type PlainContainer } from '../contract/container-kinds.js';
import { Activity } from './activity.js';
import { Attachment } from './attachment.js';
import { containerModels } from './containers.js';
import { FileLink } from './file-link.js';
import { Membership } from './membership.js';
import { Notification } from './notification.js';
import { OAuthApplication } from './oauth-application.js';
import { Project } from './project.js';
import { ProjectStorage } from './project-storage.js';
import { Storage } from './storage.js';
import { StorageAccount } from './storage-account.js';
import { User } from './user.js';
import { Webhook, WebhookDelivery } from './webhook.js';
import { WorkPackage } from './work-package.js';

@ObjectType({ description: 'Position of a page in its list.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, {
    description: 'Whether more rows follow this page. True before a cursor.',
  })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether more rows precede this page. True after a cursor, and on every numbered page ' +
      'except the first.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first row, for `before`; null for an empty page.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row, for `after`; null for an empty page.',
  })
  endCursor!: string | null;
}

/** A page of rows; makes its edges and page information on request. */
export class ConnectionOf<T> {
  constructor(
    readonly nodes: T[],
    private readonly hasNextPage: boolean,
    private readonly hasPreviousPage: boolean,
    private readonly cursorOf: (node: T) => string,
    readonly total: () => number | Promise<number>,
  ) {}

  #edges: { node: T; cursor: string }[] | undefined;

  // Made once: a document can read it several times.
  get edges() {
    return (this.#edges ??= this.nodes.map((node) => ({ node, cursor: this.cursorOf(node) })));
  }

  get pageInfo(): PageInfo {
    const { nodes, hasNextPage, hasPreviousPage, cursorOf } = this;
    const first = nodes.at(0);
    const last = nodes.at(-1);
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: first === undefined ? null : cursorOf(first),
      endCursor: last === undefined ? null : cursorOf(last),
    };
  }
}

/** A page of a list whose rows are counted up to a limit. */
export class BoundedConnectionOf<T> extends ConnectionOf<T> {
  #counted: Promise<{ count: number; isAtLeast: boolean }> | undefined;

  constructor(page: {
    nodes: T[];
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    cursorOf: (row: T) => string;
    total: () => Promise<{ count: number; isAtLeast: boolean }>;
  }) {
    super(
      page.nodes,
      page.hasNextPage,
      page.hasPreviousPage,
      page.cursorOf,
      async () => (await this.counted()).count,
    );
    this.count = page.total;
  }

  private readonly count: () => Promise<{ count: number; isAtLeast: boolean }>;

  /** Counts once: a document can read both the number and whether it is a limit. */
  counted(): Promise<{ count: number; isAtLeast: boolean }> {
    return (this.#counted ??= this.count());
  }
}

function connectionTypes<T extends object>(name: string, nodeType: () => ClassType<T>) {
  @ObjectType(`${name}Edge`, {
    description: `A row of a list of ${name} objects.`,
    simpleResolvers: true,
  })
  class Edge {
    @Field(nodeType, { description: 'The row.' })
    node!: T;

    @Field(() => String, { description: 'Cursor of the row, for `after` and `before`.' })
    cursor!: string;
  }

  @ObjectType(`${name}Connection`, {
    description: `A page of a list of ${name} objects.`,
    simpleResolvers: true,
  })
  class Connection {
    @Field(() => [Edge], { description: 'The rows with their cursors.' })
    edges!: Edge[];

    @Field(() => [nodeType()], { description: 'The rows.' })
    nodes!: T[];

    @Field(() => PageInfo, { description: 'Position of this page in the list.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}

export const AttachmentConnection = connectionTypes('Attachment', () => Attachment);
export const ActivityConnection = connectionTypes('Activity', () => Activity);
export const StorageConnection = connectionTypes('Storage', () => Storage);
export const ProjectStorageConnection = connectionTypes('ProjectStorage', () => ProjectStorage);
export const FileLinkConnection = connectionTypes('FileLink', () => FileLink);
export const WebhookConnection = connectionTypes('Webhook', () => Webhook);
export const WebhookDeliveryConnection = connectionTypes('WebhookDelivery', () => WebhookDelivery);
export const ProjectConnection = connectionTypes('Project', () => Project);
export const WorkPackageConnection = connectionTypes('WorkPackage', () => WorkPackage);
export const UserConnection = connectionTypes('User', () => User);
export const MembershipConnection = connectionTypes('Membership', () => Membership);
export const NotificationConnection = connectionTypes('Notification', () => Notification);
export const StorageAccountConnection = connectionTypes('StorageAccount', () => StorageAccount);
export const OAuthApplicationConnection = connectionTypes(
  'OAuthApplication',
  () => OAuthApplication,
);

/** By kind. Objection's type of a model class has no constructor type that TypeGraphQL accepts. */
export const containerConnections = Object.fromEntries(
  plainContainers.map((type) => [
    type,
    connectionTypes(type, () => containerModels[type] as unknown as ClassType<object>),
  ]),
) as { readonly [type in PlainContainer]: ReturnType<typeof connectionTypes> };
