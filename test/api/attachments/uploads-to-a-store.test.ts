/** Uploads through the service to an object store: parts of files are in memory, so fewer large ones run at once. */
import { connect, type Socket } from 'node:net';
import { startApp, type App } from '../../support/app.js';
import { until } from '../../support/cli.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, afterEach, beforeAll, expect, test } from '../../support/jest.js';
import { BOUNDARY, head, metadata, MULTIPART, part } from '../../support/raw.js';
import { describeS3, freshBucket, s3Environment } from '../../support/rgw.js';

const MIB = 1024 * 1024;
const FULL =
  'Too many files are being uploaded at the same time. Wait for some of them, then try again.';

let app: App;
let person: Person;
let other: Person;
let page: ContainerHandle;
const sockets: Socket[] = [];

/** Begins an upload, of which nothing more comes. `text` is what has come back. */
function begin(as: Person, size: number): { text: string } {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const read = { text: '' };
  socket
    .on('error', () => undefined)
    .on('data', (piece: Buffer) => {
      read.text += piece.toString();
    });
  sockets.push(socket);
  socket.write(
    head('POST', page.attachments, {
      as,
      headers: { 'Content-Type': MULTIPART, 'Content-Length': String(size) },
    }),
  );
  socket.write(part(metadata()));
  socket.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nbegin`,
  );
  return read;
}

const refusedOf = (begun: { text: string }[]) => begun.filter(({ text }) => text !== '');

describeS3('slow uploads to an object store', () => {
  beforeAll(async () => {
    app = await startApp(s3Environment(await freshBucket()));
    const project = await app.given.project();
    person = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    other = await app.given.member(project, ['view_wiki_pages', 'edit_wiki_pages']);
    page = await app.given.wikiPage(project, person);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => app?.stop());

  test('36 uploads of 5 MiB are all that one person may have; more get 503, and small ones do not count as much', async () => {
    const large = Array.from({ length: 50 }, () => begin(person, 5 * MIB));
    await until(() => Promise.resolve(refusedOf(large).length >= 14), 'the refusals');
    const refused = refusedOf(large);
    expect(refused).toHaveLength(14);
    for (const { text } of refused) {
      expect(text).toMatch(/^HTTP\/1.1 503 [^]*\r\nRetry-After: 5\r\n/);
      expect(text).toContain(FULL);
    }
    for (const socket of sockets.splice(0)) socket.destroy();
    await until(async () => {
      const { status } = await app.upload(page.attachments, { as: person });
      return status === 200;
    }, 'a place');
    // Of somebody else: the service may still be giving back the places of the large ones.
    const small = Array.from({ length: 60 }, () => begin(other, 10_000));
    const { status } = await app.upload(page.attachments, { as: other });
    expect([status, refusedOf(small)]).toEqual([200, []]);
  });
});
