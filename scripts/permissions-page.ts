/** `docs/reference/generated/permissions.md`: which operation requires which permission. */
import { containerKinds, containerTypes } from '../src/contract/container-kinds.js';
import { schema } from '../src/graphql/schema.js';
import { ANONYMOUS, NON_MEMBER } from '../src/models/role.js';
import {
  containers,
  internalComments,
  permissions,
  storages,
} from '../src/policies/permissions.js';
import { isForApplications } from '../src/resolvers/for-applications.js';

const HEAD = `<!-- Generated from src/contract/container-kinds.ts, src/policies/permissions.ts and the schema: npm run generate -->
# Permissions

A role has permissions. A membership gives a user one or more roles in a project.
Roles and memberships come from the [directory](../../how-to/import-the-directory.md).

- **Administrators** have every permission in every project.
- **In a public project**, the role \`${NON_MEMBER}\` applies to signed-in users without a membership. The role \`${ANONYMOUS}\` applies to anonymous callers.
- **Locked users** cannot sign in or use their keys.
- A resource that the caller may not see answers 404, like a missing one. A visible resource with a forbidden operation answers 403.

These permissions exist: ${list([...permissions])}.

## Containers and their attachments

One of the named permissions is enough. It must be granted in the project of the container.
`;

const NOTES = `
- A user who sees a container sees and downloads its attachments, except files in quarantine or before their scan. See [virus scanning](../../how-to/virus-scanning.md).
- Internal comments also require \`${internalComments}\`, for reading and for writing them.
- Activities are comments and records of changes. Nobody attaches files to a record of a change, and nobody changes or deletes it.
- "Own" means: the user wrote the comment. For deleting an attachment, the user wrote the comment or uploaded the attachment. Anonymous callers own nothing.
- Anonymous callers cannot prepare direct uploads.

## Attachments without a container

- Uploading or preparing one requires a permission of the column "attach files", in any project. Those of activities do not count. Anonymous callers get 403.
- Only the author sees it, claims it and deletes it. Administrators do not see it either.
- A prepared direct upload is visible to its author only.
- Administrators see all files in quarantine. They alone release them.

## Storages and file links

| operation | required |
|---|---|
| see a storage, browse its files | ${all(storages.view)} in a project that uses it |
| see the file links of a work package | ${all(storages.view)} in its project |
| create and remove file links | \`${storages.manage}\` in the project |
| create folders and prepare uploads in a storage | \`${storages.manage}\` in a project that uses it |
| create unclaimed file links | \`${storages.manage}\` in a project that uses the storage |
| add a storage to a project, change or remove it there | \`${storages.administer}\` in the project |
| see all storages, without their files | \`${storages.administer}\` in any project |
| create, change and delete storages, set credentials, check health | administrators only |

The creator of an unclaimed file link can remove it without \`${storages.manage}\`.
A link to a work package may name any storage that the project of the work package uses.

## People, projects and administration

| operation | who |
|---|---|
| see a project | its members, administrators, and everybody if it is public |
| see users | signed-in users see all; anonymous callers see the people of public projects |
| see an e-mail address | the user and administrators |
| manage API keys | each user for itself |
| change a password | each user with one for itself, in a browser that is signed in, not with an API key |
| webhooks, quarantine, \`/metrics\` on the main port | administrators |

## The profile openproject

With \`API_PROFILE=openproject\` three rules differ, over REST and GraphQL:

| operation | required |
|---|---|
| attach files to a comment | ${list(containers.Activity.prepare ?? [])} |
| create unclaimed file links | ${all(storages.view)} in a project that uses the storage |
| remove the file link of a work package | ${all([...containers.WorkPackage.view, storages.manage])}; it need not be visible |

## Access tokens of applications

An access token acts for the user who granted it. That may be a token of this service or of the OpenID provider.
It reads what the user may read. It may write only with these mutations, and with the REST operations that do the same:

${mutations(true)}

Every other mutation answers 403 \`MissingPermission\`, whether its records exist or not:

${mutations(false)}

A user administers with an API key or in the browser.
`;

/** The mutations that applications may call, or the others. */
function mutations(forApplications: boolean): string {
  const all = Object.values(schema.getMutationType()?.getFields() ?? {});
  return list(
    all.filter((field) => isForApplications(field) === forApplications).map(({ name }) => name),
  );
}

function list(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function all(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}

export function permissionsPage(): string {
  const rows = containerTypes.map((type) => {
    const { view, create, add, prepare, edit, editOwn } = containers[type];
    const cells = [
      containerKinds[type].plural,
      all(view),
      list(create),
      list(add),
      prepare ? list(prepare) : 'as attaching',
      `${list(edit)}${editOwn ? `; own: ${list(editOwn)}` : ''}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `${HEAD}\n| kind | see | create | attach files | prepare direct uploads | change, delete, delete attachments |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n${NOTES}`;
}
