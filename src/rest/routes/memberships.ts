/** Routes of memberships and their roles. */
import { Router } from 'express';
import * as documents from '../generated/documents.js';
import { run } from '../documents/run.js';
import { collection, page } from '../represent/collection.js';
import { membershipSchema, representMembership, representRole } from '../represent/membership.js';
import { paths } from '../represent/paths.js';
import { hal } from '../represent/respond.js';
import { idOf, locals } from '../request/locals.js';
import { membershipFilters } from '../request/membership-query.js';
import { pageOf, textOf } from '../request/page-and-filters.js';

export const memberships = Router()
  .get('/memberships', async (req, res) => {
    const asked = pageOf(req);
    const {
      memberships: { totalCount, nodes },
    } = await run(locals(res).context, documents.ListMembershipsDocument, {
      filter: membershipFilters(req),
      first: asked.pageSize,
      page: asked.offset,
    });
    const elements = nodes.map(representMembership);
    hal(res, page(paths.memberships, totalCount, elements, asked, textOf(req, 'filters')));
  })
  .get('/memberships/schema', (_req, res) => hal(res, membershipSchema))
  .get('/memberships/:id', async (req, res) => {
    const { membership } = await run(locals(res).context, documents.ViewMembershipDocument, {
      id: idOf(req),
    });
    if (membership) hal(res, representMembership(membership));
  })
  .get('/roles', async (_req, res) => {
    const { roles } = await run(locals(res).context, documents.ListRolesDocument, {});
    hal(res, collection(paths.roles, roles.length, roles.map(representRole)));
  })
  .get('/roles/:id', async (req, res) => {
    const { role } = await run(locals(res).context, documents.ViewRoleDocument, { id: idOf(req) });
    if (role) hal(res, representRole(role));
  });
