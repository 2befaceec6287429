/** Every address of the interface, once. */
const base = '/api/v3';

export const containerSegments = {
  WorkPackage: 'work_packages',
  Activity: 'activities',
  Meeting: 'meetings',
  Post: 'posts',
  WikiPage: 'wiki_pages',
} as const;
export type ContainerType = keyof typeof containerSegments;

export const paths = {
  root: base,
  configuration: `${base}/configuration`,
  attachments: `${base}/attachments`,
  attachment: (id: number) => `${base}/attachments/${id}`,
  prepareAttachment: `${base}/attachments/prepare`,
  attachmentUpload: (id: number) => `${base}/attachment_upload/${id}`,
  attachmentUploaded: (id: number) => `${base}/attachments/${id}/uploaded`,
  attachmentContent: (id: number) => `${base}/attachments/${id}/content`,
  container: (type: ContainerType, id: number) => `${base}/${containerSegments[type]}/${id}`,
  containerAttachments: (type: ContainerType, id: number) => `${base}/${containerSegments[type]}/${id}/attachments`,
  prepareContainerAttachment: (type: ContainerType, id: number) => `${base}/${containerSegments[type]}/${id}/attachments/prepare`,
  workPackageActivities: (id: number) => `${base}/work_packages/${id}/activities`,
  project: (id: number) => `${base}/projects/${id}`,
  projectWorkPackages: (id: number) => `${base}/projects/${id}/work_packages`,
  user: (id: number) => `${base}/users/${id}`,
};
