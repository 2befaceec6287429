import { startApp } from '../../support/app.js';
import { expect, test } from '../../support/jest.js';
test('x', async () => {
  const app = await startApp({ API_PROFILE: 'openproject' });
  const project = await app.given.project({ name: 'Depot' });
  const mia = await app.given.member(project, ['view_work_packages', 'add_work_packages', 'edit_work_packages']);
  await app.given.workPackage(project, mia, 'Lay cable', { assigneeId: mia.id });
  const auth = { authorization: `Bearer ${mia.key}` };
  for (const [method, path, body] of [
    ['GET', `/work_packages?filters=${encodeURIComponent('[{"typeahead":{"operator":"**","values":["dep lay"]}}]')}&sortBy=${encodeURIComponent('[["updatedAt","desc"]]')}`],
    ['GET', '/projects'], ['GET', '/projects/' + project.identifier], ['GET', '/statuses'], ['GET', '/types/1'],
    ['GET', `/projects/${project.id}/work_packages`],
    ['GET', '/work_packages/available_projects'], ['GET', `/projects/${project.id}/available_assignees`],
    ['POST', `/projects/${project.id}/work_packages/form`, '{"_links":{"type":{"href":null},"assignee":{"href":null,"title":null}}}'],
    ['POST', '/work_packages/form', '{}'],
    ['POST', '/work_packages', '{}'],
    ['POST', `/projects/${project.id}/work_packages`, `{"subject":"A","description":{"raw":"**b**"},"_links":{"assignee":{"href":"/api/v3/users/${mia.id}"},"status":{"href":"/api/v3/statuses/9"}}}`],
    ['POST', `/projects/${project.id}/work_packages`, `{"subject":"A","description":{"raw":"**b**"},"_links":{"assignee":{"href":"/api/v3/users/${mia.id}"},"status":{"href":"/api/v3/statuses/1"}}}`],
  ] as [string, string, string?][]) {
    const answer = await fetch(app.url + '/api/v3' + path, { method, headers: { ...auth, ...(body && { 'content-type': 'application/json' }) }, ...(body && { body }) });
    console.log(method, path, answer.status, JSON.stringify(await answer.json(), null, 1));
  }
  await app.stop();
  expect(1).toBe(1);
});
