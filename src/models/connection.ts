/** Relay connections. */
import { ClassType, Field, ObjectType } from 'type-graphql';
import { Activity } from './activity.js';
import { Attachment } from './attachment.js';
import { FileLink } from './file-link.js';
import { ProjectStorage } from './project-storage.js';
import { Storage } from './storage.js';
import { Webhook, WebhookDelivery } from './webhook.js';

@ObjectType({ description: 'Where a page of a list ends.', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more rows follow.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description:
      'Whether rows come before; true after a cursor, and on each page by number but the first.',
  })
  hasPreviousPage!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the first row; null for an empty page.',
  })
  startCursor!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row, for `after`; null for an empty page.',
  })
  endCursor!: string | null;
}

/** A page as it is resolved; edges and page information are made when they are asked for. */
export class ConnectionOf<T> {
  constructor(
    readonly nodes: T[],
    private readonly hasNextPage: boolean,
    private readonly hasPreviousPage: boolean,
    private readonly cursorOf: (node: T) => string,
    readonly total: () => number | Promise<number>,
  ) {}

  #edges: { node: T; cursor: string }[] | undefined;

  /** Compiled documents read it several times. */
  get edges() {
    return (this.#edges ??= this.nodes.map((node) => ({ node, cursor: this.cursorOf(node) })));
  }

  get pageInfo(): PageInfo {
    const { nodes, hasNextPage, hasPreviousPage, cursorOf } = this;
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: nodes.length > 0 ? cursorOf(nodes[0]!) : null,
      endCursor: nodes.length > 0 ? cursorOf(nodes.at(-1)!) : null,
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

    @Field(() => String, { description: 'Its position, for `after`.' })
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

    @Field(() => PageInfo, { description: 'Where this page ends.' })
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
