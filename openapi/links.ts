/** The descriptions of all links. A link means the same in every document. */
import { object, type Schema } from './shapes.js';

const meanings = {
  self: 'This document.',
  // People
  author: 'Who created it.',
  creator: 'Who created it.',
  user: 'Who wrote it.',
  owner: 'The administrator who created it.',
  // Files
  container: 'The container of the file. Without a target while the file is unclaimed.',
  staticDownloadLocation: 'The content, at an address that never changes.',
  downloadLocation:
    'The content. With a remote store, a short-lived address that needs no credentials.',
  completeUpload: 'Fetch it to complete the upload, after the bytes were sent.',
  delete: 'Deletes it. Only if the client may do that.',
  // Containers
  attachments: 'Its attachments.',
  addAttachment: 'Adds an attachment. Only if the client may do that.',
  prepareAttachment:
    'Prepares a direct upload. Only if the client may do that and the store supports it.',
  project: 'The project it belongs to.',
  assignee: 'Who works on it. Without a target for nobody.',
  responsible: 'Who is accountable for it. Without a target for nobody.',
  parent: 'The project above it. Without a target for none; a URN if the client does not see it.',
  memberships: 'Its memberships. Only if the client may see them.',
  principal: 'The member.',
  roles: 'The roles of the member.',
  workPackages: 'The work packages. Only if the client may see them.',
  types: 'The types of work packages. Only if the client may see them.',
  workPackage: 'The work package it belongs to.',
  ancestors: 'What is above it.',
  activities: 'Its history.',
  categories: 'The categories of its work packages: there are none.',
  schema: 'What its members are.',
  previewMarkup: 'Renders Markdown.',
  addComment: 'Adds a comment. Only if the client may do that.',
  fileLinks: 'Its file links. Only if the client may see them.',
  addFileLink: 'Links files. Only if the client may do that.',
  update: 'Changes it. Only if the client may do that.',
  updateImmediately: 'Changes it. Only if the client may do that.',
  createWorkPackage:
    'The form that checks a new work package in it. Only if the client may create one.',
  createWorkPackageImmediately: 'Creates a work package in it. Only if the client may do that.',
  createWorkPackageImmediate: 'Creates a work package in it. Only if the client may do that.',
  validate: 'Checks the form again.',
  commit: 'Creates the work package. Only if it is valid and the client may edit it.',
  configuration: 'Settings that clients need to know.',
  projects: 'The projects that the client sees.',
  statuses: 'The statuses of work packages. Only if the client may see work packages.',
  notifications: 'The notifications of the client. Only with credentials.',
  // Notifications
  readIAN: 'Marks it as read. Only while it is unread.',
  unreadIAN: 'Marks it as unread. Only once it is read.',
  actor: 'Who added the files.',
  activity: 'The comment with the files, or the entry of the history that lists the last of them.',
  resource: 'The work package that got the files.',
  // Pages of a list
  jumpTo: 'Another page of the list, by its number.',
  changeSize: 'This list in pages of another size.',
  previousByOffset: 'The page before this one. Absent on the first page.',
  nextByOffset: 'The page after this one. Absent on the last page.',
  // Storages
  type: 'The type of the storage.',
  authenticationMethod: 'How users authenticate at the storage.',
  origin: 'Address of the file server.',
  prepareUpload: 'Prepares an upload: one link for each project in which the client may upload.',
  open: 'Redirects a browser to the place in the storage.',
  authorizationState: 'Whether the storage accepts the client.',
  authorize: 'Where a browser connects the user to the storage. Only if that is needed.',
  storages: 'The storages that the project uses. Only if the client may see file links.',
  projectStorages: 'The uses of storages by projects, filtered by the storage or the project.',
  oauthApplication: 'The OAuth client with which the storage calls this service.',
  oauthClientCredentials:
    'The OAuth client with which this service calls the storage. Without a target if none is set.',
  integration: 'The storage it belongs to.',
  redirectUri: 'Addresses to which authorization codes may be sent.',
  storage: 'The storage.',
  projectFolder: "The project's folder in the storage. Absent if it has none.",
  openWithConnectionEnsured:
    'Connects the user to the storage if needed, then opens it. Null while the ' +
    'storage is not configured.',
  // Files of storages
  status: 'Whether the client may view the file in the storage.',
  originOpen: 'Where a browser opens the file. Absent if the address is not known.',
  staticOriginOpen: 'Redirects a browser to the file.',
  originOpenLocation: 'Where a browser opens the folder of the file. Absent if it is not known.',
  staticOriginOpenLocation: 'Redirects a browser to the folder of the file.',
  staticOriginDownload: 'Redirects a browser to the content of the file.',
  destination: 'Where to send the file.',
} satisfies { [name: string]: string };

type LinkName = keyof typeof meanings;
export type Links = { readonly [name in LinkName | `${LinkName}?`]?: Schema };

/** The member `_links`. A link that has a description keeps it. */
export function links(members: Links): Schema {
  const withMeaning = Object.entries(members).map(([name, schema]): [string, Schema] => [
    name,
    { description: meanings[name.replace(/\?$/, '') as LinkName], ...schema },
  ]);
  return object(
    Object.fromEntries(withMeaning),
    'Links to related documents, and to what the client may do.',
  );
}
