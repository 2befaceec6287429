/** Plain pages of work packages (`WEB=false`), at the addresses to which the companion app of a file server leads. */
import { startApp, type App } from '../../support/app.js';
import { Visitor } from '../../support/browser-visitor.js';
import type { ContainerHandle, Person } from '../../support/factories.js';
import { afterAll, beforeAll, describe, expect, test } from '../../support/jest.js';

const PASSWORD = 'correct horse battery';

let app: App;
let mia: Person;
let project: { id: number; identifier: string; name: string };
let workPackage: ContainerHandle;
let attachmentId: number;
beforeAll(async () => {
  app = await startApp({ WEB: 'false' });
  const { given } = app;
  project = await given.project({ name: 'Depot & yard' });
  mia = await given.member(project, ['view_work_packages', 'add_work_packages'], {
    password: PASSWORD,
  });
  workPackage = await given.workPackage(project, mia, 'Lay <cable>', {
    descriptionText: 'Two *metres* <b>deep</b>.',
    assigneeId: mia.id,
  });
  ({ id: attachmentId } = await given.attachment({
    container: workPackage,
    author: mia,
    fileName: 'plan "1".txt',
  }));
});
afterAll(() => app.stop());

async function signedIn(person: Person): Promise<Visitor> {
  const visitor = new Visitor(app);
  expect((await visitor.signIn(person.login, PASSWORD)).status).toBe(303);
  return visitor;
}

describe('a work package', () => {
  const addresses = () => [
    `/wp/${workPackage.id}`,
    `/work_packages/${workPackage.id}`,
    `/work_packages/details/${workPackage.id}`,
    `/projects/${project.id}/work_packages/${workPackage.id}/activity`,
    `/projects/${project.identifier}/work_packages/${workPackage.id}`,
    `/notifications/details/${workPackage.id}/activity/`,
  ];

  test('has a page at each address, with its files, and nothing of its texts is markup', async () => {
    const visitor = await signedIn(mia);
    for (const address of addresses()) {
      const { status, text } = await visitor.get(address);
      expect([address, status]).toEqual([address, 200]);
      expect(text).toContain('<h1>Lay &lt;cable&gt;</h1>');
      expect(text).toContain(
        `<p>Task #${workPackage.id} in Depot &amp; yard. Status: New.\nAssigned to ${mia.name}.</p>`,
      );
      expect(text).toContain('<p>Two <em>metres</em> &lt;b&gt;deep&lt;/b&gt;.</p>');
      expect(text).toContain(
        `<li><a href="/api/v3/attachments/${attachmentId}/content"><bdi>plan &quot;1&quot;.txt</bdi></a></li>`,
      );
      expect(text).not.toContain('Linked files');
    }
  });

  test('shows a mark for each invisible character, and its links still find the rows', async () => {
    const odd = await app.given.workPackage(project, mia, 'Invoice\u202efdp.exe');
    const id = await app.given
      .attachment({ container: odd, author: mia, fileName: 'a\u2066b\u200f.txt' })
      .then((attachment) => attachment.id);
    const { text } = await (await signedIn(mia)).get(`/wp/${odd.id}`);
    expect(text).toContain('<h1>Invoice\ufffdfdp.exe</h1>');
    expect(text).toContain(
      `<li><a href="/api/v3/attachments/${id}/content"><bdi>a\ufffdb\ufffd.txt</bdi></a></li>`,
    );
    expect(text).not.toMatch(/\p{Bidi_Control}/u);
  });

  test('leads to sign-in first, and then back', async () => {
    const visitor = new Visitor(app);
    const [address] = addresses();
    const { location } = await visitor.get(address!);
    expect(location).toMatch(/^\/login/);
  });

  test('that is hidden or missing has the same page as no work package', async () => {
    const stranger = await app.given.user({ password: PASSWORD });
    const visitor = await signedIn(stranger);
    const hidden = await visitor.get(`/wp/${workPackage.id}`);
    expect(hidden.status).toBe(404);
    for (const address of ['/wp/99999', '/wp/x', '/wp/0', '/work_packages/99999999999'])
      expect([(await visitor.get(address)).status, (await visitor.get(address)).text]).toEqual([
        404,
        hidden.text,
      ]);
  });
});

test('a new work package has a page for those who can create it', async () => {
  const visitor = await signedIn(mia);
  const { status, text } = await visitor.get(
    `/projects/${project.identifier}/work_packages/new?type=1`,
  );
  expect(status).toBe(200);
  expect(text).toContain('<p>Task in Depot &amp; yard.</p>');
  const reader = await app.given.member(project, ['view_work_packages'], { password: PASSWORD });
  const refused = await (
    await signedIn(reader)
  ).get(`/projects/${project.identifier}/work_packages/new`);
  expect(refused.status).toBe(403);
});
