/** The queries that belong to no single type. */
import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../context.js';
import { Configuration } from '../models/configuration.js';
import { Container, type ContainerRecord } from '../models/container.js';
import { can } from '../policies/can.js';
import { find } from '../policies/find.js';
import { containerNamed } from '../contract/container-argument.js';
import { found } from './found.js';
import { CONTAINER_ID } from './schema-phrases.js';

@Resolver()
export class RootResolver {
  @Query(() => Container, {
    nullable: true,
    description:
      'Returns one container by its global id. ' +
      'Null with the error NOT_FOUND if it is missing or not visible.',
  })
  container(
    @Arg('id', () => ID, { description: CONTAINER_ID }) id: string,
    @Ctx() context: Context,
  ): Promise<ContainerRecord> {
    const { type, id: databaseId } = containerNamed(id);
    return found(find.container(context, type, databaseId));
  }

  @Query(() => Boolean, {
    description: 'Whether the caller may view work packages in some project.',
  })
  viewerCanViewWorkPackages(@Ctx() context: Context): boolean | Promise<boolean> {
    return can.viewWorkPackagesAnywhere(context);
  }

  @Query(() => Configuration, {
    description: 'Returns the settings that clients need, such as the size limit for files.',
  })
  configuration(@Ctx() { settings, formSupport, origin, scanner }: Context): Configuration {
    return {
      maximumAttachmentFileSize: settings.attachmentMaxSize,
      directUploadAvailable: formSupport.isAvailable(origin),
      virusScanning: scanner !== undefined,
      trashDays: settings.trashDays,
      attachmentAllowlist: [...settings.attachmentAllowlist],
    };
  }
}
