/** The address at which a file is always found. The service leads on to the store, or refuses. */
export const contentAddress = ({ databaseId }: { databaseId: number }): string =>
  `/api/v3/attachments/${databaseId}/content`;

/** Where the content is read: at the object store if it is there, and in this service otherwise. */
export const readAddress = (file: {
  databaseId: number;
  downloadLocation: string | null;
}): string => file.downloadLocation ?? contentAddress(file);

export function download(file: { databaseId: number; fileName: string }): void {
  const link = document.createElement('a');
  link.href = contentAddress(file);
  link.download = file.fileName;
  link.click();
}
