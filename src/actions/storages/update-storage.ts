/** Changes a storage. No secret ever travels to a new host: a changed origin or tenant drops them all (decisions 4). */
import type { Knex } from 'knex';
import type { Context } from '../../context.js';
import { NotFound, refusalOf, UpdateConflict, violated } from '../../contract/errors.js';
import { OAuthApplication } from '../../models/oauth-application.js';
import { OAuthClientCredentials } from '../../models/oauth-client-credentials.js';
import { Storage } from '../../models/storage.js';
import { demand } from '../../policies/can.js';
import { find } from '../../policies/find.js';
import { generateToken, hashToken } from '../../secrets/hashes.js';
import { applicationName, APPLICATION_PASSWORD, redirectUris } from './create-storage.js';
import { demandValid } from '../validation/demand-valid.js';
import { endApplicationGrants } from './end-application-grants.js';
import { withUniqueness, uniquenessViolations } from './storage-uniqueness.js';
import { probeStorage } from './probe-storage.js';
import { movesHost, targetName } from '../storage-access/storage-target.js';
import { ignoredMembers, validateStorage, type StorageInput } from './validate-storage.js';
import { demandType } from '../storage-access/switched-off.js';

/** @throws NotFound, MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation, UpdateConflict */
export async function updateStorage(
  context: Context,
  id: number | undefined,
  input: StorageInput,
): Promise<Storage> {
  const before = await demand(await find.storage(context, id), () => context.user.admin);
  const { db, keyring, clock, outbound } = context;
  if (input.type !== undefined && input.type !== before.type)
    throw refusalOf(context.inputErrors, [
      { attribute: 'type', message: 'Type cannot be changed.' },
    ]);
  demandType(context, before.type);
  const {
    changes: { password, ...columns },
    violations,
  } = validateStorage(context, before.type, input);
  const after = { ...before, ...columns } as Storage;
  demandValid(
    context,
    [...violations, ...(await uniquenessViolations(db.read, columns, before.id))],
    ignoredMembers(before.type),
  );
  const refused = await probeStorage(context, after, {
    origin: movesHost(before, after),
    password,
  });
  if (refused.length > 0) throw violated(refused);

  const updatedAt = clock().toISOString();
  const storage = await withUniqueness(() =>
    db.write.transaction(async (trx) => {
      const current = (await db.lockRows(Storage.query(trx).findById(before.id))) as
        Storage | undefined;
      if (!current) throw new NotFound();
      // The password was checked at a host that is not the storage's any more.
      if (password && movesHost(after, { ...current, ...columns } as Storage))
        throw new UpdateConflict();
      const moved = movesHost(current, { ...current, ...columns } as Storage);
      const applicationPassword =
        password === undefined
          ? moved
            ? { applicationPassword: null }
            : {}
          : {
              applicationPassword:
                password === null ? null : keyring.seal(password, APPLICATION_PASSWORD),
            };
      const changed = (await Storage.query(trx)
        .patch({ ...columns, ...applicationPassword, updatedAt })
        .findById(current.id)
        .returning('*')) as unknown as Storage;
      // Whoever had its secret at the old address has nothing any more; `rotateOAuthApplicationSecret` makes another one.
      const secret = moved ? { clientSecretHash: hashToken(generateToken()) } : {};
      await OAuthApplication.query(trx)
        .patch({
          name: applicationName(context, changed),
          redirectUris: redirectUris(changed),
          ...secret,
          updatedAt,
        })
        .where('storage_id', changed.id);
      if (moved) await dropSecrets(db, trx, current);
      return changed;
    }),
  );
  context.forgetIdentities();
  outbound.forget(targetName(storage));
  return storage;
}

/** Our credentials there with every user's tokens, and what it was issued here; the password goes with the change. */
async function dropSecrets(db: Context['db'], trx: Knex, storage: Storage): Promise<void> {
  await OAuthClientCredentials.query(trx).delete().where('storage_id', storage.id);
  await endApplicationGrants(db, trx, storage.id);
}
