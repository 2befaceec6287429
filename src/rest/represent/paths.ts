/** The paths of all resources. */
import { containerKinds, type ContainerType } from '../../contract/container-kinds.js';

const base = '/api/v3';

const filteredBy = (list: string, filter: string, id: number): string =>
  `${base}/${list}?filters=${encodeURIComponent(
    JSON.stringify([{ [filter]: { operator: '=', values: [String(id)] } }]),
  )}`;

export const paths = {
  root: base,
  configuration: `${base}/configuration`,
  attachments: `${base}/attachments`,
  attachment: (id: number) => `${base}/attachments/${id}`,
  prepareAttachment: `${base}/attachments/prepare`,
  attachmentUpload: (id: number) => `${base}/attachment_upload/${id}`,
  attachmentUploaded: (id: number) => `${base}/attachments/${id}/uploaded`,
  attachmentContent: (id: number) => `${base}/attachments/${id}/content`,
  container: (type: ContainerType, id: number) => `${base}/${containerKinds[type].segment}/${id}`,
  containerAttachments: (type: ContainerType, id: number) =>
    `${base}/${containerKinds[type].segment}/${id}/attachments`,
  prepareContainerAttachment: (type: ContainerType, id: number) =>
    `${base}/${containerKinds[type].segment}/${id}/attachments/prepare`,
  workPackageActivities: (id: number) => `${base}/work_packages/${id}/activities`,
  project: (id: number) => `${base}/projects/${id}`,
  projectWorkPackages: (id: number) => `${base}/projects/${id}/work_packages`,
  storages: `${base}/storages`,
  storage: (id: number) => `${base}/storages/${id}`,
  storageOpen: (id: number) => `${base}/storages/${id}/open`,
  storageUpload: (id: number) => `${base}/storages/${id}/files/prepare_upload`,
  storageFile: (id: number, fileId: string) =>
    `${base}/storages/${id}/files/${encodeURIComponent(fileId)}`,
  fileLink: (id: number) => `${base}/file_links/${id}`,
  fileLinkOpen: (id: number) => `${base}/file_links/${id}/open`,
  fileLinkDownload: (id: number) => `${base}/file_links/${id}/download`,
  workPackageFileLinks: (id: number) => `${base}/work_packages/${id}/file_links`,
  workPackageFileLink: (workPackageId: number, id: number) =>
    `${base}/work_packages/${workPackageId}/file_links/${id}`,
  projectStorages: `${base}/project_storages`,
  projectStoragesOf: (storageId: number) => filteredBy('project_storages', 'storageId', storageId),
  projectStoragesIn: (projectId: number) => filteredBy('project_storages', 'projectId', projectId),
  projectStorage: (id: number) => `${base}/project_storages/${id}`,
  projectStorageOpen: (id: number) => `${base}/project_storages/${id}/open`,
  oauthApplication: (id: number) => `${base}/oauth_applications/${id}`,
  oauthClientCredentials: (id: number) => `${base}/oauth_client_credentials/${id}`,
  user: (id: number) => `${base}/users/${id}`,
  memberships: `${base}/memberships`,
  membershipsIn: (projectId: number) => filteredBy('memberships', 'project', projectId),
  membershipSchema: `${base}/memberships/schema`,
  previewMarkup: `${base}/render/markdown`,
  membership: (id: number) => `${base}/memberships/${id}`,
  roles: `${base}/roles`,
  role: (id: number) => `${base}/roles/${id}`,
  workPackages: `${base}/work_packages`,
  workPackageForm: `${base}/work_packages/form`,
  projects: `${base}/projects`,
  availableProjects: `${base}/work_packages/available_projects`,
  projectWorkPackageForm: (id: number) => `${base}/projects/${id}/work_packages/form`,
  projectCategories: (id: number) => `${base}/projects/${id}/categories`,
  projectTypes: (id: number) => `${base}/projects/${id}/types`,
  availableAssignees: (id: number) => `${base}/projects/${id}/available_assignees`,
  statuses: `${base}/statuses`,
  status: (id: number) => `${base}/statuses/${id}`,
  notifications: `${base}/notifications`,
  notification: (id: number) => `${base}/notifications/${id}`,
  notificationRead: (id: number) => `${base}/notifications/${id}/read_ian`,
  notificationUnread: (id: number) => `${base}/notifications/${id}/unread_ian`,
  types: `${base}/types`,
  type: (id: number) => `${base}/types/${id}`,
};
