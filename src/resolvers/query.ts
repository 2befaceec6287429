/** The queries that belong to no single type. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../context.js';
import { parseGlobalId } from '../contract/ids.js';
import { Configuration } from '../models/configuration.js';
import { Container, containerTypes, type ContainerRecord } from '../models/container.js';
import { Node } from '../models/node.js';
import type { Record } from '../models/record.js';
import { find } from '../policies/find.js';
import { containerNamed } from './container-argument.js';
import { found } from './found.js';

@Resolver()
export class RootResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Returns any object by its global id. Null if it is missing or not visible.',
  })
  async node(
    @Arg('id', () => ID, { description: 'Global id of the object.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Record | null> {
    const parsed = parseGlobalId(id);
    return (parsed && (await nodeOf(context, parsed.type, parsed.id))) ?? null;
  }

  @Query(() => Container, {
    nullable: true,
    description:
      'Returns one container by its global id. ' +
      'Null with the error NOT_FOUND if it is missing or not visible.',
  })
  container(
    @Arg('id', () => ID, { description: 'Global id of the container.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ContainerRecord> {
    const { type, id: databaseId } = containerNamed(id);
    return found(find.container(context, type, databaseId));
  }

  @Query(() => Configuration, {
    description: 'Returns the settings that clients need, such as the size limit for files.',
  })
  configuration(@Ctx() { settings, blobs }: Context): Configuration {
    return {
      maximumAttachmentFileSize: settings.attachmentMaxSize,
      directUploadAvailable: blobs.directUpload !== undefined,
    };
  }
}

async function nodeOf(context: Context, type: string, id: number): Promise<Record | undefined> {
  switch (type) {
    case 'Attachment':
      return find.attachment(context, id);
    case 'Project':
      return find.project(context, id);
    case 'User':
      return find.user(context, id);
    case 'Storage':
      return find.storage(context, id);
    case 'FileLink':
      return find.fileLink(context, id);
    case 'ProjectStorage':
      return find.projectStorage(context, id);
    case 'OAuthApplication':
      return find.oauthApplication(context, id);
    case 'OAuthClientCredentials':
      return find.oauthClientCredentials(context, id);
    case 'Webhook':
      return find.webhook(context, id);
    case 'WebhookDelivery':
      return find.webhookDelivery(context, id);
    case 'ApiKey':
      return find.apiKey(context, id);
    default: {
      const container = containerTypes.find((one) => one === type);
      return container && find.container(context, container, id);
    }
  }
}
