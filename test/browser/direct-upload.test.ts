/** A page in a browser does the three steps of a direct upload with two other origins: the service and the store. */
import type { Browser, Page } from 'playwright-core';
import { startApp, type App } from '../support/app.js';
import { describeBrowser, startBrowser, startFrontEnd } from '../support/browser.js';
import { endCommands, environmentOf, run } from '../support/cli.js';
import { finalized } from '../support/direct-upload.js';
import type { ContainerHandle, Person } from '../support/factories.js';
import { afterAll, beforeAll, expect, test } from '../support/jest.js';
import { clientOf, describeS3, freshBucket, s3Environment, type S3Bucket } from '../support/rgw.js';

describeS3('with a real store', () => {
  describeBrowser('a page of another origin', () => {
    let app: App;
    let bucket: S3Bucket;
    let browser: Browser;
    let frontEnd: Awaited<ReturnType<typeof startFrontEnd>>;
    let page: Page;
    let person: Person;
    let workPackage: ContainerHandle;
    const messages: string[] = [];
    const content = 'sent by a browser '.repeat(100_000);

    beforeAll(async () => {
      [bucket, frontEnd, browser] = await Promise.all([
        freshBucket(),
        startFrontEnd(),
        startBrowser(),
      ]);
      app = await startApp({
        BACKGROUND_WORK: 'true',
        CORS_ORIGINS: frontEnd.origin,
        ...s3Environment(bucket),
      });
      const project = await app.given.project();
      person = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
      workPackage = await app.given.workPackage(project, person);
      page = await browser.newPage();
      page.on('console', (message) => void messages.push(message.text()));
      await page.goto(frontEnd.origin);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      await Promise.all([frontEnd?.stop(), app?.stop(), endCommands()]);
    });

    /** Runs in the page, only with fetch and FormData. @returns the id of the attachment, or what failed */
    const upload = (): Promise<{ id: number; completed?: number; failure?: string }> =>
      page.evaluate(
        async ({ url, path, key, text }) => {
          const headers = { authorization: `Bearer ${key}` };
          const file = new File([text], 'page.txt', { type: 'text/plain' });
          const metadata = new FormData();
          metadata.append(
            'metadata',
            new Blob(
              [
                JSON.stringify({
                  fileName: file.name,
                  fileSize: file.size,
                  contentType: file.type,
                }),
              ],
              { type: 'application/json' },
            ),
          );
          const prepared = (await (
            await fetch(`${url}${path}/prepare`, { method: 'POST', headers, body: metadata })
          ).json()) as any;
          const { href, method, form_fields: fields } = prepared._links.addAttachment;
          const form = new FormData();
          for (const [name, value] of Object.entries(fields)) form.append(name, value);
          form.append('file', file);
          try {
            const sent = await fetch(href, { method, body: form });
            if (sent.status !== 201)
              return { id: prepared.id, failure: `the store answered ${sent.status}` };
          } catch (error) {
            return { id: prepared.id, failure: String(error) };
          }
          const completed = await fetch(url + prepared._links.completeUpload.href, { headers });
          return { id: prepared.id, completed: completed.status };
        },
        { url: app.url, path: workPackage.attachments, key: person.key, text: content },
      );

    test('cannot read the answer of the store before the CORS rule is set', async () => {
      expect(await upload()).toEqual({
        id: expect.any(Number),
        failure: 'TypeError: Failed to fetch',
      });
      expect(messages.join('\n')).toContain('blocked by CORS policy');
    });

    test('uploads straight to the store with the CORS rule that doctor prints', async () => {
      const doctor = async () => {
        const { stdout } = await run(['doctor', '--json'], {
          ...environmentOf(app),
          ...s3Environment(bucket),
          CORS_ORIGINS: frontEnd.origin,
          BASE_URL: frontEnd.origin,
        });
        return JSON.parse(stdout) as { ok: boolean; cors: { CORSRules: never[] } };
      };
      const { ok, cors } = await doctor();
      expect(ok).toBe(false);
      await clientOf(await import('@aws-sdk/client-s3'), bucket).putBucketCors({
        Bucket: bucket.bucket,
        CORSConfiguration: cors,
      });
      expect((await doctor()).ok).toBe(true);

      const { id, ...outcome } = await upload();
      expect(outcome).toEqual({ completed: 200 });
      const { body } = await finalized(app, id, person);
      expect([body.status, body.fileSize, body.contentType]).toEqual([
        'uploaded',
        content.length,
        'text/plain',
      ]);
    }, 60_000);

    test('reads the file at the signed address', async () => {
      const { body } = await app.get(workPackage.attachments, person);
      const [attachment] = body._embedded.elements;
      const read = await page.evaluate(async (href) => {
        const answer = await fetch(href);
        return {
          status: answer.status,
          type: answer.headers.get('content-type'),
          text: await answer.text(),
        };
      }, attachment._links.downloadLocation.href as string);
      expect(read).toEqual({ status: 200, type: 'text/plain; charset=utf-8', text: content });
    });
  });
});
