/** The operations on memberships and roles. */
import {
  filterParameter,
  hal,
  idOf,
  noGraphql,
  operation,
  pageParameters,
  wholeListParameters,
} from './operation-parts.js';

const tag = 'Users';
const SEEN =
  'Visible are those of projects of which the client is a member. Administrators see all.';
const ROLES = 'Visible to members of any project, and to administrators.';

export const membershipPaths = {
  '/memberships': {
    get: operation({
      operationId: 'listMemberships',
      tag,
      summary: 'List memberships',
      graphql: 'memberships',
      description: `The oldest first. ${SEEN}`,
      parameters: [
        ...pageParameters(),
        filterParameter(
          'JSON such as `[{"project":{"operator":"=","values":["1"]}}]`. Filters: `project`, ' +
            '`principal` and `role` (`=`, `!`). Ids that are not visible match nothing.',
        ),
      ],
      answers: hal(200, 'MembershipCollection', 'A page of memberships.'),
      refusals: ['InvalidQuery'],
    }),
  },
  '/memberships/schema': {
    get: {
      ...operation({
        operationId: 'viewMembershipSchema',
        tag,
        summary: 'View the schema of memberships',
        graphql: '',
        description: 'What the members of a membership are. None can be written.',
        answers: hal(200, 'MembershipSchema', 'The schema.'),
      }),
      ...noGraphql('GraphQL clients read the schema of GraphQL instead.'),
    },
  },
  '/memberships/{id}': {
    parameters: [idOf('membership')],
    get: operation({
      operationId: 'viewMembership',
      tag,
      summary: 'View a membership',
      graphql: 'membership',
      description: SEEN,
      answers: hal(200, 'Membership', 'The membership.'),
      refusals: ['NotFound'],
    }),
  },
  '/roles': {
    get: operation({
      operationId: 'listRoles',
      tag,
      summary: 'List the roles of members',
      graphql: 'roles',
      description: `The oldest first. ${ROLES} The list is empty for others.`,
      parameters: wholeListParameters,
      answers: hal(200, 'RoleCollection', 'The roles.'),
    }),
  },
  '/roles/{id}': {
    parameters: [idOf('role')],
    get: operation({
      operationId: 'viewRole',
      tag,
      summary: 'View a role',
      graphql: 'role',
      description: ROLES,
      answers: hal(200, 'Role', 'The role.'),
      refusals: ['NotFound'],
    }),
  },
};
