/**
 * A harbour with projects, people, files and storages, and with names as people give them. Scripts
 * that look at the pages use it: pictures and budgets.
 */
import 'reflect-metadata';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { signable } from '../api/auth/support/applications.js';
import {
  linkIn,
  stockedCloudDrive,
  stockedFileServer,
  type Stocked,
} from '../storages/storages-with-files.js';
import { startIn, TEST_SECRET_KEY, type App } from './app.js';
import type { ContainerHandle, Person } from './factories.js';

const RIGHTS = [
  'view_work_packages',
  'edit_work_packages',
  'add_work_packages',
  'add_work_package_attachments',
  'view_file_links',
  'manage_file_links',
  'view_meetings',
  'view_messages',
  'view_wiki_pages',
];

export interface Harbour {
  app: App;
  mia: Person;
  rob: Person;
  project: { id: number; identifier: string };
  /** It has files and linked files. */
  wall: ContainerHandle;
  /** It has neither. */
  bare: ContainerHandle;
  stop(): Promise<void>;
}

/** @param browser draws the photographs; without one there are none */
export async function openHarbour(browser?: Browser): Promise<Harbour> {
  const [server, drive] = await Promise.all([stockedFileServer(), stockedCloudDrive()]);
  const folder = mkdtempSync(join(tmpdir(), 'moorage-harbour-'));
  const app = await startIn(folder, {
    DATABASE_URL: `sqlite:${join(folder, 'db.sqlite3')}`,
    BLOB_STORE: `disk:${join(folder, 'blobs')}`,
    SECRET_KEY: TEST_SECRET_KEY,
    PORT: '0',
    SHUTDOWN_SECONDS: '0',
    BUSY_REQUESTS: '100000',
    ATTACHMENT_MAX_SIZE: String(2 * 1024 ** 3),
    ...drive.environment,
  });
  const { given } = app;
  const mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
  const rob = await signable(app, { firstName: 'Rob', lastName: 'Ott' });
  const project = await given.project({ name: 'North quay repair', identifier: 'north-quay' });
  const projects = [project];
  for (const name of ['Lighthouse & fairway lights', 'Ferry terminal 2027', 'Fischereihafen Süd'])
    projects.push(await given.project({ name }));
  for (const one of projects)
    for (const person of [mia, rob]) await given.membership(person, one, RIGHTS);

  const storages = [
    [await given.storage({ ...server.storage, name: 'Site files' }), server],
    [await given.storage({ ...drive.storage, name: 'Drawings' }), drive],
  ] as const;
  for (const [storage, remote] of storages) {
    await given.projectStorage(project, storage);
    await given.storageTokens(mia, storage, { ...remote.grant(), originUserId: remote.userId });
  }

  for (const subject of [
    'Order bollards and mooring rings',
    'Inspect the sheet piles at low water',
    'Inform the tenants of berths 7 to 12 about the closing of the quay from March to May',
    'Prüfung der Taucherberichte',
    'استبدال سلم الطوارئ',
  ])
    await given.workPackage(project, rob, subject, { assigneeId: mia.id });
  const bare = await given.workPackage(project, mia, 'Book the floating crane');
  const wall = await given.workPackage(project, rob, 'Repair the quay wall, section 4', {
    assigneeId: mia.id,
  });
  await given.meeting(project, rob, 'Weekly call');

  await addFiles(app, wall, mia, rob, browser);
  for (const [storage, remote] of storages)
    for (const name of stock(remote))
      await linkIn(app, { person: mia, workPackage: wall }, storage, name.id, {
        originName: name.name,
        originMimeType: name.type,
      });
  return {
    app,
    mia,
    rob,
    project,
    wall,
    bare,
    async stop() {
      await app.stop();
      await Promise.all([server.close(), drive.close()]);
    },
  };
}

/** @returns the files of a storage that are linked; one of them is gone, and one is hidden */
function stock(remote: Stocked): { id: string; name: string; type: string }[] {
  for (const path of ['/Surveys/2026', '/Permits', '/Photos']) remote.folder(path);
  const file = (name: string, type: string) => {
    const id = remote.file(`/${name}`, { content: name.repeat(900), mimeType: type });
    return { id, name, type };
  };
  const linked = [
    file('Section 4, elevations (rev C).pdf', 'application/pdf'),
    file('Bill of quantities.xlsx', 'application/vnd.ms-excel'),
    file('Tender, not for us.docx', 'application/msword'),
    file('Old levels.csv', 'text/csv'),
  ];
  file('Contacts.txt', 'text/plain');
  file('Quay, drone.mp4', 'video/mp4');
  remote.hide(linked[2]!.id);
  remote.remove(linked[3]!.id);
  return linked;
}

async function addFiles(
  app: App,
  wall: ContainerHandle,
  mia: Person,
  rob: Person,
  browser: Browser | undefined,
): Promise<void> {
  const add = (as: Person, fileName: string, partType: string, content: string | Buffer) =>
    app.upload(wall.attachments, { as, fileName, partType, content });
  await add(rob, 'Diving report 2026-11-02.pdf', 'application/pdf', PDF);
  await add(rob, 'Concrete cores – laboratory.csv', 'text/csv', 'core,MPa\n1,38.2\n2,41.0\n');
  await add(
    mia,
    'Minutes of the site meeting with the harbour master and the tenants.txt',
    'text/plain',
    'Agreed: section 4 is closed from 3 March.\n',
  );
  await add(mia, 'ملاحظات الغواص.txt', 'text/plain', 'تم الفحص\n');
  if (!browser) return;
  const photographer = await browser.newPage({ viewport: { width: 640, height: 480 } });
  for (const [name, sky, sea] of [
    ['Quay wall, 4 m below.png', '#9cc4d4', '#2f6f7f'],
    ['Crack at pile 17.png', '#e3d3bd', '#7d5a43'],
    ['Evening.png', '#f2b58a', '#394a6d'],
  ] as const) {
    await photographer.setContent(scene(sky, sea));
    await add(mia, name, 'image/png', await photographer.screenshot());
  }
  await photographer.close();
}

const scene = (sky: string, sea: string): string => `<body style="margin:0">
  <svg viewBox="0 0 640 480"><rect width="640" height="480" fill="${sky}"/>
  <circle cx="470" cy="130" r="48" fill="#fff" opacity=".75"/>
  <path d="M0 270q80-30 160 0t160 0 160 0 160 0v210H0z" fill="${sea}"/>
  <path d="M0 350q80-26 160 0t160 0 160 0 160 0v130H0z" fill="${sea}" style="filter:brightness(.8)"/>
  <path d="M0 200h210v280H0z" fill="#3b3f45"/><path d="M0 200h210v22H0z" fill="#5c626a"/>
  <g fill="#23262b"><rect x="40" y="170" width="26" height="32"/><rect x="140" y="170" width="26" height="32"/></g>
  </svg></body>`;

/** One empty page. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj
4 0 obj<</Length 62>>stream
BT /F 20 Tf 40 340 Td (Diving report) Tj ET 40 330 220 1 re f
endstream endobj
trailer<</Root 1 0 R>>
`;
