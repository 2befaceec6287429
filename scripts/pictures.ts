/** `npm run pictures`: photographs the main pages of the demo into `docs/pictures`, with a browser. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser } from '../test/support/browser.js';
import { emptyFolder, serve } from '../test/support/cli.js';

const folder = join(import.meta.dirname, '../docs/pictures');
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
const { command, banner } = await serve({}, { cwd: emptyFolder() });
const page = await (
  await browser.newContext({ baseURL: banner.address, reducedMotion: 'reduce' })
).newPage();
type Page = typeof page;
await page.goto('/login');
await page.getByRole('button', { name: 'Mia' }).click();
await page.waitForURL('/');

interface Look {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
}
const DESK: Look = { width: 1440, height: 1250, colorScheme: 'light' };
const NIGHT: Look = { ...DESK, colorScheme: 'dark' };
const PHONE: Look = { width: 360, height: 740, colorScheme: 'light' };

async function picture(
  name: string,
  path: string,
  { width, height, colorScheme }: Look,
  prepare: (of: Page) => Promise<void> = async () => undefined,
): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await prepare(page);
  // Pictures and fonts are drawn after they have arrived.
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  process.stdout.write(`docs/pictures/${name}.png\n`);
}

/** Order bricks. It has files and linked files. */
const files = '/work_packages/1';
const loaded = async (of: Page) => {
  await of.locator('.linked').first().waitFor();
  await of.locator('.file').first().waitFor();
};
const folderOf = async (of: Page) => {
  await loaded(of);
  await of.getByRole('button', { name: 'Link files' }).last().click();
  const dialog = of.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Boathouse' }).click();
  await dialog.getByText('Notes of the site visit').waitFor();
};
const photograph = async (of: Page) => {
  await of.getByText('North wall, cracks.jpg').first().click();
  await of.getByRole('img', { name: 'North wall, cracks.jpg' }).waitFor();
};
/** Small pictures of the demo are made when somebody first looks. */
const drawn = (of: Page) => of.waitForTimeout(5_000);

await picture('files', files, DESK, loaded);
await picture('files-dark', files, NIGHT, loaded);
await picture('files-phone', files, PHONE, loaded);
await picture('folder', files, DESK, folderOf);
await picture('folder-phone', files, PHONE, folderOf);
await picture('home', '/', DESK, drawn);
await picture('home-dark', '/', NIGHT);
await picture('home-phone', '/', PHONE);
await picture('project', '/projects/boathouse', DESK);
await picture('viewer', '/projects/boathouse', DESK, photograph);
await picture('search', '/search?q=plan', DESK);

await browser.close();
command.signal('SIGTERM');
await command.outcome;
process.exit(0);
