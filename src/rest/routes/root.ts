/** Routes of the root, where clients start, and of the settings they need. */
import { Router } from 'express';
import * as documents from '../generated/documents.js';
import { configurationMembers } from '../generated/members.js';
import { run } from '../documents/run.js';
import { locals } from '../request/locals.js';
import { paths } from '../represent/paths.js';
import { hal } from '../represent/respond.js';

const perPageOptions = [20, 100];

export const root = Router()
  .get('/', async (_req, res) => {
    const { context, profile } = locals(res);
    const { viewer, viewerCanViewWorkPackages } = await run(
      context,
      documents.ViewRootDocument,
      {},
    );
    hal(res, {
      _type: 'Root',
      instanceName: 'Moorage',
      ...(viewer.admin && { coreVersion: profile.coreVersion }),
      _links: {
        self: { href: paths.root, title: 'Moorage' },
        configuration: { href: paths.configuration },
        projects: { href: paths.projects },
        memberships: { href: paths.memberships },
        ...(viewerCanViewWorkPackages && {
          workPackages: { href: paths.workPackages },
          statuses: { href: paths.statuses },
          types: { href: paths.types },
        }),
        ...(!context.user.anonymous && { notifications: { href: paths.notifications } }),
        ...((profile.linksAnonymousUser || !context.user.anonymous) && {
          user: { href: paths.user(viewer.id), title: viewer.name },
        }),
      },
    });
  })
  .get('/configuration', async (_req, res) => {
    const { context, baseUrl } = locals(res);
    const { configuration } = await run(context, documents.ViewConfigurationDocument, {});
    hal(res, {
      ...configurationMembers(configuration),
      perPageOptions,
      hostName: new URL(baseUrl).host,
      dateFormat: null,
      timeFormat: null,
      startOfWeek: null,
      activeFeatureFlags: [],
      _links: {
        self: { href: paths.configuration },
        ...(configuration.directUploadAvailable && {
          prepareAttachment: { href: paths.prepareAttachment, method: 'post' },
        }),
      },
    });
  });
