/** The health checks of project folders in the team folder. */
import type { HealthCheck, HealthCheckInput, HealthCheckResult } from '../adapter.js';
import { isRefusal, StorageFailure } from '../failure.js';
import { FoldersUnavailable, NOTHING_WANTED, quotedNames } from '../managed-folders.js';
import { capabilities } from './capabilities.js';
import { planFolders, type FoundTeamFolder } from './plan-folders.js';
import { readGroup, readTeamFolder } from './team-folder.js';

async function app({ target }: HealthCheckInput): Promise<HealthCheckResult> {
  const { appVersion, teamFolders } = await capabilities(target);
  if (appVersion !== undefined && teamFolders) return { hint: 'It can keep a team folder.' };
  return {
    code: 'team_folder_app_missing',
    hint: 'Team folders are switched off. Enable the apps of the integration and of team folders there.',
  };
}

/** Signs in and lists the team folder. @throws FoldersUnavailable if it is missing */
function read({
  target,
  applicationPassword = '',
  wanted = NOTHING_WANTED,
}: HealthCheckInput): Promise<FoundTeamFolder> {
  return readTeamFolder(target, applicationPassword, wanted);
}

async function access(input: HealthCheckInput): Promise<HealthCheckResult> {
  try {
    await readGroup(input.target, input.applicationPassword ?? '');
    return { hint: 'The service may manage the group OpenProject.' };
  } catch (error) {
    if (error instanceof StorageFailure && (isRefusal(error.status) || error.status === 404))
      return {
        code: 'folder_access_refused',
        hint:
          'The service may not manage the group OpenProject, or there is none. Repeat the set-up of ' +
          'project folders in the integration app, and set the new application password here.',
      };
    throw error;
  }
}

async function teamFolder(input: HealthCheckInput): Promise<HealthCheckResult> {
  try {
    const { entries } = await read(input);
    return { hint: `It has ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}.` };
  } catch (error) {
    if (!(error instanceof FoldersUnavailable)) throw error;
    return { code: 'team_folder_missing', hint: error.message };
  }
}

async function linked({ wanted = NOTHING_WANTED }: HealthCheckInput): Promise<HealthCheckResult> {
  const all = wanted.folders.length;
  const known = wanted.folders.filter(({ id }) => id !== null).length;
  const hint = `${known} of ${all} projects have a folder.`;
  if (known === all) return { hint };
  return {
    code: 'folders_linked_missing',
    hint: `${hint} Run \`moorage folders sync\`, and look at the messages of the projects.`,
  };
}

async function exist(input: HealthCheckInput): Promise<HealthCheckResult> {
  const { entries, staged } = await read(input);
  const ids = new Set([...entries, ...staged].map(({ id }) => id));
  const gone = (input.wanted ?? NOTHING_WANTED).folders.filter(
    ({ id }) => id !== null && !ids.has(id),
  );
  if (gone.length === 0) return { hint: 'All folders of projects are there.' };
  return {
    code: 'folders_exist_missing',
    hint:
      `Folders were removed or moved away: ${quotedNames(gone.map(({ name }) => name))}. ` +
      'Restore them, or run `moorage folders sync` to make new ones.',
  };
}

/** Without the group, people do not see the team folder, whatever rights they have below it. */
async function people(input: HealthCheckInput): Promise<HealthCheckResult> {
  const { phases } = planFolders(input.wanted ?? NOTHING_WANTED, await read(input));
  const missing = phases.flat().flatMap((step) => (step.kind === 'join' ? [step.person] : []));
  if (missing.length === 0) return { hint: 'All people with rights are in the group OpenProject.' };
  return {
    code: 'folder_people_missing',
    hint:
      `These people are not in the group OpenProject, so they reach no folder: ` +
      `${quotedNames(missing)}. Run \`moorage folders sync\`, and look at the messages of the ` +
      'projects.',
  };
}

async function unexpected(input: HealthCheckInput): Promise<HealthCheckResult> {
  const { unexpected: names } = planFolders(input.wanted ?? NOTHING_WANTED, await read(input));
  return names.length === 0
    ? { hint: 'The team folder has nothing else.' }
    : { hint: `Warning: no project has these in the team folder: ${quotedNames(names)}.` };
}

export const folderChecks: readonly HealthCheck[] = [
  { check: 'team_folder_app', needs: ['companion_app'], run: app },
  { check: 'folder_access', needs: ['companion_app', 'application_password'], run: access },
  { check: 'team_folder', needs: ['team_folder_app', 'folder_access'], run: teamFolder },
  { check: 'folders_linked', needs: ['team_folder'], run: linked },
  { check: 'folders_exist', needs: ['team_folder'], run: exist },
  { check: 'folder_people', needs: ['team_folder'], run: people },
  { check: 'folders_unexpected', needs: ['team_folder'], run: unexpected },
];
