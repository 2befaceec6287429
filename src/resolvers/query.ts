/** Fields of the root that belong to no noun. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../context.js';
import { parseGlobalId } from '../contract/ids.js';
import { Configuration } from '../models/configuration.js';
import {
  Container,
  containerTypes,
  type ContainerRecord,
  type ContainerType,
} from '../models/container.js';
import { Node } from '../models/node.js';
import type { Record } from '../models/record.js';
import { find } from '../policies/find.js';
import { NotFound } from '../contract/errors.js';
import { containerNamed } from './attachment.js';

@Resolver()
export class RootResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Any object by its global id; null where it is missing or not visible.',
  })
  async node(
    @Arg('id', () => ID, { description: 'A global id.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Record | null> {
    const parsed = parseGlobalId(id);
    return (parsed && (await nodeOf(context, parsed.type, parsed.id))) ?? null;
  }

  @Query(() => Container, {
    description: 'One container by its global id. NOT_FOUND where it is missing or not visible.',
  })
  async container(
    @Arg('id', () => ID, { description: 'Its global id.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ContainerRecord> {
    const named = containerNamed(id);
    const container = await find.container(context, named.type, named.id);
    if (!container) throw new NotFound();
    return container;
  }

  @Query(() => Configuration, { description: 'Settings that clients need to know.' })
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
    default:
      return (containerTypes as readonly string[]).includes(type)
        ? find.container(context, type as ContainerType, id)
        : undefined;
  }
}
