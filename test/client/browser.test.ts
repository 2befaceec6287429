/** The package moorage-client in a real browser, with a real store: uploads, lost networks, reloads. */
import { appendFileSync, truncateSync, utimesSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser, startFrontEnd } from '../support/browser.js';
import { eventually } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '../support/jest.js';
import { clientOf, describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';
import { Files, MIB } from './files.js';
import { Gate } from './gate.js';
import { beginUpload, ended, keptIn, loadPage, openPage, restore, see } from './page.js';

describeS3('with a real store', () => {
  describeBrowser('a page of another origin', () => {
    let app: App;
    let bucket: S3Bucket;
    /** Before the store, and before the service. */
    let gate: Gate;
    let serviceGate: Gate;
    let browser: Browser;
    let context: BrowserContext;
    let frontEnd: Awaited<ReturnType<typeof startFrontEnd>>;
    let files: Files;
    let person: Person;
    let page: Page;
    let workPackage: ContainerHandle;
    beforeAll(async () => {
      [bucket, frontEnd, browser] = await Promise.all([
        freshBucket(),
        startFrontEnd(),
        startBrowser(),
      ]);
      gate = await Gate.to(bucket.endpoint);
      await clientOf(await import('@aws-sdk/client-s3'), bucket).putBucketCors({
        Bucket: bucket.bucket,
        CORSConfiguration: {
          CORSRules: [
            { AllowedOrigins: [frontEnd.origin], AllowedMethods: ['POST'], AllowedHeaders: ['*'] },
          ],
        },
      });
      app = await startApp({
        BACKGROUND_WORK: 'true',
        ATTACHMENT_MAX_SIZE: String(300 * MIB),
        CORS_ORIGINS: frontEnd.origin,
        ...s3Environment(bucket),
        S3_PUBLIC_ENDPOINT: gate.url,
      });
      serviceGate = await Gate.to(app.url);
      files = new Files();
      const project = await app.given.project();
      person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
      workPackage = await app.given.workPackage(project, person);
    }, 120_000);
    beforeEach(async () => {
      workPackage = await app.given.workPackage({ id: workPackage.projectId }, person);
      context = await browser.newContext();
      page = await openPage(context, frontEnd.origin, { url: serviceGate.url, key: person.key });
    });
    afterAll(async () => {
      await browser?.close();
      await Promise.all([gate?.stop(), serviceGate?.stop()]);
      await Promise.all([frontEnd?.stop(), app?.stop()]);
      files?.remove();
    });

    const reload = () => loadPage(page, frontEnd.origin, { url: serviceGate.url, key: person.key });

    function release(): void {
      gate.release();
      serviceGate.release();
    }

    /** Begins an upload whose bytes wait on their way. */
    async function beginHeld(name: string, mode = 'form', size = 8 * MIB): Promise<void> {
      gate.hold();
      serviceGate.hold();
      await beginUpload(page, files.path(name, new Uint8Array(size)), {
        containerId: workPackage.globalId,
        mode,
      });
      await eventually(
        () => see(page),
        ({ state, sent }) => state === 'sending' && sent > 0,
      );
    }

    async function attached(): Promise<[string, number][]> {
      const { body } = await app.get(workPackage.attachments, person);
      return body._embedded.elements.map((one: any) => [one.fileName, one.fileSize]);
    }

    test.each(['form', 'regular'])(
      '%s: a file is uploaded with progress',
      async (mode) => {
        await beginHeld('film.bin', mode, 24 * MIB);
        release();
        expect(await ended(page)).toMatchObject({ fileName: 'film.bin', fileSize: 24 * MIB });
        const { states, progress } = await see(page);
        expect(states).toEqual(['queued', 'preparing', 'sending', 'finalising', 'done']);
        expect(progress.at(-1)).toBe(24 * MIB);
        expect(progress.some((sent) => sent > 0 && sent < 24 * MIB)).toBe(true);
      },
      60_000,
    );

    test('without a network it is offline, and goes on when the network is back', async () => {
      await beginHeld('offline.bin');
      await context.setOffline(true);
      await eventually(
        () => see(page),
        ({ state }) => state === 'offline',
      );
      release();
      await context.setOffline(false);
      expect(await ended(page)).toMatchObject({ fileName: 'offline.bin' });
      expect(await attached()).toEqual([['offline.bin', 8 * MIB]]);
    }, 60_000);

    test('a file that changed on the disk is refused', async () => {
      const path = files.path('changes.txt', 'before');
      await page.setInputFiles('input', path);
      // Chromium looks at the file when a page first reads something of it.
      await page.evaluate(
        () => (globalThis as any).document.querySelector('input').files[0].lastModified,
      );
      appendFileSync(path, ' and after');
      const later = new Date(Date.now() + 10_000);
      utimesSync(path, later, later);
      const code = await page.evaluate((containerId) => {
        const all = globalThis as any;
        const [file] = all.document.querySelector('input').files;
        return all.client
          .upload(file, { containerId })
          .done.catch((error: { code: string }) => error.code);
      }, workPackage.globalId);
      expect([code, await attached()]).toEqual(['FILE_CHANGED', []]);
    }, 60_000);

    test.each(['form', 'regular'])(
      '%s: it goes on after a reload',
      async (mode) => {
        await beginHeld('reloaded.bin', mode);
        // The browser writes the file into its database.
        await eventually(
          () => keptIn(page),
          (names) => names.length === 1,
        );
        // Another page does not take it from this one.
        const other = await openPage(context, frontEnd.origin, {
          url: serviceGate.url,
          key: person.key,
        });
        expect(await restore(other)).toEqual([]);

        await reload();
        release();
        expect(await restore(page)).toEqual([
          { fileName: 'reloaded.bin', size: 8 * MIB, state: 'paused', needsFile: false },
        ]);
        await page.evaluate(() => (globalThis as any).upload.resume());
        expect(await ended(page)).toMatchObject({ fileName: 'reloaded.bin', fileSize: 8 * MIB });
        expect(await attached()).toEqual([['reloaded.bin', 8 * MIB]]);
        const { data } = await app.graphql(
          '{ viewer { pendingUploads { totalCount } } }',
          {},
          person,
        );
        expect(data.viewer.pendingUploads.totalCount).toBe(0);
        await eventually(
          () => keptIn(page),
          (names) => names.length === 0,
        );
      },
      60_000,
    );

    test('a large file is picked again after a reload, and only the same one', async () => {
      const path = files.path('large.bin', '');
      truncateSync(path, 201 * MIB);
      gate.hold();
      await beginUpload(page, path, { containerId: workPackage.globalId });
      await eventually(
        () => keptIn(page),
        (names) => names.length === 1,
      );
      await reload();
      release();
      expect(await restore(page)).toEqual([
        { fileName: 'large.bin', size: 201 * MIB, state: 'expired', needsFile: true },
      ]);
      const give = async (file: string) => {
        await page.setInputFiles('input', file);
        return page.evaluate(() => {
          const all = globalThis as any;
          try {
            all.upload.giveFile(all.document.querySelector('input').files[0]);
            return 'taken';
          } catch (error) {
            return (error as { code: string }).code;
          }
        });
      };
      expect(await give(files.path('other.bin', 'other'))).toBe('FILE_DIFFERS');
      expect(await give(path)).toBe('taken');
      expect(await ended(page)).toMatchObject({ fileName: 'large.bin', fileSize: 201 * MIB });
    }, 120_000);

    test('nobody else sees it, it ends after seven days, and signing out removes it', async () => {
      await beginHeld('private.bin');
      await eventually(
        () => keptIn(page),
        (names) => names.length === 1,
      );
      const other = await app.given.user();
      await loadPage(page, frontEnd.origin, { url: serviceGate.url, key: other.key });
      release();
      expect(await restore(page)).toEqual([]);

      await reload();
      await page.evaluate(() => {
        const { now } = Date;
        Date.now = () => now() + 8 * 24 * 3600 * 1000;
      });
      expect(await restore(page)).toEqual([
        { fileName: 'private.bin', size: 8 * MIB, state: 'expired', needsFile: false },
      ]);
      await reload();
      expect(await restore(page)).toEqual([]);

      await beginHeld('signed out.bin');
      await eventually(
        () => keptIn(page),
        (names) => names.length === 1,
      );
      release();
      await page.evaluate(() => (globalThis as any).client.uploads.forget());
      expect([await ended(page), await keptIn(page)]).toEqual(['CANCELLED', []]);
      expect(await page.evaluate(() => (globalThis as any).client.uploads.list().length)).toBe(0);
    }, 60_000);
  });
});
