/** Schemas of memberships and roles. */
import * as documents from '../src/rest/generated/documents.js';
import { collectionMembers, pageMembers } from './collections.js';
import { membersOf } from './derive.js';
import { attribute, inLinks } from './attribute-schemas.js';
import { links } from './links.js';
import {
  array,
  described,
  link,
  object,
  text,
  titled,
  typeMember,
  type Members,
} from './shapes.js';

export const membershipSchemas: Members = {
  Membership: object(
    {
      ...membersOf(documents.MembershipMembersFragmentDoc),
      _links: links({
        self: titled('/memberships/{id}'),
        schema: link('/memberships/schema'),
        project: titled('/projects/{id}'),
        principal: titled('/users/{id}'),
        roles: described('The roles of the member, by name.', array(titled('/roles/{id}'))),
      }),
    },
    'The membership of a person in a project.',
  ),
  MembershipCollection: object(pageMembers('Membership', '/memberships'), 'A page of memberships.'),
  MembershipSchema: object(
    {
      _type: typeMember('Schema'),
      _dependencies: described('Always empty.', array(text)),
      id: attribute('Integer'),
      createdAt: attribute('DateTime'),
      updatedAt: attribute('DateTime'),
      project: attribute('Project', inLinks),
      principal: attribute('Principal', inLinks),
      roles: attribute('[]Role', inLinks),
      _links: links({ self: link('/memberships/schema') }),
    },
    'What the members of a membership are.',
  ),
  Role: object(
    {
      ...membersOf(documents.RoleMembersFragmentDoc),
      _links: links({ self: titled('/roles/{id}') }),
    },
    'A role of members.',
  ),
  RoleCollection: object(
    { ...collectionMembers('Role'), _links: links({ self: link('/roles') }) },
    'All roles, on one page.',
  ),
};
