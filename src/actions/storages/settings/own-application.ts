/** Says which storages have an OAuth application of their own at this service. */
import type { Context } from '../../../context.js';
import type { OAuthApplication } from '../../../models/oauth-application.js';
import { find } from '../../../policies/find.js';
import { storageTypes, type StorageType } from '../../../storages/types.js';

/** In some profiles only storages that receive authorization codes have one. */
export const hasOwnApplication = ({ settings }: Context, type: StorageType): boolean =>
  !settings.profile.onlyUsedApplications || storageTypes[type].redirectPath !== undefined;

/**
 * Finds applications for administrators. A storage may have got one in another profile that has none
 * in this profile: it does not exist then.
 */
export const findOwnApplication = Object.assign(
  async (context: Context, id: number | undefined) =>
    (await shown(context, [await find.oauthApplication(context, id)]))[0],
  {
    many: async (context: Context, ids: readonly number[]) =>
      shown(context, await find.oauthApplication.many(context, ids)),
  },
);

async function shown(
  context: Context,
  applications: readonly (OAuthApplication | undefined)[],
): Promise<OAuthApplication[]> {
  const all = await Promise.all(
    applications.map(async (application) => {
      if (!application || application.storageId === null) return application;
      const storage = await context.loaders.storages.load(application.storageId);
      return storage && hasOwnApplication(context, storage.type) ? application : undefined;
    }),
  );
  return all.filter((application) => application !== undefined);
}
