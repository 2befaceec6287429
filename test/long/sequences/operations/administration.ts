/** Administrators change projects and their members over GraphQL. All others are refused. */
import { pick, type Model } from '../model.js';
import { roles, type RoleName } from '../rules.js';
import type { Operation } from '../step.js';

const refusal = ({ admin }: { admin: boolean }) => (admin ? undefined : 'MissingPermission');
const members = (model: Model) =>
  model.people.filter(({ key, admin }) => key !== undefined && !admin);

export const setMember: Operation = (model, person, { a, b, c }) => {
  const project = pick(model.projects, a);
  const member = pick(members(model), b);
  const role = pick(Object.keys(roles) as RoleName[], c);
  return {
    says: `makes ${member.name} ${role} of the ${project.name}`,
    refusal: refusal(person),
    async graphql(caller) {
      let id = '1';
      await caller.graphql('{ roles { databaseId name } }', {}, (data) => {
        id = String(data.roles.find(({ name }: any) => name === role)?.databaseId ?? id);
        return {};
      });
      return caller.graphql(
        'mutation ($input: SetMembershipInput!) { setMembership(input: $input) { membership { roles { name } } } }',
        {
          input: { projectId: String(project.id), userId: String(member.id), roleIds: [id] },
        },
        (data) => ({ shown: data.setMembership.membership.roles }),
      );
    },
    change: () => void project.members.set(member, role),
    shows: () => [{ name: role }],
  };
};

export const removeMember: Operation = (model, person, { a, b }) => {
  const project = pick(model.projects, a);
  const member = pick(members(model), b);
  return {
    says: `removes ${member.name} from the ${project.name}`,
    refusal: refusal(person) ?? (project.members.has(member) ? undefined : 'NotFound'),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($input: RemoveMembershipInput!) { removeMembership(input: $input) { project { databaseId } } }',
        { input: { projectId: String(project.id), userId: String(member.id) } },
        (data) => ({ shown: data.removeMembership.project }),
      ),
    change: () => void project.members.delete(member),
    shows: () => ({ databaseId: project.id }),
  };
};

export const openOrClose: Operation = (model, person, { a }) => {
  const project = pick(model.projects, a);
  const isPublic = !project.isPublic;
  return {
    says: `makes the ${project.name} ${isPublic ? 'public' : 'private'}`,
    refusal: refusal(person),
    graphql: (caller) =>
      caller.graphql(
        'mutation ($input: UpdateProjectInput!) { updateProject(input: $input) { project { databaseId public } } }',
        { input: { id: String(project.id), public: isPublic } },
        (data) => ({ shown: data.updateProject.project }),
      ),
    change: () => void (project.isPublic = isPublic),
    shows: () => ({ databaseId: project.id, public: isPublic }),
  };
};

/** What an administrator makes and ends again. Everybody else is refused at the first step. */
const lives = [
  {
    says: 'creates, changes and deletes a role',
    steps: [
      'createRole(input: { name: $name, permissions: [] }) { made: role { id } }',
      'updateRole(input: { id: $id, permissions: [VIEW_MEETINGS] }) { role { permissions } }',
      'deleteRole(input: { id: $id }) { __typename }',
    ],
    shows: { __typename: 'DeleteRolePayload' },
  },
  {
    says: 'creates, locks, unlocks and erases a person',
    steps: [
      'createUser(input: { login: $name, firstName: "New" }) { made: user { id } }',
      'lockUser(input: { id: $id }) { user { status } }',
      'unlockUser(input: { id: $id }) { user { status } }',
      'eraseUser(input: { id: $id }) { user { name status } }',
    ],
    shows: { user: { name: 'Deleted user', status: 'LOCKED' } },
  },
  {
    says: 'creates a person, and ends all their sessions',
    steps: [
      'createUser(input: { login: $name, firstName: "New" }) { made: user { id } }',
      'endSessionsOf(input: { userId: $id }) { user { firstName sessions { totalCount } } }',
    ],
    shows: { user: { firstName: 'New', sessions: { totalCount: 0 } } },
  },
  {
    says: 'creates and deletes an OAuth application',
    steps: [
      'createOAuthApplication(input: { name: $name, redirectUris: ["https://a.example/b"] }) { made: oauthApplication { id } }',
      'deleteOAuthApplication(input: { id: $id }) { __typename }',
    ],
    shows: { __typename: 'DeleteOAuthApplicationPayload' },
  },
] as const;

export const administer: Operation = (_model, person, { a }) => {
  const { says, steps, shows } = pick(lives, a);
  return {
    says,
    refusal: refusal(person),
    async graphql(caller) {
      let id = '';
      let outcome = {};
      for (const mutation of steps) {
        const variable = mutation.includes('$name') ? '$name: String!' : '$id: ID!';
        const variables = variable.startsWith('$name') ? { name: `new ${Math.random()}` } : { id };
        const answer = await caller.graphql(
          `mutation (${variable}) { payload: ${mutation} }`,
          variables,
          ({ payload }) => {
            id = payload.made?.id ?? id;
            return { shown: payload };
          },
        );
        if (answer.refusal !== undefined) return answer;
        outcome = answer;
      }
      return outcome;
    },
    shows: () => shows,
  };
};

/** What acts in a name, with an id that nothing has: the same refusal for everybody. */
export const end: Operation = (_model, _person, { a }) => {
  const what = pick(['Session', 'Authorization', 'Connection'] as const, a);
  return {
    says: `ends a ${what} that does not exist`,
    refusal: 'NotFound',
    graphql: (caller) =>
      caller.graphql(
        `mutation ($id: ID!) { end${what}(input: { id: $id }) { __typename } }`,
        { id: '2000000000' },
        () => ({}),
      ),
  };
};
