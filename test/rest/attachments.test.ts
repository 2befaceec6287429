import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startApp, type App } from '../support/app.js';

let app: App;
beforeAll(async () => { app = await startApp(); });
afterAll(() => app.stop());

describe('smoke', () => {
  test('a file comes back identical', async () => {
    const project = await app.given.project();
    const editor = await app.given.member(project, ['view_work_packages', 'edit_work_packages']);
    const wp = await app.given.workPackage(project, editor);
    const { status, body } = await app.upload(wp.attachments, { as: editor, fileName: 'a.txt', content: 'hello' });
    expect(status).toBe(200);
    const content = await app.get(`/api/v3/attachments/${body.id}/content`, editor);
    expect(content.text).toBe('hello');
  });
});
