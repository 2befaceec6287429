/** Says which types of storages the configuration switches off. */
import type { Context } from '../../../context.js';
import { MissingEnterpriseToken } from '../../../contract/errors.js';
import { storageTypes, type StorageType } from '../../../storages/types.js';

/** @throws MissingEnterpriseToken if the type is switched off */
export function demandTypeEnabled(context: Context, type: StorageType): void {
  if (isSwitchedOff(context, type)) throw new MissingEnterpriseToken();
}

export function isSwitchedOff({ settings }: Context, type: StorageType): boolean {
  const { enabledBy } = storageTypes[type];
  return enabledBy !== undefined && !settings[enabledBy.setting];
}
