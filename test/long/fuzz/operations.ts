/** The operation of a case, and the check of its result. */
import type { Access, HealthCheck } from '../../../src/storages/adapter.js';
import { applyPlan } from '../../../src/actions/storages/project-folders/apply-plan.js';
import type { ManagedFolders, Wanted } from '../../../src/storages/managed-folders.js';
import type { Scenario } from './scenarios.js';
import * as sound from './invariants.js';

export interface Operation {
  name: string;
  /** The weight of the operation in the draw. */
  weight: number;
  ask(access: Access, application: () => Promise<Access>): Promise<unknown>;
  /** The error in a value, if any. */
  wrong(value: unknown): string | undefined;
}

/** All operations of the adapter of a storage. */
export function operationsOf({
  adapter,
  statuses,
  fileId,
  folder,
  newName,
  client,
  applicationPassword,
  projectFolders,
  recorded,
}: Scenario): Operation[] {
  const ids = statuses.map(([id]) => id);
  const { probe, checkPassword, applicationToken, checks, folders } = adapter;
  const link = (made: string | ((access: Access) => Promise<string>), access: Access) =>
    Promise.resolve(typeof made === 'string' ? made : made(access));
  return [
    { name: 'user', weight: 4, ask: (access) => adapter.user(access), wrong: sound.text },
    {
      name: 'filesInfo',
      weight: 20,
      ask: (access, application) => adapter.filesInfo(access, ids, application),
      wrong: sound.filesInfo(ids),
    },
    {
      name: 'file',
      weight: 4,
      ask: (access) => adapter.file(access, fileId),
      wrong: (value) => sound.file(value, fileId),
    },
    ...[undefined, folder.path, folder.id].map((parent, index): Operation => ({
      name: `files ${['of the root', 'by path', 'by id'][index]}`,
      weight: 8,
      ask: (access) => adapter.files(access, parent),
      wrong: sound.folder,
    })),
    ...['/', folder.path, folder.id].map((parent, index): Operation => ({
      name: `createFolder ${['in the root', 'by path', 'by id'][index]}`,
      weight: 4,
      ask: (access) =>
        adapter.createFolder(access, parent, recorded || index < 2 ? newName : `${newName} again`),
      wrong: (value) => sound.file(value),
    })),
    ...[folder.path, folder.id].map((parent, index): Operation => ({
      name: `uploadLink ${['by path', 'by id'][index]}`,
      weight: 4,
      ask: (access) => adapter.uploadLink(access, parent, 'a b.txt'),
      wrong: sound.destination,
    })),
    {
      name: 'downloadLink',
      weight: 6,
      ask: (access) => adapter.downloadLink(access, fileId),
      wrong: sound.address,
    },
    ...(['file', 'location'] as const).map((at): Operation => ({
      name: `fileLink of the ${at}`,
      weight: 2,
      ask: (access) => link(adapter.fileLink(access, fileId, at), access),
      wrong: sound.address,
    })),
    ...[undefined, folder.id].map((id, index): Operation => ({
      name: `openLink ${['of the storage', 'of a folder'][index]}`,
      weight: 2,
      ask: (access) => link(adapter.openLink(access, id), access),
      wrong: sound.address,
    })),
    ...(probe
      ? [{ name: 'probe', weight: 2, ask: (access: Access) => probe(access), wrong: sound.nothing }]
      : []),
    ...(checkPassword
      ? [
          {
            name: 'checkPassword',
            weight: 2,
            ask: (access: Access) => checkPassword(access, applicationPassword),
            wrong: sound.nothing,
          },
        ]
      : []),
    ...(applicationToken
      ? [
          {
            name: 'applicationToken',
            weight: 3,
            ask: (access: Access) => applicationToken(access, client),
            wrong: sound.grant,
          },
        ]
      : []),
    ...(folders && projectFolders
      ? [
          {
            name: 'project folders',
            weight: 30,
            ask: async (access: Access, application: () => Promise<Access>) =>
              keepInStep(
                folders,
                projectFolders,
                folders.access?.(access, applicationPassword) ?? (await application()),
              ),
            wrong: sound.texts,
          },
        ]
      : []),
    ...checks.map((check): Operation => ({
      name: `check ${check.check}`,
      weight: 1,
      ask: (access) => examine(check, access),
      wrong: sound.finding,
    })),
  ];

  function examine(check: HealthCheck, target: Access) {
    return check.run({
      target,
      sso: false,
      clientId: client.id,
      clientSecret: client.secret,
      applicationPassword,
      otherClocks: async () => [],
    });
  }
}

/** @returns the kinds of all steps, and the messages about those that failed */
async function keepInStep(
  folders: ManagedFolders,
  wanted: Wanted,
  access: Access,
): Promise<string[]> {
  const plan = folders.plan(wanted, await folders.read(access, wanted));
  const { failed, refused, others } = await applyPlan(plan, {
    access,
    folders,
    making: () => Promise.resolve(),
    made: () => Promise.resolve(),
    performed: () => undefined,
  });
  return [
    ...plan.phases.flat().map(({ kind }) => kind),
    ...[...failed.values(), ...refused.values(), ...others].sort(),
  ];
}
