/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */
import { TypedText } from 'moorage-client';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Type of an attachment event. */
export type AttachmentEvent =
  /** A container claimed the attachment. */
  | 'CLAIMED'
  /** A regular upload was stored, a direct upload was finalised, or a file was copied. */
  | 'CREATED'
  /** The attachment was deleted. */
  | 'DELETED'
  /** The attachment was moved. It is reported twice: for the container where it was, and for the one where it is. */
  | 'MOVED'
  /** The virus scan found malware. Nobody can download the content. */
  | 'QUARANTINED'
  /** A completed direct upload could not be finalised and was deleted. Only its author receives this event. */
  | 'REJECTED'
  /** The attachment got a new content. */
  | 'REPLACED'
  /** The attachment was restored from the trash. */
  | 'RESTORED'
  /** The virus scan found nothing, or an administrator released the file from quarantine. */
  | 'SCANNED'
  /** The name or the description of the attachment changed. */
  | 'UPDATED';

/** Order of attachments. Names of files are sorted by code point. */
export type AttachmentOrder =
  /** By createdAt, ascending. */
  | 'CREATED_AT_ASC'
  /** By createdAt, descending. */
  | 'CREATED_AT_DESC'
  /** By fileName, ascending. */
  | 'FILE_NAME_ASC'
  /** By fileName, descending. */
  | 'FILE_NAME_DESC'
  /** By fileSize, ascending. */
  | 'FILE_SIZE_ASC'
  /** By fileSize, descending. */
  | 'FILE_SIZE_DESC'
  /** By id, ascending. */
  | 'ID_ASC'
  /** By id, descending. */
  | 'ID_DESC';

/** State of an attachment between upload and virus scan. */
export type AttachmentStatus =
  /** A direct upload was prepared and is not complete yet. */
  | 'PREPARED'
  /** The virus scan found malware. Nobody can download the content. */
  | 'QUARANTINED'
  /** The file was uploaded before scanning began, and waits for a scan. */
  | 'RESCAN'
  /** The virus scan found nothing, or an administrator released the file. */
  | 'SCANNED'
  /** The upload is complete; the file is not scanned. */
  | 'UPLOADED';

/** Why the state of a connection is `ERROR`, if more is known. */
export type AuthorizationProblem =
  /** The storage has too many requests, and asked to wait. The service leaves it alone until then. */
  | 'ASKED_TO_WAIT'
  /** The storage refuses this service as its client. The person cannot mend that: an administrator must correct the client credentials of the storage. */
  | 'CLIENT_REFUSED';

/** Whether the storage accepts the caller. The service requests it from the storage. */
export type AuthorizationState =
  /** The storage accepts the caller. */
  | 'CONNECTED'
  /** The storage did not answer, or not as it should. */
  | 'ERROR'
  /** The caller has not connected yet, or the storage rejects the caller's token. */
  | 'FAILED_AUTHORIZATION';

/** The caller's passwords. */
export type ChangePasswordInput = {
  /** The password of now. */
  currentPassword: string;
  /** Whether everything ends that the caller has opened, except the session of this request: sessions, tokens and grants of applications, and subscriptions. */
  endSessions?: boolean;
  /** The new password, 1 to 1,024 characters. */
  newPassword: string;
};

/** How a checksum is computed. */
export type DigestAlgorithm =
  /** MD5 (RFC 1321), 32 hexadecimal digits. */
  | 'MD5'
  /** SHA-1 (RFC 3174), 40 hexadecimal digits. The service itself never uses it. */
  | 'SHA1'
  /** SHA-256 (RFC 6234), 64 hexadecimal digits. */
  | 'SHA256';

/** Type of a file link event. */
export type FileLinkEvent =
  /** A work package claimed the file link. */
  | 'CLAIMED'
  /** The file link was created. */
  | 'CREATED'
  /** The file link was deleted; the file stays in its storage. */
  | 'DELETED';

/** A new file link. Name the storage with `storageId` or `storageUrl`. If both are given, they must name the same storage. */
export type FileLinkInput = {
  /** The file in the storage. */
  originData: OriginDataInput;
  /** Global id or integer id of the storage. */
  storageId?: string | null | undefined;
  /** Address of the storage (`Storage.origin`). */
  storageUrl?: string | null | undefined;
};

/** Access of the caller to the file, as the storage reports it. */
export type FileLinkStatus =
  /** The storage did not answer. */
  | 'ERROR'
  /** The file does not exist any more. */
  | 'NOT_FOUND'
  /** The caller can view the file. */
  | 'VIEW_ALLOWED'
  /** The file exists, but the caller cannot view it. */
  | 'VIEW_NOT_ALLOWED';

/** Permission of the caller for a file in a storage. */
export type FilePermission =
  /** The caller can read it. */
  | 'READABLE'
  /** The caller can change it; for a folder, add files to it. */
  | 'WRITEABLE';

/** Why a person is notified. The first one that applies. */
export type NotificationReason =
  /** The work package is assigned to the person. */
  | 'ASSIGNED'
  /** The person commented on the work package. */
  | 'COMMENTED'
  /** The person is the author of the work package. */
  | 'CREATED';

/** What the client knows about a file in a storage. The service updates it as soon as the storage is asked. */
export type OriginDataInput = {
  /** When the file was created: ISO 8601 date and time. UTC if it names no time zone. The time 0 (1970-01-01T00:00:00Z) means unknown. */
  createdAt?: string | null | undefined;
  /** Name of the user who created the file, at most 255 characters. */
  createdByName?: string | null | undefined;
  /** Required. Id of the file in the storage, at most 100 characters. */
  id?: string | null | undefined;
  /** When the content last changed: as for `createdAt`. */
  lastModifiedAt?: string | null | undefined;
  /** Name of the user who last changed the file, at most 255 characters. */
  lastModifiedByName?: string | null | undefined;
  /** Media type, at most 255 characters; `application/x-op-directory` for a folder. Default: unknown (null), as for all optional members. */
  mimeType?: string | null | undefined;
  /** Required. Name of the file, at most 255 characters. */
  name?: string | null | undefined;
  /** Size in bytes. */
  size?: number | null | undefined;
};

/** Whether there are small pictures of a file. */
export type PreviewState =
  /** The file could not be read. */
  | 'FAILED'
  /** There are none for this type, or in this service. */
  | 'NONE'
  /** They will be made: soon, or after the virus scan. */
  | 'PENDING'
  /** They are made. */
  | 'READY';

/** Whether and how a project has its own folder in a storage. */
export type ProjectFolderMode =
  /** The service makes the folder, names it after the project, and gives the people of the project the rights there that they have in the project. */
  | 'AUTOMATIC'
  /** There is no project folder. */
  | 'INACTIVE'
  /** A person chose an existing folder. */
  | 'MANUAL';

/** Whether the folder that the service manages is in step with the project. */
export type ProjectFolderState =
  /** The last synchronisation failed. The message says what to do. */
  | 'FAILED'
  /** The service does not manage a folder of the project, or the project is archived. */
  | 'INACTIVE'
  /** The service has not yet made the folder, or not set its rights. */
  | 'PENDING'
  /** The folder has the name of the project and the rights of its people. */
  | 'READY';

/** Kind of external file service. */
export type StorageType =
  /** One drive of a cloud tenant (Microsoft 365). */
  | 'CLOUD_DRIVE'
  /** A self-hosted file server with its own address. */
  | 'SELF_HOSTED_FILE_SERVER';

export type AttachmentRowFragment = { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } };

type ContainerName_Meeting_Fragment = { title: string };

type ContainerName_Post_Fragment = { title: string };

type ContainerName_WikiPage_Fragment = { title: string };

type ContainerName_WorkPackage_Fragment = { title: string };

export type ContainerNameFragment =
  | ContainerName_Meeting_Fragment
  | ContainerName_Post_Fragment
  | ContainerName_WikiPage_Fragment
  | ContainerName_WorkPackage_Fragment
;

type ContainerHeading_Activity_Fragment = { __typename: 'Activity', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } };

type ContainerHeading_Meeting_Fragment = { __typename: 'Meeting', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } };

type ContainerHeading_Post_Fragment = { __typename: 'Post', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } };

type ContainerHeading_WikiPage_Fragment = { __typename: 'WikiPage', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } };

type ContainerHeading_WorkPackage_Fragment = { __typename: 'WorkPackage', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } };

export type ContainerHeadingFragment =
  | ContainerHeading_Activity_Fragment
  | ContainerHeading_Meeting_Fragment
  | ContainerHeading_Post_Fragment
  | ContainerHeading_WikiPage_Fragment
  | ContainerHeading_WorkPackage_Fragment
;

export type WorkPackagePageQueryVariables = Exact<{
  id: string;
}>;


export type WorkPackagePageQuery = { container: { __typename: 'WorkPackage', viewerCanViewFileLinks: boolean, viewerCanManageFileLinks: boolean, id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, description: { html: string, raw: string }, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } } | null };

export type MeetingPageQueryVariables = Exact<{
  id: string;
}>;


export type MeetingPageQuery = { container: { __typename: 'Meeting', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } } | null };

export type PostPageQueryVariables = Exact<{
  id: string;
}>;


export type PostPageQuery = { container: { __typename: 'Post', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } } | null };

export type WikiPagePageQueryVariables = Exact<{
  id: string;
}>;


export type WikiPagePageQuery = { container: { __typename: 'WikiPage', id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } } | null };

export type AttachmentsQueryVariables = Exact<{
  containerId: string;
  first: number;
  after?: string | null | undefined;
  orderBy?: AttachmentOrder | null | undefined;
  search?: string | null | undefined;
}>;


export type AttachmentsQuery = { container:
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
   | null };

export type AttachmentNamesQueryVariables = Exact<{
  containerId: string;
  after?: string | null | undefined;
}>;


export type AttachmentNamesQuery = { container:
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fileName: string }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fileName: string }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fileName: string }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fileName: string }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ fileName: string }> } }
   | null };

export type ThumbnailsQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ThumbnailsQuery = { nodes: Array<
    | { __typename: 'Activity' }
    | { __typename: 'ApiKey' }
    | { __typename: 'Attachment', id: string, previewState: PreviewState, thumbnail: { href: string } | null }
    | { __typename: 'FileLink' }
    | { __typename: 'Meeting' }
    | { __typename: 'Membership' }
    | { __typename: 'Notification' }
    | { __typename: 'OAuthApplication' }
    | { __typename: 'OAuthClientCredentials' }
    | { __typename: 'Post' }
    | { __typename: 'Project' }
    | { __typename: 'ProjectStorage' }
    | { __typename: 'Role' }
    | { __typename: 'Status' }
    | { __typename: 'Storage' }
    | { __typename: 'StorageAccount' }
    | { __typename: 'Type' }
    | { __typename: 'User' }
    | { __typename: 'Webhook' }
    | { __typename: 'WebhookDelivery' }
    | { __typename: 'WikiPage' }
    | { __typename: 'WorkPackage' }
   | null> };

export type AttachmentDetailsQueryVariables = Exact<{
  id: string;
}>;


export type AttachmentDetailsQuery = { attachment: { width: number | null, height: number | null, id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, large: { href: string } | null, preview: { href: string } | null, contentAddress: { href: string } | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } | null };

export type DescribeAttachmentMutationVariables = Exact<{
  id: string;
  description: string;
}>;


export type DescribeAttachmentMutation = { updateAttachment: { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } } };

export type DeleteAttachmentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAttachmentMutation = { deleteAttachment: { deletedAttachmentId: string } };

export type AttachmentChangedSubscriptionVariables = Exact<{
  containerId: string;
}>;


export type AttachmentChangedSubscription = { attachmentChanged: { event: AttachmentEvent, attachmentId: string, reason: string | null, attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } | null } };

export type ArchiveAddressQueryVariables = Exact<{
  containerId: string;
  ids: Array<string> | string;
}>;


export type ArchiveAddressQuery = { container:
    | { id: string, attachmentsArchive: { href: string } }
    | { id: string, attachmentsArchive: { href: string } }
    | { id: string, attachmentsArchive: { href: string } }
    | { id: string, attachmentsArchive: { href: string } }
    | { id: string, attachmentsArchive: { href: string } }
   | null };

export type ProjectCardFragment = { id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> };

export type ProjectsQueryVariables = Exact<{
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectsQuery = { projects: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> }> } };

export type FileWithPlaceFragment = { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, container:
    | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, subject: string } }
    | { __typename: 'Meeting', databaseId: number, title: string }
    | { __typename: 'Post', databaseId: number, title: string }
    | { __typename: 'WikiPage', databaseId: number, title: string }
    | { __typename: 'WorkPackage', databaseId: number, title: string }
   | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } };

export type RecentFilesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type RecentFilesQuery = { viewer: { id: string, recentAttachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, container:
          | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, subject: string } }
          | { __typename: 'Meeting', databaseId: number, title: string }
          | { __typename: 'Post', databaseId: number, title: string }
          | { __typename: 'WikiPage', databaseId: number, title: string }
          | { __typename: 'WorkPackage', databaseId: number, title: string }
         | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } } };

export type NotificationsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  unread?: boolean | null | undefined;
}>;


export type NotificationsQuery = { viewer: { id: string, notifications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, read: boolean, reason: NotificationReason, updatedAt: string, actor: { name: string }, addedFiles: { totalCount: number, names: Array<string> }, workPackage: { databaseId: number, subject: string } }> } } };

export type MarkNotificationsReadMutationVariables = Exact<{
  ids?: Array<string> | string | null | undefined;
  read: boolean;
}>;


export type MarkNotificationsReadMutation = { markNotificationsRead: { changed: number } };

export type MarkAllNotificationsReadMutationVariables = Exact<{ [key: string]: never; }>;


export type MarkAllNotificationsReadMutation = { markNotificationsRead: { changed: number } };

export type NotificationReceivedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type NotificationReceivedSubscription = { notificationReceived: { id: string } };

export type ProjectQueryVariables = Exact<{
  identifier: string;
}>;


export type ProjectQuery = { project: { viewerCanViewWorkPackages: boolean, viewerCanViewMeetings: boolean, viewerCanViewPosts: boolean, viewerCanViewWikiPages: boolean, viewerCanCreateWorkPackage: boolean, id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> } | null };

export type WorkPackageRowFragment = { id: string, databaseId: number, subject: string, updatedAt: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, project: { name: string, identifier: string } };

export type ProjectWorkPackagesQueryVariables = Exact<{
  id: string;
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectWorkPackagesQuery = { workPackages: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, subject: string, updatedAt: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, project: { name: string, identifier: string } }> } };

export type ProjectMeetingsQueryVariables = Exact<{
  identifier: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectMeetingsQuery = { project: { id: string, list: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, title: string, updatedAt: string, author: { name: string } }> } } | null };

export type ProjectPostsQueryVariables = Exact<{
  identifier: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectPostsQuery = { project: { id: string, list: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, updatedAt: string, title: string, author: { name: string } }> } } | null };

export type ProjectWikiPagesQueryVariables = Exact<{
  identifier: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectWikiPagesQuery = { project: { id: string, list: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, title: string, updatedAt: string, author: { name: string } }> } } | null };

export type SearchFilesQueryVariables = Exact<{
  search: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SearchFilesQuery = { attachments: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, container:
        | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, subject: string } }
        | { __typename: 'Meeting', databaseId: number, title: string }
        | { __typename: 'Post', databaseId: number, title: string }
        | { __typename: 'WikiPage', databaseId: number, title: string }
        | { __typename: 'WorkPackage', databaseId: number, title: string }
       | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } };

export type FoundLinkFragment = { id: string, createdAt: string, originData: { name: string, mimeType: string | null }, container: { databaseId: number, subject: string } | null, storage: { id: string, name: string } };

export type SearchLinkedFilesQueryVariables = Exact<{
  search: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SearchLinkedFilesQuery = { fileLinks: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, createdAt: string, originData: { name: string, mimeType: string | null }, container: { databaseId: number, subject: string } | null, storage: { id: string, name: string } }> } };

export type SearchWorkPackagesQueryVariables = Exact<{
  search: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SearchWorkPackagesQuery = { workPackages: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, subject: string, updatedAt: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, project: { name: string, identifier: string } }> } };

export type SearchProjectsQueryVariables = Exact<{
  search: string;
  first: number;
  after?: string | null | undefined;
}>;


export type SearchProjectsQuery = { projects: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> }> } };

export type NewWorkPackageQueryVariables = Exact<{
  identifier: string;
}>;


export type NewWorkPackageQuery = { project: { id: string, name: string, identifier: string, viewerCanCreateWorkPackage: boolean, types: Array<{ id: string, databaseId: number, name: string }> } | null };

export type CreateWorkPackageMutationVariables = Exact<{
  projectId: string;
  subject: string;
  typeId?: string | null | undefined;
  description?: string | null | undefined;
}>;


export type CreateWorkPackageMutation = { createWorkPackage: { workPackage: { databaseId: number } } };

export type ProjectStoragesQueryVariables = Exact<{
  projectIds?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type ProjectStoragesQuery = { projectStorages: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, projectFolderMode: ProjectFolderMode, projectFolderState: ProjectFolderState, projectFolderMessage: string | null, viewerCanOpenFolder: boolean, storage: { id: string, databaseId: number, name: string, type: StorageType, authorizationState: AuthorizationState, authorizationProblem: AuthorizationProblem | null, authorizeUrl: string | null } }> } };

export type LinkedFileFragment = { id: string, databaseId: number, status: FileLinkStatus, viewerCanDelete: boolean, createdAt: string, creator: { name: string }, originData: { id: string, name: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null }, storage: { id: string } };

export type LinkedFilesQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type LinkedFilesQuery = { workPackage: { id: string, fileLinks: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, status: FileLinkStatus, viewerCanDelete: boolean, createdAt: string, creator: { name: string }, originData: { id: string, name: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null }, storage: { id: string } }> }, project: { id: string, storages: Array<{ id: string, databaseId: number, name: string, type: StorageType, authorizationState: AuthorizationState, authorizationProblem: AuthorizationProblem | null, authorizeUrl: string | null }> } } | null };

export type LinkedIdsQueryVariables = Exact<{
  workPackageId: string;
  storageIds?: Array<string> | string | null | undefined;
  after?: string | null | undefined;
}>;


export type LinkedIdsQuery = { workPackage: { id: string, fileLinks: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, originData: { id: string } }> } } | null };

export type StorageHeadingFragment = { id: string, databaseId: number, name: string, type: StorageType, authorizationState: AuthorizationState, authorizationProblem: AuthorizationProblem | null, authorizeUrl: string | null };

export type StorageFolderQueryVariables = Exact<{
  id: string;
  parent?: string | null | undefined;
}>;


export type StorageFolderQuery = { storage: { id: string, name: string, type: StorageType, authorizationState: AuthorizationState, authorizeUrl: string | null, files: { truncated: boolean, ancestors: Array<{ id: string, name: string, location: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null, permissions: Array<FilePermission> }>, parent: { id: string, name: string, location: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null, permissions: Array<FilePermission> }, files: Array<{ id: string, name: string, location: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null, permissions: Array<FilePermission> }> } | null } | null };

export type FolderEntryFragment = { id: string, name: string, location: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null, permissions: Array<FilePermission> };

export type CreateFolderMutationVariables = Exact<{
  storageId: string;
  parent: string;
  name: string;
}>;


export type CreateFolderMutation = { createStorageFolder: { folder: { id: string, name: string, location: string, mimeType: string | null, size: number | null, lastModifiedAt: string | null, lastModifiedByName: string | null, permissions: Array<FilePermission> } } };

export type LinkFilesMutationVariables = Exact<{
  workPackageId: string;
  fileLinks: Array<FileLinkInput> | FileLinkInput;
}>;


export type LinkFilesMutation = { createFileLinks: { fileLinks: Array<{ id: string }> } };

export type UnlinkMutationVariables = Exact<{
  id: string;
}>;


export type UnlinkMutation = { deleteFileLink: { deletedFileLinkId: string } };

export type FileLinkChangedSubscriptionVariables = Exact<{
  workPackageId: string;
}>;


export type FileLinkChangedSubscription = { fileLinkChanged: { event: FileLinkEvent, fileLinkId: string } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { id: string, databaseId: number, login: string, name: string, firstName: string, admin: boolean, avatarUrl: string | null, viewerCanChangePassword: boolean, avatarThumbnail: { href: string } | null, unread: { totalCount: number } }, configuration: { directUploadAvailable: boolean, maximumAttachmentFileSize: number } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { user: { id: string } } };

export const WorkPackagePageDocument = /* @__PURE__ */ new TypedText<WorkPackagePageQuery, WorkPackagePageQueryVariables>("query WorkPackagePage($id:ID!){container:workPackage(id:$id){...ContainerHeading viewerCanViewFileLinks viewerCanManageFileLinks type{name color}status{name color isClosed isDefault}assignee{name}description{html raw}}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const MeetingPageDocument = /* @__PURE__ */ new TypedText<MeetingPageQuery, MeetingPageQueryVariables>("query MeetingPage($id:ID!){container:meeting(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const PostPageDocument = /* @__PURE__ */ new TypedText<PostPageQuery, PostPageQueryVariables>("query PostPage($id:ID!){container:post(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const WikiPagePageDocument = /* @__PURE__ */ new TypedText<WikiPagePageQuery, WikiPagePageQueryVariables>("query WikiPagePage($id:ID!){container:wikiPage(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const AttachmentsDocument = /* @__PURE__ */ new TypedText<AttachmentsQuery, AttachmentsQueryVariables>("query Attachments($containerId:ID!$first:Int!$after:String$orderBy:AttachmentOrder$search:String){container(id:$containerId){id attachments(first:$first after:$after orderBy:$orderBy filter:{search:$search}){totalCount pageInfo{hasNextPage endCursor}nodes{...AttachmentRow}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}");
export const AttachmentNamesDocument = /* @__PURE__ */ new TypedText<AttachmentNamesQuery, AttachmentNamesQueryVariables>("query AttachmentNames($containerId:ID!$after:String){container(id:$containerId){id attachments(first:200 after:$after){pageInfo{hasNextPage endCursor}nodes{fileName}}}}");
export const ThumbnailsDocument = /* @__PURE__ */ new TypedText<ThumbnailsQuery, ThumbnailsQueryVariables>("query Thumbnails($ids:[ID!]!){nodes(ids:$ids){__typename ...on Attachment{id previewState thumbnail(size:SMALL){href}}}}");
export const AttachmentDetailsDocument = /* @__PURE__ */ new TypedText<AttachmentDetailsQuery, AttachmentDetailsQueryVariables>("query AttachmentDetails($id:ID!){attachment(id:$id){...AttachmentRow width height large:thumbnail(size:LARGE){href}preview{href}contentAddress{href}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}");
export const DescribeAttachmentDocument = /* @__PURE__ */ new TypedText<DescribeAttachmentMutation, DescribeAttachmentMutationVariables>("mutation DescribeAttachment($id:ID!$description:String!){updateAttachment(input:{id:$id description:$description}){attachment{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}");
export const DeleteAttachmentDocument = /* @__PURE__ */ new TypedText<DeleteAttachmentMutation, DeleteAttachmentMutationVariables>("mutation DeleteAttachment($id:ID!){deleteAttachment(input:{id:$id}){deletedAttachmentId}}");
export const AttachmentChangedDocument = /* @__PURE__ */ new TypedText<AttachmentChangedSubscription, AttachmentChangedSubscriptionVariables>("subscription AttachmentChanged($containerId:ID!){attachmentChanged(containerId:$containerId){event attachmentId reason attachment{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}");
export const ArchiveAddressDocument = /* @__PURE__ */ new TypedText<ArchiveAddressQuery, ArchiveAddressQueryVariables>("query ArchiveAddress($containerId:ID!$ids:[ID!]!){container(id:$containerId){id attachmentsArchive(ids:$ids){href}}}");
export const ProjectsDocument = /* @__PURE__ */ new TypedText<ProjectsQuery, ProjectsQueryVariables>("query Projects($search:String$first:Int!$after:String){projects(filter:{search:$search active:true}first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...ProjectCard}}}fragment ProjectCard on Project{id databaseId identifier name active storages{id name}}");
export const RecentFilesDocument = /* @__PURE__ */ new TypedText<RecentFilesQuery, RecentFilesQueryVariables>("query RecentFiles($first:Int!$after:String){viewer{id recentAttachments(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{...FileWithPlace}}}}fragment FileWithPlace on Attachment{...AttachmentRow container{__typename databaseId ...ContainerName ...on Activity{workPackage{databaseId subject}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const NotificationsDocument = /* @__PURE__ */ new TypedText<NotificationsQuery, NotificationsQueryVariables>("query Notifications($first:Int!$after:String$unread:Boolean){viewer{id notifications(first:$first after:$after filter:{unread:$unread}){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId read reason updatedAt actor{name}addedFiles{totalCount names}workPackage{databaseId subject}}}}}");
export const MarkNotificationsReadDocument = /* @__PURE__ */ new TypedText<MarkNotificationsReadMutation, MarkNotificationsReadMutationVariables>("mutation MarkNotificationsRead($ids:[ID!]$read:Boolean!){markNotificationsRead(input:{filter:{ids:$ids}read:$read}){changed}}");
export const MarkAllNotificationsReadDocument = /* @__PURE__ */ new TypedText<MarkAllNotificationsReadMutation, MarkAllNotificationsReadMutationVariables>("mutation MarkAllNotificationsRead{markNotificationsRead(input:{read:true}){changed}}");
export const NotificationReceivedDocument = /* @__PURE__ */ new TypedText<NotificationReceivedSubscription, NotificationReceivedSubscriptionVariables>("subscription NotificationReceived{notificationReceived{id}}");
export const ProjectDocument = /* @__PURE__ */ new TypedText<ProjectQuery, ProjectQueryVariables>("query Project($identifier:String!){project(identifier:$identifier){...ProjectCard viewerCanViewWorkPackages viewerCanViewMeetings viewerCanViewPosts viewerCanViewWikiPages viewerCanCreateWorkPackage}}fragment ProjectCard on Project{id databaseId identifier name active storages{id name}}");
export const ProjectWorkPackagesDocument = /* @__PURE__ */ new TypedText<ProjectWorkPackagesQuery, ProjectWorkPackagesQueryVariables>("query ProjectWorkPackages($id:ID!$search:String$first:Int!$after:String){workPackages(filter:{projectIds:[$id]search:$search}first:$first after:$after orderBy:[UPDATED_AT_DESC]){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...WorkPackageRow}}}fragment WorkPackageRow on WorkPackage{id databaseId subject updatedAt type{name color}status{name color isClosed isDefault}assignee{name}project{name identifier}}");
export const ProjectMeetingsDocument = /* @__PURE__ */ new TypedText<ProjectMeetingsQuery, ProjectMeetingsQueryVariables>("query ProjectMeetings($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:meetings(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title updatedAt author{name}}}}}");
export const ProjectPostsDocument = /* @__PURE__ */ new TypedText<ProjectPostsQuery, ProjectPostsQueryVariables>("query ProjectPosts($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:posts(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title:subject updatedAt author{name}}}}}");
export const ProjectWikiPagesDocument = /* @__PURE__ */ new TypedText<ProjectWikiPagesQuery, ProjectWikiPagesQueryVariables>("query ProjectWikiPages($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:wikiPages(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title updatedAt author{name}}}}}");
export const SearchFilesDocument = /* @__PURE__ */ new TypedText<SearchFilesQuery, SearchFilesQueryVariables>("query SearchFiles($search:String!$first:Int!$after:String){attachments(search:$search first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...FileWithPlace}}}fragment FileWithPlace on Attachment{...AttachmentRow container{__typename databaseId ...ContainerName ...on Activity{workPackage{databaseId subject}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate description{raw}digest{algorithm hash}author{id name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const SearchLinkedFilesDocument = /* @__PURE__ */ new TypedText<SearchLinkedFilesQuery, SearchLinkedFilesQueryVariables>("query SearchLinkedFiles($search:String!$first:Int!$after:String){fileLinks(search:$search first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...FoundLink}}}fragment FoundLink on FileLink{id createdAt originData(refresh:false){name mimeType}container{databaseId subject}storage{id name}}");
export const SearchWorkPackagesDocument = /* @__PURE__ */ new TypedText<SearchWorkPackagesQuery, SearchWorkPackagesQueryVariables>("query SearchWorkPackages($search:String!$first:Int!$after:String){workPackages(filter:{search:$search}first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...WorkPackageRow}}}fragment WorkPackageRow on WorkPackage{id databaseId subject updatedAt type{name color}status{name color isClosed isDefault}assignee{name}project{name identifier}}");
export const SearchProjectsDocument = /* @__PURE__ */ new TypedText<SearchProjectsQuery, SearchProjectsQueryVariables>("query SearchProjects($search:String!$first:Int!$after:String){projects(filter:{search:$search}first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...ProjectCard}}}fragment ProjectCard on Project{id databaseId identifier name active storages{id name}}");
export const NewWorkPackageDocument = /* @__PURE__ */ new TypedText<NewWorkPackageQuery, NewWorkPackageQueryVariables>("query NewWorkPackage($identifier:String!){project(identifier:$identifier){id name identifier viewerCanCreateWorkPackage types{id databaseId name}}}");
export const CreateWorkPackageDocument = /* @__PURE__ */ new TypedText<CreateWorkPackageMutation, CreateWorkPackageMutationVariables>("mutation CreateWorkPackage($projectId:ID!$subject:String!$typeId:ID$description:String){createWorkPackage(input:{projectId:$projectId subject:$subject typeId:$typeId description:$description}){workPackage{databaseId}}}");
export const ProjectStoragesDocument = /* @__PURE__ */ new TypedText<ProjectStoragesQuery, ProjectStoragesQueryVariables>("query ProjectStorages($projectIds:[ID!]$after:String){projectStorages(filter:{projectIds:$projectIds}first:200 after:$after){pageInfo{hasNextPage endCursor}nodes{id databaseId projectFolderMode projectFolderState projectFolderMessage viewerCanOpenFolder storage{...StorageHeading}}}}fragment StorageHeading on Storage{id databaseId name type authorizationState authorizationProblem authorizeUrl}");
export const LinkedFilesDocument = /* @__PURE__ */ new TypedText<LinkedFilesQuery, LinkedFilesQueryVariables>("query LinkedFiles($id:ID!$first:Int!$after:String){workPackage(id:$id){id fileLinks(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{...LinkedFile}}project{id storages{...StorageHeading}}}}fragment LinkedFile on FileLink{id databaseId status viewerCanDelete createdAt creator{name}originData{id name mimeType size lastModifiedAt lastModifiedByName}storage{id}}fragment StorageHeading on Storage{id databaseId name type authorizationState authorizationProblem authorizeUrl}");
export const LinkedIdsDocument = /* @__PURE__ */ new TypedText<LinkedIdsQuery, LinkedIdsQueryVariables>("query LinkedIds($workPackageId:ID!$storageIds:[ID!]$after:String){workPackage(id:$workPackageId){id fileLinks(filter:{storageIds:$storageIds}first:200 after:$after){pageInfo{hasNextPage endCursor}nodes{id originData(refresh:false){id}}}}}");
export const StorageFolderDocument = /* @__PURE__ */ new TypedText<StorageFolderQuery, StorageFolderQueryVariables>("query StorageFolder($id:ID!$parent:String){storage(id:$id){id name type authorizationState authorizeUrl files(parent:$parent){truncated ancestors{...FolderEntry}parent{...FolderEntry}files{...FolderEntry}}}}fragment FolderEntry on StorageFile{id name location mimeType size lastModifiedAt lastModifiedByName permissions}");
export const CreateFolderDocument = /* @__PURE__ */ new TypedText<CreateFolderMutation, CreateFolderMutationVariables>("mutation CreateFolder($storageId:ID!$parent:String!$name:String!){createStorageFolder(input:{storageId:$storageId parent:$parent name:$name}){folder{...FolderEntry}}}fragment FolderEntry on StorageFile{id name location mimeType size lastModifiedAt lastModifiedByName permissions}");
export const LinkFilesDocument = /* @__PURE__ */ new TypedText<LinkFilesMutation, LinkFilesMutationVariables>("mutation LinkFiles($workPackageId:ID!$fileLinks:[FileLinkInput!]!){createFileLinks(input:{workPackageId:$workPackageId fileLinks:$fileLinks}){fileLinks{id}}}");
export const UnlinkDocument = /* @__PURE__ */ new TypedText<UnlinkMutation, UnlinkMutationVariables>("mutation Unlink($id:ID!){deleteFileLink(input:{id:$id}){deletedFileLinkId}}");
export const FileLinkChangedDocument = /* @__PURE__ */ new TypedText<FileLinkChangedSubscription, FileLinkChangedSubscriptionVariables>("subscription FileLinkChanged($workPackageId:ID!){fileLinkChanged(workPackageId:$workPackageId){event fileLinkId}}");
export const MeDocument = /* @__PURE__ */ new TypedText<MeQuery, MeQueryVariables>("query Me{viewer{id databaseId login name firstName admin avatarUrl avatarThumbnail(size:SMALL){href}viewerCanChangePassword unread:notifications(filter:{unread:true}first:1){totalCount}}configuration{directUploadAvailable maximumAttachmentFileSize}}");
export const ChangePasswordDocument = /* @__PURE__ */ new TypedText<ChangePasswordMutation, ChangePasswordMutationVariables>("mutation ChangePassword($input:ChangePasswordInput!){changePassword(input:$input){user{id}}}");
