/** What a freshly started service must do, in any kind of installation. */
import { deepEqual, equal, ok } from 'node:assert/strict';

/** A caller who may read and edit the first work package. */
export async function useService(address: string, key: string): Promise<{ id: number }> {
  const headers = { authorization: `Bearer ${key}` };
  const form = new FormData();
  form.append('metadata', new Blob(['{"fileName":"bricks.txt"}'], { type: 'application/json' }));
  form.append('file', new Blob(['ninety red bricks']));
  const created = await fetch(`${address}/api/v3/work_packages/1/attachments`, {
    method: 'POST',
    headers,
    body: form,
  });
  const attachment: any = await created.json();
  const { _type, fileName, fileSize, contentType, status } = attachment;
  deepEqual(
    { status: created.status, body: { _type, fileName, fileSize, contentType, status } },
    {
      status: 200,
      body: {
        _type: 'Attachment',
        fileName: 'bricks.txt',
        fileSize: 17,
        contentType: 'text/plain',
        status: 'uploaded',
      },
    },
  );
  await readsFile(address, key, attachment.id);

  const graph = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ attachment(id: "${attachment.id}") { fileName } }` }),
  });
  deepEqual(await graph.json(), { data: { attachment: { fileName: 'bricks.txt' } } });

  for (const path of ['/', '/graphql', '/api/docs', '/login', '/api/v3/spec.json']) {
    const answer = await fetch(address + path, { headers: { accept: 'text/html,*/*' } });
    const text = await answer.text();
    equal(answer.status, 200, path);
    ok(text.length > 0, path);
    for (const [, asset = ''] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
      equal((await fetch(address + asset)).status, 200, asset);
  }
  return attachment;
}

/** The file that `useService` has stored. */
export async function readsFile(address: string, key: string, id: number): Promise<void> {
  const content = await fetch(`${address}/api/v3/attachments/${id}/content`, {
    headers: { authorization: `Bearer ${key}` },
  });
  deepEqual([content.status, await content.text()], [200, 'ninety red bricks']);
}
