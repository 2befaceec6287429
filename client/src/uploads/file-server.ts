/** Sends a file to a self-hosted file server, at an address that works once. */
import type { Connection } from '../connection.js';
import { MoorageError, retryAfterOf } from '../errors.js';
import { sendFile, type FileAnswer } from './send.js';
import type { StorageMemory, StoredFile } from './stored-file.js';
import type { Attempt } from './way.js';

/** @throws MoorageError `NAME_TAKEN`, `STORAGE_REFUSED`, one without an answer, or the reason of the signal */
export async function postToFileServer(
  fetch: Connection['fetch'],
  url: string,
  fileName: string,
  { file, signal, setState, setSent }: Attempt,
  memory: StorageMemory,
): Promise<StoredFile> {
  const source = file();
  setSent(0);
  setState('sending');
  memory.isLastSent = true;
  const answer = await sendFile(fetch, {
    method: 'POST',
    url,
    body: { fields: [], name: 'file', file: source, fileName },
    size: source.size,
    signal,
    onProgress: setSent,
  });
  if (answer.status === 409)
    throw new MoorageError(
      'NAME_TAKEN',
      `The folder has a file ${fileName} already. Choose another name, or delete that file first.`,
      { status: 409, attribute: 'fileName' },
    );
  if (answer.status !== 201 && answer.status !== 200) throw storageRefusal(answer);
  const { file_id: id, file_name: name } = JSON.parse(answer.text) as {
    file_id: number | string;
    file_name: string;
  };
  return { id: String(id), name };
}

const refusals: { readonly [status: number]: string } = {
  403: 'You may not add files to this folder of the storage. Choose another one.',
  413: 'The storage takes no file of this size. Its administrator can raise the limit.',
  415: 'The storage refuses this file, perhaps because of a virus. Its administrator can say why.',
  423: 'The file or folder is locked in the storage. Unlock it there, then try again.',
  507: 'The storage is full. Free space there, or ask its administrator for more, then try again.',
};

/** The error of an answer that a storage should not give. */
export const storageRefusal = ({ status, headers }: Pick<FileAnswer, 'status' | 'headers'>) =>
  new MoorageError(
    'STORAGE_REFUSED',
    refusals[status] ?? `The storage refused the file with the status ${status}. Try again later.`,
    { status, retryAfter: retryAfterOf(headers.get('retry-after')) },
  );
