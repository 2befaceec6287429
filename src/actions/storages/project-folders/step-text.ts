/** Says in words what a step does, for the dry run and the log. */
import {
  fileRights,
  type FolderStep,
  type PermissionChange,
  type Rights,
} from '../../../storages/managed-folders.js';

export function stepText(step: FolderStep): string {
  switch (step.kind) {
    case 'adopt':
      return `take over the folder ${quoted(step.name)}`;
    case 'stage':
      return 'make the hidden folder for new folders';
    case 'create':
      return `make the folder ${quoted(step.name)}`;
    case 'rename':
      return `rename the folder ${quoted(step.from)} to ${quoted(step.to)}`;
    case 'set_rights':
      return `set the rights of ${quoted(step.name)}: ${rightsText(step.rights)}`;
    case 'place':
      return `move the new folder ${quoted(step.name)} to its place`;
    case 'hide':
      return `hide the folder ${quoted(step.name)} from everybody`;
    case 'open_top':
      return 'let members of the group see the team folder';
    case 'change_permissions':
      return `in ${quoted(step.name)}: ${step.changes.map(changeText).join('; ')}`;
    case 'join':
      return `add ${step.person} to the group`;
    case 'leave':
      return `remove ${step.person} from the group`;
    case 'delete':
      return `delete the folder ${quoted(step.name)}`;
  }
}

function changeText(change: PermissionChange): string {
  switch (change.kind) {
    case 'invite':
      return `let ${change.people.join(', ')} ${change.role}`;
    case 'change_role':
      return `change the permission ${change.permission} to ${change.role}`;
    case 'revoke':
      return `remove the permission ${change.permission}`;
  }
}

const quoted = (name: string) => JSON.stringify(name);

const rightsText = (rights: Rights): string =>
  [...rights]
    .map(([person, held]) => `${person} ${fileRights.filter((right) => held.has(right)).join('+')}`)
    .sort()
    .join(', ') || 'nobody';
