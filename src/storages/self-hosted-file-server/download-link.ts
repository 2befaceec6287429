import type { Access } from '../adapter.js';
import { at, StorageFailure } from '../failure.js';
import { ocs } from './client.js';
import { segment } from './dav.js';
import { byApp, bySearch } from './files-info.js';

/**
 * The address of the companion app, because that of the server itself does not tell the file's name; that one where there is no app.
 * Of what the user may not see the server says that it is not there; the app knows better.
 */
export async function downloadLink(access: Access, id: string): Promise<string> {
  const [app, direct] = await Promise.allSettled([
    byApp(access, [id]),
    ocs(access, 'v2.php/apps/dav/api/v1/direct', {
      json: { fileId: /^\d{1,15}$/.test(id) ? Number(id) : id },
    }),
  ]);
  const failures = [app, direct].flatMap((one) =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  );
  const verdict = app.status === 'fulfilled' ? app.value?.get(id) : undefined;
  // A refused token is renewed, whatever the other one says.
  const failure =
    failures.find(isUnauthorized) ?? (verdict instanceof StorageFailure ? verdict : failures[0]);
  if (failure !== undefined) throw failure;
  const found = verdict ?? (await bySearch(access, [id])).get(id)!;
  if (found instanceof StorageFailure) throw found;
  const url = direct.status === 'fulfilled' ? at(direct.value, 'url') : undefined;
  const token = typeof url === 'string' ? /\/([\w-]{1,200})$/.exec(url)?.[1] : undefined;
  if (token === undefined)
    throw new StorageFailure('unexpected', 200, 'The storage gave no download address.');
  return verdict
    ? `${access.origin}index.php/apps/integration_openproject/direct/${token}/${segment(found.name)}`
    : `${access.origin}remote.php/direct/${token}`;
}

const isUnauthorized = (error: unknown): boolean =>
  error instanceof StorageFailure && error.kind === 'unauthorized';
