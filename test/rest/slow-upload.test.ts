/** An upload that takes longer than a lease (decisions 5): nobody takes its hidden row for that of a dead process. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sweep } from '../../src/actions/sweep.js';
import { startApp, type App } from '../support/app.js';
import { eventually } from '../support/direct-upload.js';
import { attachmentElement, collectionOf } from '../support/expected.js';
import { BOUNDARY, metadata, MULTIPART, part } from '../support/raw.js';

let app: App;
beforeAll(async () => {
  app = await startApp({ LEASE_SECONDS: '1' });
});
afterAll(() => app.stop());

/** The bytes of a request body, of which the second half waits. */
async function* halves(gate: Promise<void>) {
  yield Buffer.concat([part(metadata('{"fileName":"slow.txt"}')), Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nhalf`)]);
  await gate;
  yield Buffer.from(` whole\r\n--${BOUNDARY}--\r\n`);
}

test('while bytes flow the lease is renewed, and the sweeper leaves the row alone', async () => {
  const { services } = app.running;
  const project = await app.given.project();
  const editor = await app.given.member(project, ['view_meetings', 'edit_meetings']);
  const meeting = await app.given.meeting(project, editor);
  let goOn: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => { goOn = resolve; });
  const answer = fetch(app.url + meeting.attachments, { method: 'POST', headers: { authorization: `Bearer ${editor.key}`, 'content-type': MULTIPART }, body: halves(gate) as never, duplex: 'half' } as RequestInit);
  const lease = async (): Promise<string | undefined> => (await services.db.write('attachments').where({ phase: 'storing' }).first())?.lease_until;
  const first = (await eventually(lease, (until) => until !== undefined))!;
  await eventually(lease, (until) => until !== undefined && until > first);

  const afterFirst = () => new Date(Date.parse(first) + 1);
  expect((await sweep({ ...services, clock: afterFirst })).abandoned).toBe(0);
  goOn();
  const { status } = await answer;
  const { body } = await app.get(meeting.attachments, editor);
  const id = body._embedded.elements[0]?.id;
  const digest = { algorithm: 'sha256', hash: createHash('sha256').update('half whole').digest('hex') };
  const kept = attachmentElement({ id, fileName: 'slow.txt', fileSize: 10, contentType: 'text/plain', digest, author: editor, container: meeting, deletable: true });
  expect({ status, body }).toEqual({ status: 200, body: collectionOf(meeting.attachments, [kept]) });
});
