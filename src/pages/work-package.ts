/** Pages of work packages, at the addresses to which other applications lead. */
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import type { SignedIn, Sessions } from '../auth/sessions.js';
import { makeContext, type Services } from '../context.js';
import { MissingPermission, NotFound } from '../contract/errors.js';
import { parseDatabaseId } from '../contract/ids.js';
import * as documents from '../rest/generated/documents.js';
import { run } from '../rest/documents/run.js';
import { NEW_WORK_PACKAGE, workPackageAddresses } from './application-addresses.js';
import { pageErrors } from './failure.js';
import { html, Html } from './html.js';
import { sendPage } from './page.js';
import { wordsOf, type Say } from './words/index.js';

export function workPackagePages(services: Services & { sessions: Sessions }): Router {
  const contextOf = (res: Response) => {
    const { user, log } = res.locals as SignedIn & { log: Logger };
    return makeContext(services, user, { log });
  };

  const show: RequestHandler = async (req, res) => {
    const id = idIn(req);
    const context = contextOf(res);
    const { workPackage } = await run(context, documents.ViewWorkPackagePageDocument, { id });
    const { subject, description, project, type, status, assignee, attachments } = workPackage;
    const links = workPackage.viewerCanViewFileLinks
      ? (await run(context, documents.ListLinksOfPageDocument, { id })).workPackage.fileLinks
      : undefined;
    const say = wordsOf(res);
    sendPage(res, {
      title: subject,
      isText: true,
      body: html`<p>${say('workPackage.facts', {
        type: type.name,
        id,
        project: project.name,
        status: status.name,
      })}
${
  assignee ? say('workPackage.assigned', { name: assignee.name }) : say('workPackage.unassigned')
}</p>
${
  // `Formattable` makes HTML that is safe.
  new Html(description.html)
}
<h2>${say('workPackage.attachments')}</h2>
${listOf(
  say,
  attachments.nodes.map((file) => ({
    href: `/api/v3/attachments/${file.id}/content`,
    name: file.fileName,
    note: file.description.raw,
  })),
  attachments.totalCount,
)}
${
  links &&
  html`<h2>${say('workPackage.links')}</h2>
${listOf(
  say,
  links.nodes.map((link) => ({
    href: `/api/v3/file_links/${link.id}/open`,
    name: link.originData.name,
    note: link.storage.name,
  })),
  links.totalCount,
)}`
}`,
    });
  };

  const showNew: RequestHandler = async (req, res) => {
    const type = parseDatabaseId(String(req.query['type'] ?? ''));
    const context = contextOf(res);
    const { project } = await run(context, documents.ViewProjectForWorkPackagesDocument, {
      identifier: String(req.params['identifier']),
    });
    if (!project.viewerCanCreateWorkPackage) throw new MissingPermission();
    const { workPackageForm } = await run(context, documents.ViewWorkPackageFormDocument, {
      input: {
        projectId: String(project.id),
        typeId: type === undefined ? null : String(type),
      },
    });
    const say = wordsOf(res);
    const { type: chosen, project: place } = workPackageForm;
    const names = { type: chosen?.name ?? '', project: place?.name ?? '' };
    sendPage(res, {
      title: say('workPackage.new'),
      isText: true,
      body: html`<p>${say(chosen ? 'workPackage.newType' : 'workPackage.newIn', names)}</p>
<p>${say('workPackage.noForm')}</p>`,
    });
  };

  const router = Router().get(NEW_WORK_PACKAGE, services.sessions.requireSignIn, showNew);
  for (const address of workPackageAddresses)
    router.get(address, services.sessions.requireSignIn, show);
  return router.use(['/wp', '/work_packages', '/projects', '/notifications'], pageErrors);
}

/** @throws NotFound */
function idIn(req: Request): string {
  const id = parseDatabaseId(String(req.params['id']));
  if (id === undefined) throw new NotFound();
  return String(id);
}

function listOf(
  say: Say,
  files: { href: string; name: string; note: string }[],
  total: number,
): Html {
  if (files.length === 0) return html`<p>${say('workPackage.none')}</p>`;
  const items = files.map(
    ({ href, name, note }) =>
      html`<li><a href="${href}"><bdi>${name}</bdi></a>${note !== '' && html` – ${note}`}</li>`,
  );
  return html`<ul>${items}</ul>
${total > files.length && html`<p>${say('workPackage.first', { shown: files.length, total })}</p>`}`;
}
