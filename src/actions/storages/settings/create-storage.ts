/** Creates a storage, with the OAuth application that the storage uses to call this service. */
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { refusalOf, violated } from '../../../contract/errors.js';
import { API_SCOPE, OAuthApplication } from '../../../models/oauth-application.js';
import { timestamps } from '../../../models/record.js';
import { AuthenticationMethod, Storage } from '../../../models/storage.js';
import { ownMemberNames, storageTypes, type OwnMemberName } from '../../../storages/types.js';
import { demandAdmin } from '../../../policies/can.js';
import { generateToken, hashToken } from '../../../secrets/keys-and-tokens.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { withUniqueness, uniquenessViolations } from './storage-uniqueness.js';
import { hasOwnApplication } from './own-application.js';
import { probeStorage } from './probe-storage.js';
import { ignoredMembers, validateStorage, type StorageInput } from './validate-storage.js';
import { APPLICATION_PASSWORD } from '../access/reach-storage.js';
import { demandTypeEnabled } from '../access/switched-off.js';

const NO_MEMBERS = Object.fromEntries(ownMemberNames.map((name) => [name, null])) as {
  [name in OwnMemberName]: null;
};

/**
 * @returns the storage. If it has an application, also that with its secret; only the hash of the
 * secret is stored
 * @throws MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation
 */
export async function createStorage(
  context: Context,
  input: StorageInput,
): Promise<{ storage: Storage; oauthApplication?: OAuthApplication; clientSecret?: string }> {
  demandAdmin(context);
  const { type } = input;
  if (!type)
    throw refusalOf(context.inputErrors, [
      { attribute: 'type', message: 'Type is not one of the types of storages.' },
    ]);
  demandTypeEnabled(context, type);
  const { db, keyring, clock, user, actor } = context;
  const { hasOrigin, defaultName } = storageTypes[type];
  const {
    changes: { password, ...columns },
    violations,
  } = validateStorage(context, type, {
    ...input,
    ...(hasOrigin && { origin: input.origin ?? '' }),
    name: input.name ?? defaultName,
  });
  const row = {
    type,
    ...NO_MEMBERS,
    origin: null,
    storageAudience: null,
    tokenExchangeScope: null,
    ...columns,
  };
  demandValid(
    context,
    [...violations, ...(await uniquenessViolations(db.read, row))],
    ignoredMembers(type),
  );
  const probeViolations = await probeStorage(context, row, { origin: true, password });
  if (probeViolations.length > 0) throw violated(probeViolations);

  const clientSecret = generateToken();
  const now = clock().toISOString();
  return withUniqueness(() =>
    db.write.transaction(async (trx) => {
      const storage = await Storage.query(trx)
        .insert({
          ...row,
          authenticationMethod: hasOrigin
            ? (row.authenticationMethod ?? AuthenticationMethod.TWO_WAY_OAUTH2)
            : null,
          applicationPassword: password ? keyring.seal(password, APPLICATION_PASSWORD) : null,
          creatorId: user.id,
          ...timestamps(now),
        })
        .returning('*');
      await recordAudit(trx, now, actor, {
        kind: 'STORAGE_CREATED',
        subject: { type: 'Storage', id: storage.id, name: storage.name },
        after: storage,
      });
      if (!hasOwnApplication(context, type)) return { storage };
      const oauthApplication = await OAuthApplication.query(trx)
        .insert({
          name: applicationName(context, storage),
          clientId: generateToken(),
          clientSecretHash: hashToken(clientSecret),
          confidential: true,
          redirectUris: redirectUris(storage),
          scopes: [API_SCOPE],
          ownerId: user.id,
          storageId: storage.id,
          ...timestamps(now),
        })
        .returning('*');
      return { storage, oauthApplication, clientSecret };
    }),
  );
}

export const applicationName = ({ settings }: Context, { name, type }: Storage): string =>
  `${name} (${storageTypes[type].names[settings.profile.name]})`;

/** The redirect addresses of the storage's OAuth application (RFC 6749, section 3.1.2). */
export function redirectUris({ type, origin }: Pick<Storage, 'type' | 'origin'>): string[] {
  const { redirectPath } = storageTypes[type];
  return redirectPath === undefined || origin === null ? [] : [origin + redirectPath];
}
