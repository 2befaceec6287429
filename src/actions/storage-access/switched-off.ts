/** Types of storages that the configuration switches off. */
import type { Context } from '../../context.js';
import { MissingEnterpriseToken } from '../../contract/errors.js';
import { StorageType } from '../../models/storage.js';

/** @throws MissingEnterpriseToken for cloud drives where they are switched off */
export function demandType(context: Context, type: StorageType): void {
  if (isSwitchedOff(context, type)) throw new MissingEnterpriseToken();
}

export const isSwitchedOff = ({ settings }: Context, type: StorageType): boolean => type === StorageType.CloudDrive && !settings.cloudDriveEnabled;
