/** Changes a storage. */
import type { Knex } from 'knex';
import { recordAudit } from '../../../audit/record.js';
import type { Context } from '../../../context.js';
import { NotFound, refusalOf, UpdateConflict, violated } from '../../../contract/errors.js';
import { FolderDeletion, FolderSync, SignOnUser } from '../../../models/folder-sync.js';
import { OAuthApplication } from '../../../models/oauth-application.js';
import { OAuthClientCredentials } from '../../../models/oauth-client-credentials.js';
import { ProjectFolderMode, ProjectStorage } from '../../../models/project-storage.js';
import { Storage } from '../../../models/storage.js';
import { demand } from '../../../policies/can.js';
import { find } from '../../../policies/find.js';
import { generateToken, hashToken } from '../../../secrets/keys-and-tokens.js';
import { applicationName, redirectUris } from './create-storage.js';
import { requestSync } from '../../base/project-folder-queue/request-sync.js';
import { demandValid } from '../../base/validation/demand-valid.js';
import { endApplicationGrants } from './end-application-grants.js';
import { withUniqueness, uniquenessViolations } from './storage-uniqueness.js';
import { probeStorage } from './probe-storage.js';
import { APPLICATION_PASSWORD } from '../access/reach-storage.js';
import { movesHost, targetName } from '../access/storage-target.js';
import { ignoredMembers, validateStorage, type StorageInput } from './validate-storage.js';
import { demandTypeEnabled } from '../access/switched-off.js';

/**
 * A storage that moves to another host loses all its secrets, so that none reaches the new host.
 * @throws NotFound, MissingPermission, MissingEnterpriseToken, PropertyConstraintViolation
 * @throws UpdateConflict if the host changed while the new password was checked
 */
export async function updateStorage(
  context: Context,
  id: number | undefined,
  input: StorageInput,
): Promise<Storage> {
  const before = await demand(await find.storage(context, id), () => context.user.admin);
  const { db, keyring, clock, outbound, actor } = context;
  if (input.type !== undefined && input.type !== before.type)
    throw refusalOf(context.inputErrors, [
      { attribute: 'type', message: 'Type cannot be changed.' },
    ]);
  demandTypeEnabled(context, before.type);
  const {
    changes: { password, ...columns },
    violations,
  } = validateStorage(context, before.type, input);
  const withChanges = (storage: Storage) => Object.assign(storage.$clone(), columns);
  const after = withChanges(before);
  demandValid(
    context,
    [...violations, ...(await uniquenessViolations(db.read, columns, before.id))],
    ignoredMembers(before.type),
  );
  const probeViolations = await probeStorage(context, after, {
    origin: movesHost(before, after),
    password,
  });
  if (probeViolations.length > 0) throw violated(probeViolations);

  const updatedAt = clock().toISOString();
  const storage = await withUniqueness(() =>
    db.write.transaction(async (trx) => {
      const current = await db.lockRows(Storage.query(trx).findById(before.id));
      if (!current) throw new NotFound();
      // Another request moved the storage: the password was checked at the old host.
      if (password && movesHost(after, withChanges(current))) throw new UpdateConflict();
      const moved = movesHost(current, withChanges(current));
      const applicationPassword =
        password === undefined
          ? moved
            ? { applicationPassword: null }
            : {}
          : {
              applicationPassword:
                password === null ? null : keyring.seal(password, APPLICATION_PASSWORD),
            };
      const [changed] = await Storage.query(trx)
        .patch({ ...columns, ...applicationPassword, updatedAt })
        .where('id', current.id)
        .returning('*');
      if (!changed) throw new NotFound();
      // A random hash disables the secret that the old host knows.
      // `rotateOAuthApplicationSecret` makes a new one.
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
      if (moved || changed.driveId !== current.driveId) await forgetFolders(trx, changed);
      const subject = { type: 'Storage', id: changed.id, name: changed.name } as const;
      await recordAudit(trx, updatedAt, actor, {
        kind: 'STORAGE_UPDATED',
        subject,
        before: current,
        after: changed,
      });
      if (password !== undefined)
        await recordAudit(trx, updatedAt, actor, { kind: 'STORAGE_PASSWORD_SET', subject });
      await requestSync(trx, { storageId: changed.id }, clock());
      return changed;
    }),
  );
  context.forgetIdentities();
  outbound.forget(targetName(storage));
  return storage;
}

/** The remembered ids name other folders, or none, at the new place. */
async function forgetFolders(trx: Knex, { id }: Storage): Promise<void> {
  await ProjectStorage.query(trx)
    .patch({ managedFolderId: null, folderMaking: null, folderState: null, folderDigest: null })
    .where('storage_id', id);
  await ProjectStorage.query(trx)
    .patch({ projectFolderId: null })
    .where({ storage_id: id, project_folder_mode: ProjectFolderMode.AUTOMATIC });
  await FolderDeletion.query(trx).delete().where('storage_id', id);
  await SignOnUser.query(trx).delete().where('storage_id', id);
  await FolderSync.query(trx)
    .patch({ unknownPeople: {}, hiddenFolders: [], foreignFolders: [] })
    .where('storage_id', id);
}

/** Deletes the client credentials with all users' tokens, and what the application was issued. */
async function dropSecrets(db: Context['db'], trx: Knex, storage: Storage): Promise<void> {
  await OAuthClientCredentials.query(trx).delete().where('storage_id', storage.id);
  await endApplicationGrants(db, trx, storage.id);
}
