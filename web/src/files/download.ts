/** Addresses of contents, and downloads. */
import { ArchiveAddressDocument } from '../generated/documents';
import { moorage } from '../service';

/** The address at which a file is always found. The service leads on to the store, or refuses. */
const contentAddress = ({ databaseId }: { databaseId: number }): string =>
  `/api/v3/attachments/${databaseId}/content`;

/** The same, for a link that saves the file. Browsers ignore `download` when the store answers. */
export const downloadAddress = (file: { databaseId: number }): string =>
  `${contentAddress(file)}?disposition=attachment`;

/** Where the content is read: at the object store if it is there, and in this service otherwise. */
export const readAddress = (file: {
  databaseId: number;
  downloadLocation: string | null;
}): string => file.downloadLocation ?? contentAddress(file);

/** Saves one file, or several as one archive: a browser saves only the first of several. */
export async function download(
  containerId: string,
  files: readonly { id: string; databaseId: number }[],
): Promise<void> {
  const [first, ...others] = files;
  if (!first) return;
  if (others.length === 0) return save(downloadAddress(first));
  const ids = files.map(({ id }) => id);
  const { container } = await moorage.query(ArchiveAddressDocument, { containerId, ids });
  if (container) save(container.attachmentsArchive.href);
}

/** The answer says that it is a file to be saved, so the page stays. */
function save(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
