/** Says which storages have an OAuth application of their own at this service. */
import type { Context } from '../../context.js';
import { storageTypes, type StorageType } from '../../storages/types.js';

/** In some profiles only storages that receive authorization codes have one. */
export const hasOwnApplication = ({ settings }: Context, type: StorageType): boolean =>
  !settings.profile.onlyUsedApplications || storageTypes[type].redirectPath !== undefined;
