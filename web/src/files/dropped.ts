/** The files of a drop, a paste or a choice, folders included. */

/** Where files and their uploads come from: `site/plan.txt`. */
const paths = new WeakMap<object, string>();

/** The path in the folder that was dropped or chosen; the name alone for a single file. */
export const pathOf = (file: File): string =>
  paths.get(file) ?? (file.webkitRelativePath || file.name);
export const pathOfUpload = (upload: { fileName: string }): string =>
  paths.get(upload) ?? upload.fileName;
export const rememberPath = (upload: object, path: string): void => void paths.set(upload, path);

/** All files below an entry. A reader gives a hundred entries at a time, until it gives none. */
async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    paths.set(file, entry.fullPath.slice(1));
    return [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return files;
    for (const one of entries) files.push(...(await filesOf(one)));
  }
}

export async function filesIn(data: DataTransfer): Promise<File[]> {
  // The list is empty as soon as this function waits, so the entries are taken first.
  const entries = [...data.items]
    .filter(({ kind }) => kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const files: File[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) files.push(...(await filesOf(entry)));
    else if (file) files.push(file);
  }
  return files;
}

/** Pasted pictures all have the name `image.png`. The time tells them apart. */
export function withTime(file: File, word: string, number: number): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const time = new Date(file.lastModified);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('.');
  const name = `${word} ${day} ${clock}${number > 0 ? ` (${number + 1})` : ''}`;
  return new File([file], name + file.name.slice(file.name.lastIndexOf('.')), {
    type: file.type,
    lastModified: file.lastModified,
  });
}
