/** The fields that say where a storage is. */
import { say } from '../../words';
import { checkDrive, checkOrigin, checkTenant } from './address-form';
import { CheckedField } from './checked-field';
import type { RepairedBy } from './health';

interface Address {
  origin?: string | null;
  tenantId?: string | null;
  driveId?: string | null;
}
const nothing = (): string[] => [];

export function AddressFields({
  type,
  now = {},
  troubles = nothing,
}: {
  type: 'SELF_HOSTED_FILE_SERVER' | 'CLOUD_DRIVE';
  now?: Address;
  troubles?: (field: RepairedBy) => string[];
}) {
  if (type === 'CLOUD_DRIVE')
    return (
      <>
        <CheckedField
          name="tenantId"
          check={checkTenant}
          label={say('storages.tenant')}
          hint={say('storages.tenantHint')}
          defaultValue={now.tenantId ?? ''}
          troubles={troubles('tenantId')}
        />
        <CheckedField
          name="driveId"
          check={checkDrive}
          label={say('storages.drive')}
          hint={say('storages.driveHint')}
          defaultValue={now.driveId ?? ''}
          troubles={[...troubles('driveId'), ...troubles('origin')]}
        />
      </>
    );
  return (
    <CheckedField
      name="origin"
      check={checkOrigin}
      attribute="host"
      type="url"
      label={say('storages.address')}
      hint={say('storages.addressHint')}
      placeholder="https://files.example.org"
      defaultValue={now.origin ?? ''}
      troubles={troubles('origin')}
    />
  );
}
