/** What all kinds of container have in common. */
import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context.js';
import { containerKinds, containerTypes } from '../contract/container-kinds.js';
import { listed } from '../contract/words.js';
import { attachmentOrder } from '../loaders/lists.js';
import { AttachmentConnection } from '../models/connection.js';
import { Container, type ContainerRecord, type ContainerType } from '../models/container.js';
import { Project } from '../models/project.js';
import { User } from '../models/user.js';
import { can } from '../policies/can.js';
import { connection, PagingArgs } from './paging.js';

const byName = listed(
  containerTypes
    .filter((type) => containerKinds[type].order === 'fileName')
    .map((type) => containerKinds[type].plural),
  'and',
);

const typeOf = (container: ContainerRecord) => container.constructor.name as ContainerType;

@Resolver(() => Container)
export class ContainerResolver {
  @FieldResolver(() => AttachmentConnection, {
    description: `Its finished attachments: by file name for ${byName}, by creation for the others.`,
  })
  attachments(
    @Root() container: ContainerRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: Context,
  ) {
    const type = typeOf(container);
    const order = attachmentOrder(type);
    const load = async (page: object) => {
      const found = await context.loaders
        .attachments(type)
        .load({ parentId: container.id, ...page });
      for (const attachment of found.nodes) attachment.knownContainer = container;
      return found;
    };
    return connection(context, args, load, (attachment) => order.map((name) => attachment[name]));
  }

  @FieldResolver(() => Project, { description: 'The project it belongs to.' })
  project(
    @Root() { projectId }: ContainerRecord,
    @Ctx() { loaders }: Context,
  ): Project | Promise<Project> {
    return loaders.projects.load(projectId);
  }

  @FieldResolver(() => User, { description: 'Who made it.' })
  author(@Root() { authorId }: ContainerRecord, @Ctx() { loaders }: Context): User | Promise<User> {
    return loaders.users.load(authorId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may attach files to it.' })
  viewerCanAddAttachment(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.attach(context, typeOf(container), container);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the caller may prepare direct uploads for it, and the store takes them.',
  })
  viewerCanPrepareAttachment(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return context.blobs.directUpload
      ? can.prepareUpload(context, typeOf(container), container)
      : false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may change it.' })
  viewerCanUpdate(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.edit(context, typeOf(container), container);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the caller may delete it.' })
  viewerCanDelete(
    @Root() container: ContainerRecord,
    @Ctx() context: Context,
  ): boolean | Promise<boolean> {
    return can.edit(context, typeOf(container), container);
  }
}
