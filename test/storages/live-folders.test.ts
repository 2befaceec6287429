/**
 * The calls of project folders, against servers that are known only by their addresses. Each test makes one folder,
 * changes only that folder, and removes it. On a real server nothing else is touched.
 */
import { randomBytes } from 'node:crypto';
import {
  NOTHING_WANTED,
  type FolderStep,
  type Rights,
} from '../../src/storages/managed-folders.js';
import type { Access } from '../../src/storages/adapter.js';
import { adapterFor } from '../../src/storages/index.js';
import { afterAll, expect, test } from '../support/jest.js';
import { accessOf, closeOutbounds } from './file-remote.js';
import { endFakesAfterAll, environmentOf, wordFor } from './live-environment.js';
import type { StorageType } from '../../src/storages/types.js';

endFakesAfterAll();
afterAll(closeOutbounds);

const KEY = 1;
const newName = () => `Moorage contract ${randomBytes(6).toString('hex')} (0)`;
const rights = (person: string): Rights => new Map([[person, new Set(['read', 'write'] as const)]]);

/** Performs steps for one folder. */
function performer(type: StorageType, access: Access) {
  const folders = adapterFor(type).folders!;
  let id: string | undefined;
  return {
    perform: async (step: FolderStep) => {
      id = (await folders.perform(access, step, () => id)) ?? id;
      return id;
    },
    /** What the plan would still change for this folder. */
    async left(name: string, wanted: Rights): Promise<string[]> {
      const all = {
        ...NOTHING_WANTED,
        folders: [{ key: KEY, name, id: id!, making: null, rights: wanted }],
      };
      const { phases } = folders.plan(all, await folders.read(access, all));
      return phases.flat().flatMap(({ key, kind }) => (key === KEY ? [kind] : []));
    },
  };
}

const DOES = 'a folder is made, renamed, shared and removed';

/** A real server needs one more variable. Without it the test is skipped, and its title says so. */
function testFolders(url: string, needed: string, work: (value: string) => Promise<void>): void {
  const isMissing = process.env[url] && !process.env[needed];
  const define = isMissing ? test.skip : test;
  const reason = isMissing ? ` (skipped: ${needed} is not set)` : '';
  define(`${wordFor(url)} server of ${url}: ${DOES}${reason}`, async () =>
    work((await environmentOf(url))[needed]!),
  );
}

testFolders(
  'CONTRACT_SELF_HOSTED_URL',
  'CONTRACT_SELF_HOSTED_APPLICATION_PASSWORD',
  async (password) => {
    const environment = await environmentOf('CONTRACT_SELF_HOSTED_URL');
    const origin = `${environment['CONTRACT_SELF_HOSTED_URL']!.replace(/\/+$/, '')}/`;
    const person = environment['CONTRACT_SELF_HOSTED_USER']!;
    const { folders } = adapterFor('SelfHostedFileServer');
    const access = folders!.access!(accessOf({ addresses: { origin } }, ''), password);
    const { perform, left } = performer('SelfHostedFileServer', access);
    const [from, to] = [newName(), newName()];
    await perform({ kind: 'stage', serves: [KEY] });
    const id = await perform({ kind: 'create', key: KEY, name: from });
    try {
      await perform({
        kind: 'set_rights',
        key: KEY,
        name: from,
        rights: rights(person),
        isStaged: true,
      });
      expect(await left(from, rights(person))).toEqual(['place']);
      await perform({ kind: 'place', key: KEY, from, name: from });
      // The move keeps the rights.
      expect(await left(from, rights(person))).toEqual([]);
      expect(await perform({ kind: 'rename', key: KEY, id: id!, from, to })).toBe(id);
      expect(await left(to, new Map())).toEqual(['set_rights']);
      await perform({ kind: 'set_rights', key: KEY, name: to, rights: rights(person) });
      expect(await left(to, rights(person))).toEqual([]);
      await perform({ kind: 'set_rights', key: KEY, name: to, rights: new Map() });
      expect(await left(to, new Map())).toEqual([]);
    } finally {
      await perform({ kind: 'delete', id: id!, name: to });
    }
  },
);

testFolders('CONTRACT_CLOUD_DRIVE_URL', 'CONTRACT_CLOUD_DRIVE_PERSON', async (person) => {
  const environment = await environmentOf('CONTRACT_CLOUD_DRIVE_URL');
  const addresses = {
    apiUrl: environment['CONTRACT_CLOUD_DRIVE_URL']!,
    driveId: environment['CONTRACT_CLOUD_DRIVE_DRIVE']!,
  };
  const access = accessOf(
    { addresses },
    `Bearer ${environment['CONTRACT_CLOUD_DRIVE_APPLICATION_TOKEN']}`,
  );
  const { perform, left } = performer('CloudDrive', access);
  const [from, to] = [newName(), newName()];
  const id = (await perform({ kind: 'create', key: KEY, name: from }))!;
  try {
    expect(await perform({ kind: 'rename', key: KEY, id, from, to })).toBe(id);
    expect(await left(to, rights(person))).toEqual(['change_permissions']);
    await perform({
      kind: 'change_permissions',
      key: KEY,
      id,
      name: to,
      changes: [{ kind: 'invite', role: 'write', people: [person] }],
    });
    expect(await left(to, rights(person))).toEqual([]);
    expect(await left(to, new Map())).toEqual(['change_permissions']);
  } finally {
    await perform({ kind: 'delete', id, name: to });
  }
});
