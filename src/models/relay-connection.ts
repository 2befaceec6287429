/** Relay connections: the pages of lists. */
import { ClassType, Field, ObjectType } from 'type-graphql';
import type { MaybePromise } from '../concurrency/maybe-promise.js';
import { plainContainers, type PlainContainer } from '../contract/container-kinds.js';
import { Activity } from './activity.js';
import { AuditEvent } from './audit-event.js';
import { Attachment } from './attachment.js';
import { Authorization } from './authorization.js';
import { containerModels } from './containers.js';
import { DeletedAttachment } from './deleted-attachment.js';
import { FileLink } from './file-link.js';
import { Membership } from './membership.js';
import { Notification } from './notification.js';
import { OAuthApplication } from './oauth-application.js';
import { Project } from './project.js';
import { ProjectStorage } from './project-storage.js';
import { Session } from './session.js';
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

/** What a list gives for a page. */
interface Page<T> {
  nodes: T[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf: (node: T) => string;
  total: () => MaybePromise<Total>;
}

interface Total {
  count: number;
  isAtLeast: boolean;
}

/** A page of rows; makes its edges, page information and total on request. */
export class ConnectionOf<T> {
  readonly nodes: T[];

  constructor(private readonly page: Page<T>) {
    this.nodes = page.nodes;
  }

  #edges: { node: T; cursor: string }[] | undefined;
  #total: MaybePromise<Total> | undefined;

  // Made once: a document can read it several times.
  get edges() {
    return (this.#edges ??= this.nodes.map((node) => ({
      node,
      cursor: this.page.cursorOf(node),
    })));
  }

  // Counted once: a document can read both the number and whether it is a limit.
  get total(): MaybePromise<Total> {
    return (this.#total ??= this.page.total());
  }

  get pageInfo(): PageInfo {
    const { hasNextPage, hasPreviousPage, cursorOf } = this.page;
    const first = this.nodes.at(0);
    const last = this.nodes.at(-1);
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: first === undefined ? null : cursorOf(first),
      endCursor: last === undefined ? null : cursorOf(last),
    };
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
export const DeletedAttachmentConnection = connectionTypes(
  'DeletedAttachment',
  () => DeletedAttachment,
);
export const ActivityConnection = connectionTypes('Activity', () => Activity);
export const StorageConnection = connectionTypes('Storage', () => Storage);
export const ProjectStorageConnection = connectionTypes('ProjectStorage', () => ProjectStorage);
export const FileLinkConnection = connectionTypes('FileLink', () => FileLink);
export const WebhookConnection = connectionTypes('Webhook', () => Webhook);
export const WebhookDeliveryConnection = connectionTypes('WebhookDelivery', () => WebhookDelivery);
export const ProjectConnection = connectionTypes('Project', () => Project);
export const WorkPackageConnection = connectionTypes('WorkPackage', () => WorkPackage);
export const UserConnection = connectionTypes('User', () => User);
export const AuditEventConnection = connectionTypes('AuditEvent', () => AuditEvent);
export const MembershipConnection = connectionTypes('Membership', () => Membership);
export const NotificationConnection = connectionTypes('Notification', () => Notification);
export const StorageAccountConnection = connectionTypes('StorageAccount', () => StorageAccount);
export const SessionConnection = connectionTypes('Session', () => Session);
export const AuthorizationConnection = connectionTypes('Authorization', () => Authorization);
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
