/** Uploads of the application on a bad day: lost networks, restarts, refusals, reloads, ended sessions. */
import type { Browser, Page } from 'playwright-core';
import { PASSWORD, signable } from '../api/auth/support/applications.js';
import { Files, MIB } from '../client/files.js';
import { Gate } from '../client/gate.js';
import { keptIn } from '../client/page.js';
import { startApp, startBeside, type App } from '../support/app.js';
import { describeBrowser, startBrowser } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { accessibilityOf, complaintsOf, keepTrayOpen, openAs, paste } from '../support/pages.js';
import { clientOf, describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';

const RIGHTS = ['view_work_packages', 'edit_work_packages', 'add_work_package_attachments'];
const SIZE = 8 * MIB;
const WAYS = ['direct', 'regular'] as const;

/** A service behind a gate, with a person and a work package. */
interface Site {
  app: App;
  gate: Gate;
  mia: Person;
  workPackage: ContainerHandle;
  stop(): Promise<void>;
}

async function openSite(environment: { [name: string]: string }): Promise<Site> {
  const app = await startApp({
    ATTACHMENT_MAX_SIZE: String(SIZE),
    BACKGROUND_WORK: 'true',
    // A restart does not wait for uploads.
    SHUTDOWN_SECONDS: '0',
    ...environment,
  });
  const gate = await Gate.to(app.url);
  const mia = await signable(app, { firstName: 'Mia', lastName: 'Ray' });
  const project = await app.given.project();
  await app.given.membership(mia, project, RIGHTS);
  const workPackage = await app.given.workPackage(project, mia);
  const stop = async () => {
    await gate.stop();
    await site.app.stop();
    await app.stop();
  };
  const site: Site = { app, gate, mia, workPackage, stop };
  return site;
}

/** Stops the service and starts it again at the same address. */
async function restart(site: Site): Promise<void> {
  const { port } = new URL(site.app.url);
  await site.app.running.stop();
  site.app = await startBeside(site.app, { PORT: port });
}

describeS3('with a real store', () => {
  describeBrowser('uploads of the application', () => {
    let sites: { [way in (typeof WAYS)[number]]: Site };
    let store: Gate;
    let bucket: S3Bucket;
    let browser: Browser;
    let page: Page | undefined;
    const files = new Files();

    beforeAll(async () => {
      [bucket, browser] = await Promise.all([freshBucket(), startBrowser()]);
      store = await Gate.to(bucket.endpoint);
      const [direct, regular] = await Promise.all([
        openSite({ ...s3Environment(bucket), S3_PUBLIC_ENDPOINT: store.url }),
        openSite({}),
      ]);
      sites = { direct, regular };
      await permit();
    }, 180_000);
    beforeEach(async () => {
      for (const site of Object.values(sites))
        site.workPackage = await site.app.given.workPackage(
          { id: site.workPackage.projectId },
          site.mia,
        );
    });
    afterEach(async () => {
      release();
      const complaints = page ? complaintsOf(page) : [];
      await page?.context().close();
      page = undefined;
      expect(complaints).toEqual([]);
    });
    afterAll(async () => {
      await browser?.close();
      files.remove();
      await Promise.all([store?.stop(), sites?.direct.stop(), sites?.regular.stop()]);
    });

    const gates = () => [store, sites.direct.gate, sites.regular.gate];
    const release = () => gates().forEach((gate) => gate.release());
    const admin = async () => clientOf(await import('@aws-sdk/client-s3'), bucket);

    /** Gives the bucket its CORS rule. */
    async function permit(): Promise<void> {
      const { gate } = sites.direct;
      const rule = { AllowedOrigins: [gate.url], AllowedMethods: ['POST'], AllowedHeaders: ['*'] };
      await (
        await admin()
      ).putBucketCors({ Bucket: bucket.bucket, CORSConfiguration: { CORSRules: [rule] } });
    }

    async function visit({ gate, app, mia, workPackage }: Site): Promise<Page> {
      page = await openAs(browser, app, mia, `/work_packages/${workPackage.id}`, {
        baseURL: gate.url,
      });
      await page.getByText('No attachments yet').waitFor();
      await keepTrayOpen(page);
      return page;
    }

    const choose = (view: Page, name: string, size = SIZE) =>
      view
        .locator('main input[type=file]')
        .first()
        .setInputFiles(files.path(name, Buffer.alloc(size, 'x')));
    const line = (view: Page, name: string) => view.locator('.tray-line', { hasText: name });
    const stateOf = (view: Page, name: string) => line(view, name).getAttribute('data-state');

    /** Begins an upload whose bytes wait on their way. */
    async function beginHeld(view: Page, name: string): Promise<void> {
      for (const gate of gates()) gate.hold();
      await choose(view, name);
      await sent(view, name, (part) => part > 0);
    }

    const sent = (view: Page, name: string, isEnough: (part: number) => boolean) =>
      eventually(
        () =>
          line(view, name)
            .locator('progress')
            .evaluate((one: { value?: number; max?: number }) => one.value! / one.max!),
        isEnough,
      );

    const arrived = async (view: Page) => {
      await view.getByText('All done').waitFor({ timeout: 60_000 });
      await view.locator('.file').first().waitFor();
    };
    async function attached({ app, workPackage, mia }: Site): Promise<[string, number][]> {
      const { body } = await app.get(workPackage.attachments, mia);
      return body._embedded.elements.map((one: any) => [one.fileName, one.fileSize]);
    }
    async function pending({ app, mia }: Site): Promise<number> {
      const { data } = await app.graphql('{ viewer { pendingUploads { totalCount } } }', {}, mia);
      return data.viewer.pendingUploads.totalCount;
    }
    async function arrivesOnce(view: Page, site: Site, name: string): Promise<void> {
      await arrived(view);
      expect([await attached(site), await pending(site)]).toEqual([[[name, SIZE]], 0]);
    }
    const signInDialog = (view: Page) => view.getByRole('dialog', { name: 'You were signed out' });
    async function signIn(view: Page, login: string): Promise<void> {
      const dialog = signInDialog(view);
      await dialog.getByLabel('Login').fill(login);
      await dialog.getByLabel('Password').fill(PASSWORD);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    }
    /** The page asks the service, unless it has heard of the end already. */
    async function noticesTheEnd(view: Page): Promise<void> {
      const link = view.getByRole('link', { name: 'My files' });
      await link.click({ timeout: 2_000 }).catch(() => undefined);
      await signInDialog(view).waitFor();
    }
    async function signOutElsewhere(view: Page, site: Site): Promise<void> {
      const other = await view.context().newPage();
      await other.goto(`/work_packages/${site.workPackage.id}`);
      await other.getByLabel('Signed in as Mia Ray').click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await other.waitForURL('**/login');
      await other.close();
    }

    test.each(WAYS)(
      '%s: without a network it waits, and goes on by itself',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        await beginHeld(view, 'offline.bin');
        await view.context().setOffline(true);
        await line(view, 'offline.bin')
          .getByText('Waiting for the network, goes on by itself')
          .waitFor();
        expect(await accessibilityOf(view)).toEqual([]);
        release();
        await view.context().setOffline(false);
        await arrivesOnce(view, site, 'offline.bin');
      },
      90_000,
    );

    test.each(WAYS)(
      '%s: a restart of the service is survived, once',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        await beginHeld(view, 'restarted.bin');
        await restart(site);
        release();
        await arrivesOnce(view, site, 'restarted.bin');
      },
      120_000,
    );

    test.each(WAYS)(
      '%s: it is paused, and begins again',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        await beginHeld(view, 'paused.bin');
        await view.getByRole('button', { name: 'Pause paused.bin' }).click();
        await line(view, 'paused.bin')
          .getByText('Paused. It begins again at the first byte.')
          .waitFor();
        release();
        await view.getByRole('button', { name: 'Resume paused.bin' }).click();
        await arrivesOnce(view, site, 'paused.bin');
      },
      90_000,
    );

    test.each(WAYS)(
      '%s: a reload asks first, and the upload is offered again',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        const asked: string[] = [];
        view.on('dialog', (dialog) => {
          asked.push(dialog.type());
          void dialog.accept();
        });
        await beginHeld(view, 'reloaded.bin');
        await eventually(
          () => keptIn(view),
          (names) => names.length === 1,
        );
        // Browsers ask only on pages that somebody has used.
        await view.locator('h1').click();
        await view.reload();
        release();
        expect(asked).toEqual(['beforeunload']);
        await view.getByText('1 upload').waitFor();
        await line(view, 'reloaded.bin')
          .getByText('Paused. It begins again at the first byte.')
          .waitFor();
        await view.getByRole('button', { name: 'Resume reloaded.bin' }).click();
        await arrivesOnce(view, site, 'reloaded.bin');
      },
      90_000,
    );

    /** Begins a regular upload whose bytes have all left the browser. They wait on their way. */
    async function beginLate(view: Page, name: string): Promise<void> {
      sites.regular.gate.hold();
      // As much as the buffers of a connection take.
      await choose(view, name, 2 * MIB);
      await sent(view, name, (part) => part === 1);
    }

    test('regular: it is paused when all bytes have left, and arrives once', async () => {
      const site = sites.regular;
      const view = await visit(site);
      await beginLate(view, 'late.bin');
      await view.getByRole('button', { name: 'Pause late.bin' }).click();
      release();
      await view.getByRole('button', { name: 'Resume late.bin' }).click();
      await arrived(view);
      expect(await attached(site)).toEqual([['late.bin', 2 * MIB]]);
    }, 90_000);

    test('regular: it is cancelled when all bytes have left, and does not stay', async () => {
      const site = sites.regular;
      const view = await visit(site);
      await beginLate(view, 'late.bin');
      const removal = view.waitForRequest((one) =>
        Boolean(one.postData()?.includes('deleteAttachment')),
      );
      await view.getByRole('button', { name: 'Cancel late.bin' }).click();
      release();
      await removal;
      await eventually(
        () => attached(site),
        (files) => files.length === 0,
      );
    }, 90_000);

    test('a cancelled upload leaves nothing behind', async () => {
      const site = sites.direct;
      const view = await visit(site);
      await beginHeld(view, 'cancelled.bin');
      expect(await pending(site)).toBe(1);
      await view.getByRole('button', { name: 'Cancel cancelled.bin' }).click();
      await line(view, 'cancelled.bin').getByText('Cancelled', { exact: true }).waitFor();
      await eventually(
        () => pending(site),
        (count) => count === 0,
      );
      expect(await attached(site)).toEqual([]);
      await view.getByRole('button', { name: 'Clear finished' }).click();
      await view.locator('.tray').waitFor({ state: 'detached' });
    }, 90_000);

    test('a busy service is asked again after the time that it names', async () => {
      const site = sites.direct;
      const view = await visit(site);
      await view.clock.install();
      let attempts = 0;
      await view.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('prepareAttachmentUpload'))
          return route.continue();
        attempts += 1;
        if (attempts > 1) return route.continue();
        return route.fulfill({
          status: 503,
          headers: { 'retry-after': '600' },
          json: {
            errors: [
              {
                message: 'Too many requests are running. Try again later.',
                extensions: { code: 'SERVICE_UNAVAILABLE', status: 503 },
              },
            ],
          },
        });
      });
      await choose(view, 'busy.bin');
      await line(view, 'busy.bin').getByText('The service is busy, goes on by itself').waitFor();
      await view.clock.fastForward(500_000);
      expect([attempts, await stateOf(view, 'busy.bin')]).toEqual([1, 'queued']);
      await view.clock.fastForward(200_000);
      await arrived(view);
      expect([attempts, await attached(site)]).toEqual([2, [['busy.bin', SIZE]]]);
    }, 90_000);

    /** The store refuses so many forms. @returns how often forms were prepared since */
    async function refuse(view: Page, times: number): Promise<() => number> {
      let prepared = 0;
      let refused = 0;
      view.on('request', (request) => {
        if (request.url().startsWith(store.url)) return;
        if (request.postData()?.includes('prepareAttachmentUpload')) prepared += 1;
      });
      await view.route(`${store.url}/**`, async (route) => {
        if (refused === times) return route.continue();
        refused += 1;
        return route.fulfill({
          status: 403,
          headers: { 'access-control-allow-origin': '*' },
          contentType: 'application/xml',
          body: '<Error><Code>AccessDenied</Code></Error>',
        });
      });
      return () => prepared;
    }

    test('a form that the store refuses is prepared anew once', async () => {
      const site = sites.direct;
      const view = await visit(site);
      const prepared = await refuse(view, 1);
      await choose(view, 'expired.bin');
      await arrived(view);
      expect([prepared(), await attached(site), await pending(site)]).toEqual([
        2,
        [['expired.bin', SIZE]],
        0,
      ]);
    }, 90_000);

    test('a store that refuses again is named, and the upload can be tried again', async () => {
      const site = sites.direct;
      const view = await visit(site);
      const prepared = await refuse(view, 2);
      await choose(view, 'refused.bin');
      const refused = line(view, 'refused.bin');
      await refused
        .getByText('The file store refused the file. Try again, or tell your administrator.')
        .waitFor();
      await refused.getByText('Details for your administrator').click();
      await refused.getByText('with the status 403 (AccessDenied)').waitFor();
      expect([prepared(), await view.getByText('1 needs you').isVisible()]).toEqual([2, true]);
      await refused.getByRole('button', { name: 'Try again' }).click();
      await arrivesOnce(view, site, 'refused.bin');
    }, 90_000);

    test('signing out asks first while an upload runs, and then leaves nothing behind', async () => {
      const site = sites.direct;
      const view = await visit(site);
      await beginHeld(view, 'left.bin');
      const signOut = async () => {
        await view.getByLabel('Signed in as Mia Ray').click();
        await view.getByRole('button', { name: 'Sign out' }).click();
      };
      await signOut();
      const dialog = view.getByRole('dialog', {
        name: '1 upload has not ended. Signing out stops it.',
      });
      expect(await accessibilityOf(view)).toEqual([]);
      await dialog.getByRole('button', { name: 'Stay signed in' }).click();
      expect([await dialog.count(), await stateOf(view, 'left.bin')]).toEqual([0, 'sending']);
      await signOut();
      await dialog.getByRole('button', { name: 'Sign out' }).click();
      await view.waitForURL('**/login');
      release();
      expect([await attached(site), await pending(site)]).toEqual([[], 0]);
    }, 90_000);

    test('an upload that was interrupted more than seven days ago says so', async () => {
      const site = sites.direct;
      const view = await visit(site);
      view.on('dialog', (dialog) => void dialog.accept());
      await beginHeld(view, 'old.bin');
      await eventually(
        () => keptIn(view),
        (names) => names.length === 1,
      );
      await view.clock.install({ time: Date.now() + 8 * 24 * 3600_000 });
      await view.reload();
      const old = line(view, 'old.bin');
      await old.getByText('Interrupted more than seven days ago. Add the file again.').waitFor();
      expect(await old.getByRole('button').allInnerTexts()).toEqual(['']);
      await view.getByRole('button', { name: 'Cancel old.bin' }).click();
      await view.reload();
      await view.getByText('No attachments yet').waitFor();
      expect(await line(view, 'old.bin').count()).toBe(0);
    }, 90_000);

    test.each(WAYS)(
      '%s: signed out in another window, nothing is lost',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        await beginHeld(view, 'signed out.bin');
        await signOutElsewhere(view, site);
        // The service has read who sends a regular upload.
        if (way === 'regular') site.gate.cut();
        release();
        const dialog = signInDialog(view);
        await dialog
          .getByText('Nothing is lost. 1 upload waits, and goes on when you are back.')
          .waitFor();
        expect(await accessibilityOf(view)).toEqual([]);
        expect(await dialog.getByLabel('Login').inputValue()).toBe(site.mia.login);
        await dialog.getByLabel('Password').fill('wrong');
        await dialog.getByLabel('Password').press('Enter');
        await dialog.getByRole('alert').getByText('Login or password is wrong.').waitFor();
        await dialog.getByLabel('Password').fill(PASSWORD);
        await dialog.getByLabel('Password').press('Enter');
        await view.getByText('All done').waitFor();
        expect(await dialog.count()).toBe(0);
        expect([await attached(site), await pending(site)]).toEqual([
          [['signed out.bin', SIZE]],
          0,
        ]);
      },
      120_000,
    );

    test('a person who is signed out in another window goes on where they were', async () => {
      const site = sites.direct;
      const view = await visit(site);
      await signOutElsewhere(view, site);
      await noticesTheEnd(view);
      const dialog = signInDialog(view);
      await dialog.getByText('Nothing is lost. Sign in, and go on where you were.').waitFor();
      const { pathname } = new URL(view.url());
      await signIn(view, site.mia.login);
      await dialog.waitFor({ state: 'detached' });
      await view.getByRole('main').getByRole('alert').waitFor({ state: 'detached' });
      expect(new URL(view.url()).pathname).toBe(pathname);
      await view.getByRole('link', { name: 'My files' }).click();
      await view.getByRole('heading', { name: 'My files' }).waitFor();
    }, 90_000);

    test('the question can wait, and is answered by a sign-in in another window', async () => {
      const site = sites.direct;
      const view = await visit(site);
      await signOutElsewhere(view, site);
      await noticesTheEnd(view);
      const dialog = signInDialog(view);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await view
        .getByRole('navigation', { name: 'Moorage' })
        .getByRole('link', { name: 'Projects' })
        .click();
      await view.getByText('You were signed out. Nothing is lost.').waitFor();
      expect([await dialog.count(), await accessibilityOf(view)]).toEqual([0, []]);
      await view.getByRole('button', { name: 'Sign in', exact: true }).click();
      await dialog.waitFor();
      const other = await view.context().newPage();
      await other.goto('/login');
      await other.getByLabel('Login').fill(site.mia.login);
      await other.getByLabel('Password').fill(PASSWORD);
      await other.getByRole('button', { name: 'Sign in', exact: true }).click();
      await other.waitForURL((url) => url.pathname === '/');
      await other.close();
      await view.bringToFront();
      await view.getByRole('heading', { name: 'Projects' }).waitFor();
      await dialog.waitFor({ state: 'detached' });
    }, 90_000);

    test('if somebody else signs in, the page is theirs, and uploads wait for their owner', async () => {
      const site = sites.direct;
      const rob = await signable(site.app, { firstName: 'Rob', lastName: 'Reed' });
      const view = await visit(site);
      view.on('dialog', (question) => void question.accept());
      await beginHeld(view, 'of mia.bin');
      await eventually(
        () => keptIn(view),
        (names) => names.length === 1,
      );
      await signOutElsewhere(view, site);
      release();
      await signInDialog(view).waitFor();
      await signIn(view, rob.login);
      await view.getByLabel('Signed in as Rob Reed').waitFor();
      await view.getByText('There is nothing at this address').waitFor();
      expect([await line(view, 'of mia.bin').count(), await attached(site)]).toEqual([0, []]);
      await view.getByLabel('Signed in as Rob Reed').click();
      await view.getByRole('button', { name: 'Sign out' }).click();
      await view.waitForURL('**/login');
      await view.getByLabel('Login').fill(site.mia.login);
      await view.getByLabel('Password').fill(PASSWORD);
      await view.getByRole('button', { name: 'Sign in', exact: true }).click();
      await view.getByRole('button', { name: 'Resume of mia.bin' }).click();
      await view.getByText('All done').waitFor();
      expect(await attached(site)).toEqual([['of mia.bin', SIZE]]);
    }, 120_000);

    test.each(WAYS)(
      '%s: two pasted pictures arrive',
      async (way) => {
        const site = sites[way];
        const view = await visit(site);
        await paste(view, ['one', 'two!']);
        await view.locator('.file').nth(1).waitFor();
        await arrived(view);
        const found = (await attached(site)).sort();
        const name = found[0]?.[0] ?? '';
        expect(name).toMatch(/^Pasted \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d \(2\)\.png$/);
        expect(found).toEqual([
          [name, 4],
          [name.replace(' (2)', ''), 3],
        ]);
      },
      90_000,
    );

    // The last one: the service does not prepare uploads of this origin for ten minutes.
    test('without a CORS rule the file goes through the service', async () => {
      const site = sites.direct;
      await (await admin()).deleteBucketCors({ Bucket: bucket.bucket });
      const view = await visit(site);
      await view.clock.install();
      await choose(view, 'blocked.bin');
      await eventually(
        async () => {
          const state = await stateOf(view, 'blocked.bin').catch(() => undefined);
          if (state === 'offline') await view.clock.fastForward(60_000);
          return attached(site);
        },
        (files) => files.length === 1,
      );
      expect([await attached(site), await pending(site)]).toEqual([[['blocked.bin', SIZE]], 0]);
      await permit();
    }, 120_000);
  });
});
