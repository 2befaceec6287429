/** D2: project folders that the service manages. */
import { section, type Row } from '../row.js';
import {
  failingFolders,
  folderDetails,
  foldersMeanwhile,
  projectFolders,
  randomFolders,
} from '../proofs.js';

export const projectFolderRows: Row[] = [
  ...section('D2', [
    [
      'folders M1',
      'Automatic without an application password, or without the flag of a drive, is 422',
      'actions/storages/projects/validate-project-folder.ts',
      projectFolders('without what the storage needs, automatic'),
    ],
    [
      'folders M2',
      'Automatic makes the folder and stores its id',
      'actions/storages/project-folders/synchronise.ts',
      projectFolders('a project that chooses automatic gets'),
    ],
    [
      'folders M3',
      'Names with special characters give a folder',
      'storages/self-hosted-file-server/plan-folders.ts',
      projectFolders('a name with %s gives', 'a very long name is cut'),
    ],
    [
      'folders M4',
      'A renamed project renames its folder, and links still work',
      'storages/decide-folders.ts',
      [
        ...projectFolders('a renamed project renames'),
        ...folderDetails('a link to a file survives'),
      ],
    ],
    [
      'folders M5',
      'A taken name is reported, and others go on',
      'storages/decide-folders.ts',
      [
        ...projectFolders('a taken name is reported', 'a foreign folder with the name'),
        ...folderDetails('what somebody else made'),
      ],
    ],
    [
      'folders, refused join',
      'Fails the folders of the person, with a sentence that says what to do',
      'actions/storages/project-folders/apply-plan.ts',
      folderDetails('a refused join (%s) fails'),
    ],
    [
      'folders M6',
      'A reader lists and cannot write',
      'storages/self-hosted-file-server/acl.ts',
      folderDetails('a reader lists the folder'),
    ],
    [
      'folders M7',
      'Each permission is a right of its own',
      'storages/self-hosted-file-server/acl.ts',
      projectFolders('the permissions %s %s arrive'),
    ],
    [
      'folders M8',
      'Rights come with the connection',
      'actions/storages/project-folders/wanted-folders.ts',
      projectFolders('whoever is not connected has nothing'),
    ],
    [
      'folders M9 M10 M13',
      'Rights end with permission, membership and person',
      'actions/storages/project-folders/wanted-folders.ts',
      projectFolders('rights end with the permission'),
    ],
    [
      'folders M11',
      'A connected administrator has every right',
      'actions/storages/project-folders/wanted-folders.ts',
      projectFolders('people have the rights in the folder'),
    ],
    [
      'folders M12',
      'Public projects give the rights of Non member',
      'actions/storages/project-folders/wanted-folders.ts',
      projectFolders('in a public project others'),
    ],
    [
      'folders M14',
      'The group has whoever has rights, and always the service',
      'storages/self-hosted-file-server/plan-folders.ts',
      folderDetails('whoever has a right anywhere'),
    ],
    [
      'folders M15',
      'A person whom the storage does not know is reported',
      'actions/storages/project-folders/apply-plan.ts',
      projectFolders('a person whom the storage does not know'),
    ],
    [
      'folders M16',
      'A folder that was deleted by hand is made again',
      'storages/self-hosted-file-server/team-folder.ts',
      projectFolders('a folder that was deleted by hand'),
    ],
    [
      'folders M17',
      'A folder that was moved away is not made twice',
      'storages/self-hosted-file-server/team-folder.ts',
      projectFolders('a folder that was moved away'),
    ],
    [
      'folders M18',
      'Two projects with one folder are both reported',
      'storages/decide-folders.ts',
      projectFolders('two projects that name one folder'),
    ],
    [
      'folders M19',
      'With another mode the folder stays and is hidden',
      'storages/self-hosted-file-server/plan-folders.ts',
      projectFolders('with another mode the folder stays'),
    ],
    [
      'folders M20',
      'Removed from the project, the folder is hidden',
      'actions/storages/projects/delete-project-storage.ts',
      projectFolders('removed from the project, the folder', 'the folder of an archived'),
    ],
    [
      'folders M21',
      'deleteFolder deletes it, for administrators',
      'actions/storages/projects/delete-project-storage.ts',
      projectFolders('an administrator deletes the folder'),
    ],
    [
      'folders M22',
      'Failures of the storage are a state with a message',
      'actions/storages/project-folders/finish-sync.ts',
      [
        ...failingFolders(
          '%s: the folder is failed',
          'one folder that cannot be made (%i)',
          'a storage that lost',
        ),
        ...folderDetails('%s the projects say what'),
      ],
    ],
    [
      'folders M23',
      'A process that dies leaves nothing to repair by hand',
      'storages/decide-folders.ts',
      [
        ...failingFolders('leaves nothing that the next'),
        ...foldersMeanwhile('a folder whose making had no answer', 'a synchronisation that lost'),
      ],
    ],
    [
      'folders M24',
      'Two processes make each call once',
      'actions/base/project-folder-queue/acquire-sync.ts',
      failingFolders('two processes synchronise'),
    ],
    [
      'folders M25',
      'Without changes, a synchronisation has a constant number of calls, two for a changed folder, and three for a new one at most',
      'storages/self-hosted-file-server/acl.ts',
      [
        ...projectFolders(
          'a synchronisation in which nothing changed',
          'a changed folder costs two calls',
        ),
        ...folderDetails('most hours read no permissions'),
      ],
    ],
    [
      'folders M26',
      'An import is one synchronisation',
      'actions/people/directory/import-directory.ts',
      projectFolders('an import of many memberships'),
    ],
    [
      'folders M27',
      'A drive gets differences only',
      'storages/cloud-drive/plan-folders.ts',
      folderDetails('only differences are sent', 'a permission that somebody gave'),
    ],
    [
      'folders M28',
      'Retry-After is waited for',
      'actions/storages/project-folders/folder-access.ts',
      [
        ...failingFolders(
          'a storage that asks to wait',
          'after a longer wait the plan',
          'a wait of more than an hour',
          'many long waits in a row',
        ),
        ...folderDetails('a throttled part of a batch', 'a part of a batch that asks for a longer'),
      ],
    ],
    [
      'folders M29',
      'The dry run says every change and makes none',
      'actions/storages/project-folders/synchronise.ts',
      folderDetails('%s: plans, then applies'),
    ],
    [
      'folders M30, new',
      'Nobody sees a new folder of a file server before its rights are set',
      'storages/self-hosted-file-server/plan-folders.ts',
      [...randomFolders('seed %i'), ...foldersMeanwhile('a new folder that was interrupted')],
    ],
    [
      'folders M30',
      'Nobody has a right that the project does not give',
      'actions/storages/project-folders/wanted-folders.ts',
      [
        ...randomFolders('seed %i'),
        ...foldersMeanwhile(
          'rights that are taken back',
          'a project that is archived after',
          'permissions on the next page',
        ),
      ],
    ],
    [
      'events of folders',
      'Webhooks are told after three failures, and when it works again',
      'actions/storages/project-folders/finish-sync.ts',
      failingFolders('after three failures in a row'),
    ],
    [
      'links of folders',
      'open and openWithConnectionEnsured need read_files for automatic',
      'policies/can.ts',
      projectFolders('with read_files the folder opens'),
    ],
    [
      'messages of folders',
      'Only those who change a project storage see the message',
      'resolvers/project-storage.ts',
      projectFolders('the message is for those'),
    ],
  ]),
];
