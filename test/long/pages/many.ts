/** Ten thousand of something: rows of attachments, and files that are dropped. */
import type { Page } from 'playwright-core';
import type { ContainerHandle } from '../../support/factories.js';
import type { Harbour } from '../../support/harbour.js';

/** Copies the row of one attachment. */
export async function addRows(
  { app, mia, project }: Harbour,
  count: number,
): Promise<ContainerHandle> {
  const container = await app.given.workPackage(project, mia, 'All photographs of 2026');
  await app.given.attachment({ container, author: mia, fileName: 'IMG 00000.txt' });
  const { write } = app.running.services.db;
  const row = await write('attachments').orderBy('id', 'desc').first();
  delete row.id;
  const rows = Array.from({ length: count - 1 }, (_, at) => ({
    ...row,
    file_name: `IMG ${String(at + 1).padStart(5, '0')}.txt`,
    blob_key: `${row.blob_key.slice(0, -8)}${String(at).padStart(8, '0')}`,
  }));
  await write.batchInsert('attachments', rows, 100);
  return container;
}

/** Drops so many small files at once. */
export async function dropMany(page: Page, count: number): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (let at = 0; at < ${count}; at += 1)
      transfer.items.add(new File(['x'], 'photo ' + at + '.txt', { type: 'text/plain' }));
    return transfer;
  })()`);
  await page.dispatchEvent('main', 'dragover', { dataTransfer });
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}
