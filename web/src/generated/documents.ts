/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */
import { TypedText } from 'moorage-client';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** The kind of an activity. */
export type ActivityKind =
  /** A person's comment; it can have attachments. */
  | 'COMMENT'
  /** A record of a change, written by the service. */
  | 'SYSTEM';

/** What an API key may do, as far as its owner may do it. */
export type ApiKeyAccess =
  /** Read, and change what an OAuth application may change: files, file links, comments and containers. */
  | 'FILES'
  /** Everything. */
  | 'FULL'
  /** Read. Administration cannot be read. */
  | 'READ';

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
  /** By author, ascending. */
  | 'AUTHOR_ASC'
  /** By author, descending. */
  | 'AUTHOR_DESC'
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

/** What was done to a file. */
export type ChangeAction =
  /** A file was added. */
  | 'ATTACHMENT_ADDED'
  /** The description of a file changed. */
  | 'ATTACHMENT_DESCRIBED'
  /** A file was deleted because of the virus scan. */
  | 'ATTACHMENT_INFECTED'
  /** A file was moved to another container. */
  | 'ATTACHMENT_MOVED_AWAY'
  /** A file was moved here from another container. */
  | 'ATTACHMENT_MOVED_HERE'
  /** The virus scan found something in a file. */
  | 'ATTACHMENT_QUARANTINED'
  /** An upload failed. */
  | 'ATTACHMENT_REJECTED'
  /** An administrator released a file from quarantine. */
  | 'ATTACHMENT_RELEASED'
  /** A file was deleted. */
  | 'ATTACHMENT_REMOVED'
  /** A file got another name. */
  | 'ATTACHMENT_RENAMED'
  /** A file got a new content. */
  | 'ATTACHMENT_REPLACED'
  /** A file was restored from the trash. */
  | 'ATTACHMENT_RESTORED'
  /** A file in a storage was linked. */
  | 'FILE_LINK_ADDED'
  /** A link to a file in a storage was removed. */
  | 'FILE_LINK_REMOVED';

/** The caller's passwords. */
export type ChangePasswordInput = {
  /** The password of now. */
  currentPassword: string;
  /** Whether everything ends that the caller has opened, except the session of this request: all other sessions, tokens and grants of applications, and subscriptions. */
  endSessions?: boolean;
  /** The new password, 1 to 1,024 characters. */
  newPassword: string;
};

/** The kinds of containers of attachments. */
export type ContainerType =
  /** Files of an activity. */
  | 'ACTIVITY'
  /** Files of a meeting. */
  | 'MEETING'
  /** Files of a forum post. */
  | 'POST'
  /** Files of a wiki page. */
  | 'WIKI_PAGE'
  /** Files of a work package. */
  | 'WORK_PACKAGE';

/** A new API key. */
export type CreateApiKeyInput = {
  /** What the key may do. */
  access?: ApiKeyAccess;
  /** When the key ends, at least a minute ahead. Null: no end, which `API_KEY_MAX_DAYS` can forbid. Default: `API_KEY_DAYS` from now on, or no end. */
  expiresAt?: string | null | undefined;
  /** Name of the key, 1 to 255 characters. It must be unique among the caller's keys. */
  name: string;
};

/** How a checksum is computed. */
export type DigestAlgorithm =
  /** MD5 (RFC 1321), 32 hexadecimal digits. */
  | 'MD5'
  /** SHA-1 (RFC 3174), 40 hexadecimal digits. The service itself never uses it. */
  | 'SHA1'
  /** SHA-256 (RFC 6234), 64 hexadecimal digits. */
  | 'SHA256';

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

/** Files of all containers. Members narrow the list together. */
export type FoundAttachmentFilter = {
  /** Only of these authors: at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible. */
  authorIds?: Array<string> | null | undefined;
  /** Only files of these kinds of containers. */
  containerTypes?: Array<ContainerType> | null | undefined;
  /** The same as `contentTypes` with one value. Error: INVALID_QUERY for another value. */
  contentType?: string | null | undefined;
  /** Only of one of these media types, such as `image/png`, or `image/*` for all images: at most 20. Error: INVALID_QUERY for another value. */
  contentTypes?: Array<string> | null | undefined;
  /** Only created at this time or later. */
  createdAfter?: string | null | undefined;
  /** Only created at this time or earlier. */
  createdBefore?: string | null | undefined;
  /** Only in these projects: at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible. */
  projectIds?: Array<string> | null | undefined;
  /** Only of these work packages and of their comments: at most 1,000 global ids or integer ids. Error: INVALID_QUERY for one that is not visible. */
  workPackageIds?: Array<string> | null | undefined;
};

/** When notifications come by e-mail. */
export type MailPreference =
  /** Once a day, at 6:00 UTC. */
  | 'DAILY'
  /** After `MAIL_DELAY_SECONDS`, so that one e-mail tells what happened meanwhile. */
  | 'IMMEDIATE'
  /** Not at all. */
  | 'NEVER';

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

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { viewer: { id: string, databaseId: number, login: string, name: string, email: string | null, avatarUrl: string | null, viewerCanChangePassword: boolean, mailPreference: MailPreference | null, avatarThumbnail: { href: string } | null } };

export type SetMailPreferenceMutationVariables = Exact<{
  preference: MailPreference;
}>;


export type SetMailPreferenceMutation = { setMailPreference: { user: { id: string, mailPreference: MailPreference | null } } };

export type ApiKeyRowFragment = { id: string, name: string, access: ApiKeyAccess, createdAt: string, lastUsedAt: string | null, expiresAt: string | null };

export type ApiKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type ApiKeysQuery = { viewer: { id: string, apiKeys: Array<{ id: string, name: string, access: ApiKeyAccess, createdAt: string, lastUsedAt: string | null, expiresAt: string | null }> } };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { key: string, apiKey: { id: string, name: string, access: ApiKeyAccess, createdAt: string, lastUsedAt: string | null, expiresAt: string | null } } };

export type EndApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type EndApiKeyMutation = { deleteApiKey: { deletedApiKeyId: string } };

export type SessionsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type SessionsQuery = { viewer: { id: string, sessions: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, browser: string | null, system: string | null, network: string | null, createdAt: string, lastUsedAt: string | null, current: boolean }> } } };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { endSession: { endedSessionId: string } };

export type AuthorizationsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type AuthorizationsQuery = { viewer: { id: string, authorizations: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, applicationName: string, createdAt: string, lastUsedAt: string | null }> } } };

export type EndAuthorizationMutationVariables = Exact<{
  id: string;
}>;


export type EndAuthorizationMutation = { endAuthorization: { endedAuthorizationId: string } };

export type StorageAccountsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type StorageAccountsQuery = { viewer: { id: string, connections: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, originUserId: string | null, createdAt: string, storage: { id: string, name: string } | null }> } } };

export type MyStoragesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type MyStoragesQuery = { storages: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, name: string, type: StorageType, authorizationState: AuthorizationState, authorizationProblem: AuthorizationProblem | null, authorizeUrl: string | null }> } };

export type EndConnectionMutationVariables = Exact<{
  id: string;
}>;


export type EndConnectionMutation = { endConnection: { endedConnectionId: string } };

export type RemovePictureMutationVariables = Exact<{
  userId: string;
}>;


export type RemovePictureMutation = { removeAvatar: { user: { id: string } } };

export type AttachmentRowFragment = { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } };

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


export type WorkPackagePageQuery = { container: { __typename: 'WorkPackage', viewerCanComment: boolean, viewerCanCommentInternally: boolean, viewerCanViewFileLinks: boolean, viewerCanManageFileLinks: boolean, updatedAt: string, id: string, databaseId: number, createdAt: string, viewerCanAddAttachment: boolean, title: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, responsible: { name: string } | null, description: { html: string }, author: { id: string, name: string }, project: { id: string, identifier: string, name: string } } | null };

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
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
    | { id: string, attachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }
   | null };

export type WorkPackageFilesQueryVariables = Exact<{
  filter: FoundAttachmentFilter;
  search?: string | null | undefined;
  orderBy: AttachmentOrder;
  first: number;
  after?: string | null | undefined;
}>;


export type WorkPackageFilesQuery = { attachments: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, author: { databaseId: number, id: string, name: string }, container:
        | { __typename: 'Activity', id: string }
        | { __typename: 'Meeting', id: string }
        | { __typename: 'Post', id: string }
        | { __typename: 'WikiPage', id: string }
        | { __typename: 'WorkPackage', id: string }
       | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string } }> } };

export type WorkPackageFileCountsQueryVariables = Exact<{
  id: string;
}>;


export type WorkPackageFileCountsQuery = { all: { totalCount: number }, here: { totalCount: number }, comments: { totalCount: number } };

export type AttachmentNamesQueryVariables = Exact<{
  containerId: string;
  after?: string | null | undefined;
}>;


export type AttachmentNamesQuery = { container:
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, viewerCanMove: boolean }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, viewerCanMove: boolean }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, viewerCanMove: boolean }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, viewerCanMove: boolean }> } }
    | { id: string, attachments: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, viewerCanMove: boolean }> } }
   | null };

export type ThumbnailsQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type ThumbnailsQuery = { nodes: Array<
    | { __typename: 'Activity' }
    | { __typename: 'ApiKey' }
    | { __typename: 'Attachment', id: string, previewState: PreviewState, thumbnail: { href: string } | null }
    | { __typename: 'AuditEvent' }
    | { __typename: 'Authorization' }
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
    | { __typename: 'Session' }
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


export type AttachmentDetailsQuery = { attachment: { width: number | null, height: number | null, id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, container:
      | { __typename: 'Activity', id: string, databaseId: number, workPackage: { id: string, databaseId: number } }
      | { __typename: 'Meeting', id: string, databaseId: number }
      | { __typename: 'Post', id: string, databaseId: number }
      | { __typename: 'WikiPage', id: string, databaseId: number }
      | { __typename: 'WorkPackage', id: string, databaseId: number }
     | null, large: { href: string } | null, preview: { href: string } | null, contentAddress: { href: string } | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } | null };

export type DescribeAttachmentMutationVariables = Exact<{
  id: string;
  description: string;
}>;


export type DescribeAttachmentMutation = { updateAttachment: { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } } };

export type RenameAttachmentMutationVariables = Exact<{
  id: string;
  fileName: string;
}>;


export type RenameAttachmentMutation = { updateAttachment: { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } } };

export type MoveAttachmentsMutationVariables = Exact<{
  ids: Array<string> | string;
  to: string;
}>;


export type MoveAttachmentsMutation = { moveAttachments: { attachments: Array<{ id: string }> } };

export type CopyAttachmentsMutationVariables = Exact<{
  ids: Array<string> | string;
  to: string;
}>;


export type CopyAttachmentsMutation = { copyAttachments: { attachments: Array<{ id: string }> } };

export type TargetsQueryVariables = Exact<{
  search?: string | null | undefined;
  first: number;
}>;


export type TargetsQuery = { workPackages: { nodes: Array<{ id: string, databaseId: number, subject: string, viewerCanAddAttachment: boolean, project: { id: string, name: string } }> } };

export type DeleteAttachmentsMutationVariables = Exact<{
  ids: Array<string> | string;
}>;


export type DeleteAttachmentsMutation = { deleteAttachments: { deletedAttachmentIds: Array<string> } };

export type DeleteAttachmentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAttachmentMutation = { deleteAttachment: { deletedAttachmentId: string } };

export type AttachmentChangedSubscriptionVariables = Exact<{
  containerId: string;
}>;


export type AttachmentChangedSubscription = { attachmentChanged: { event: AttachmentEvent, attachmentId: string, reason: string | null, attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } } | null } };

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

export type HistoryEntryFragment = { id: string, databaseId: number, kind: ActivityKind, internal: boolean, createdAt: string, viewerCanUpdate: boolean, viewerCanDelete: boolean, author: { id: string, databaseId: number, name: string }, comment: { raw: string, html: string }, changes: Array<{ action: ChangeAction, fileName: string, formerName: string | null, reason: string | null }>, attachments: { totalCount: number, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } };

export type HistoryQueryVariables = Exact<{
  id: string;
  last: number;
  before?: string | null | undefined;
}>;


export type HistoryQuery = { workPackage: { id: string, activities: { totalCount: number, pageInfo: { hasPreviousPage: boolean, startCursor: string | null }, nodes: Array<{ id: string, databaseId: number, kind: ActivityKind, internal: boolean, createdAt: string, viewerCanUpdate: boolean, viewerCanDelete: boolean, author: { id: string, databaseId: number, name: string }, comment: { raw: string, html: string }, changes: Array<{ action: ChangeAction, fileName: string, formerName: string | null, reason: string | null }>, attachments: { totalCount: number, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string }, author: { id: string, name: string } }> } }> } } | null };

export type FileHistoryQueryVariables = Exact<{
  id: string;
}>;


export type FileHistoryQuery = { workPackage: { id: string, activities: { nodes: Array<{ id: string, createdAt: string, author: { name: string }, changes: Array<{ action: ChangeAction, attachmentDatabaseId: number | null, fileName: string, formerName: string | null, reason: string | null }> }> } } | null };

export type WriteCommentMutationVariables = Exact<{
  workPackageId: string;
  comment: string;
  internal: boolean;
}>;


export type WriteCommentMutation = { createComment: { comment: { id: string } } };

export type ChangeCommentMutationVariables = Exact<{
  id: string;
  comment: string;
}>;


export type ChangeCommentMutation = { updateComment: { comment: { id: string } } };

export type DeleteCommentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteCommentMutation = { deleteComment: { deletedActivityId: string } };

export type WorkPackageChangedSubscriptionVariables = Exact<{
  workPackageId: string;
}>;


export type WorkPackageChangedSubscription = { workPackageChanged: { subjectId: string, commentId: string | null } };

export type ProjectCardFragment = { id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> };

export type ProjectsQueryVariables = Exact<{
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectsQuery = { projects: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> }> } };

export type FileWithPlaceFragment = { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, author: { databaseId: number, id: string, name: string }, container:
    | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, subject: string, project: { name: string } } }
    | { __typename: 'Meeting', databaseId: number, title: string, project: { name: string } }
    | { __typename: 'Post', databaseId: number, title: string, project: { name: string } }
    | { __typename: 'WikiPage', databaseId: number, title: string, project: { name: string } }
    | { __typename: 'WorkPackage', databaseId: number, title: string, project: { name: string } }
   | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string } };

export type FoundFilesQueryVariables = Exact<{
  search?: string | null | undefined;
  filter: FoundAttachmentFilter;
  orderBy: AttachmentOrder;
  first: number;
  after?: string | null | undefined;
}>;


export type FoundFilesQuery = { attachments: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, downloadLocation: string | null, previewState: PreviewState, viewerCanDelete: boolean, viewerCanUpdate: boolean, viewerCanMove: boolean, viewerCanDownload: boolean, author: { databaseId: number, id: string, name: string }, container:
        | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, subject: string, project: { name: string } } }
        | { __typename: 'Meeting', databaseId: number, title: string, project: { name: string } }
        | { __typename: 'Post', databaseId: number, title: string, project: { name: string } }
        | { __typename: 'WikiPage', databaseId: number, title: string, project: { name: string } }
        | { __typename: 'WorkPackage', databaseId: number, title: string, project: { name: string } }
       | null, thumbnail: { href: string } | null, description: { raw: string }, digest: { algorithm: DigestAlgorithm, hash: string } }> } };

export type MyWorkPackagesQueryVariables = Exact<{
  person: string;
  first: number;
  after?: string | null | undefined;
}>;


export type MyWorkPackagesQuery = { workPackages: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, subject: string, updatedAt: string, type: { name: string, color: string | null }, status: { name: string, color: string | null, isClosed: boolean, isDefault: boolean }, assignee: { name: string } | null, project: { name: string, identifier: string } }> } };

export type ProjectMembersQueryVariables = Exact<{
  identifier: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ProjectMembersQuery = { project: { id: string, memberships: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, createdAt: string, user: { id: string, name: string }, roles: Array<{ id: string, name: string }> }> } } | null };

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


export type ProjectQuery = { project: { viewerCanViewWorkPackages: boolean, viewerCanViewMeetings: boolean, viewerCanViewPosts: boolean, viewerCanViewWikiPages: boolean, viewerCanViewMembers: boolean, viewerCanCreateWorkPackage: boolean, id: string, databaseId: number, identifier: string, name: string, active: boolean, storages: Array<{ id: string, name: string }> } | null };

export type ProjectCountsQueryVariables = Exact<{
  id: string;
  identifier: string;
  workPackages: boolean;
  meetings: boolean;
  posts: boolean;
  wikiPages: boolean;
  members: boolean;
}>;


export type ProjectCountsQuery = { files: { totalCount: number, totalIsAtLeast: boolean }, workPackages?: { totalCount: number, totalIsAtLeast: boolean }, storages: { totalCount: number, totalIsAtLeast: boolean }, project: { meetings?: { totalCount: number, totalIsAtLeast: boolean }, posts?: { totalCount: number, totalIsAtLeast: boolean }, wikiPages?: { totalCount: number, totalIsAtLeast: boolean }, members?: { totalCount: number, totalIsAtLeast: boolean } } | null };

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

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { id: string, databaseId: number, login: string, name: string, firstName: string, admin: boolean, avatarUrl: string | null, viewerCanChangePassword: boolean, avatarThumbnail: { href: string } | null, unread: { totalCount: number } }, configuration: { directUploadAvailable: boolean, maximumAttachmentFileSize: number } };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { user: { id: string } } };

export const AccountDocument = /* @__PURE__ */ new TypedText<AccountQuery, AccountQueryVariables>("query Account{viewer{id databaseId login name email avatarUrl avatarThumbnail(size:SMALL){href}viewerCanChangePassword mailPreference}}");
export const SetMailPreferenceDocument = /* @__PURE__ */ new TypedText<SetMailPreferenceMutation, SetMailPreferenceMutationVariables>("mutation SetMailPreference($preference:MailPreference!){setMailPreference(input:{preference:$preference}){user{id mailPreference}}}");
export const ApiKeysDocument = /* @__PURE__ */ new TypedText<ApiKeysQuery, ApiKeysQueryVariables>("query ApiKeys{viewer{id apiKeys{...ApiKeyRow}}}fragment ApiKeyRow on ApiKey{id name access createdAt lastUsedAt expiresAt}");
export const CreateApiKeyDocument = /* @__PURE__ */ new TypedText<CreateApiKeyMutation, CreateApiKeyMutationVariables>("mutation CreateApiKey($input:CreateApiKeyInput!){createApiKey(input:$input){key apiKey{...ApiKeyRow}}}fragment ApiKeyRow on ApiKey{id name access createdAt lastUsedAt expiresAt}");
export const EndApiKeyDocument = /* @__PURE__ */ new TypedText<EndApiKeyMutation, EndApiKeyMutationVariables>("mutation EndApiKey($id:ID!){deleteApiKey(input:{id:$id}){deletedApiKeyId}}");
export const SessionsDocument = /* @__PURE__ */ new TypedText<SessionsQuery, SessionsQueryVariables>("query Sessions($first:Int!$after:String){viewer{id sessions(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id browser system network createdAt lastUsedAt current}}}}");
export const EndSessionDocument = /* @__PURE__ */ new TypedText<EndSessionMutation, EndSessionMutationVariables>("mutation EndSession($id:ID!){endSession(input:{id:$id}){endedSessionId}}");
export const AuthorizationsDocument = /* @__PURE__ */ new TypedText<AuthorizationsQuery, AuthorizationsQueryVariables>("query Authorizations($first:Int!$after:String){viewer{id authorizations(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id applicationName createdAt lastUsedAt}}}}");
export const EndAuthorizationDocument = /* @__PURE__ */ new TypedText<EndAuthorizationMutation, EndAuthorizationMutationVariables>("mutation EndAuthorization($id:ID!){endAuthorization(input:{id:$id}){endedAuthorizationId}}");
export const StorageAccountsDocument = /* @__PURE__ */ new TypedText<StorageAccountsQuery, StorageAccountsQueryVariables>("query StorageAccounts($first:Int!$after:String){viewer{id connections(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id originUserId createdAt storage{id name}}}}}");
export const MyStoragesDocument = /* @__PURE__ */ new TypedText<MyStoragesQuery, MyStoragesQueryVariables>("query MyStorages($first:Int!$after:String){storages(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{...StorageHeading}}}fragment StorageHeading on Storage{id databaseId name type authorizationState authorizationProblem authorizeUrl}");
export const EndConnectionDocument = /* @__PURE__ */ new TypedText<EndConnectionMutation, EndConnectionMutationVariables>("mutation EndConnection($id:ID!){endConnection(input:{id:$id}){endedConnectionId}}");
export const RemovePictureDocument = /* @__PURE__ */ new TypedText<RemovePictureMutation, RemovePictureMutationVariables>("mutation RemovePicture($userId:ID!){removeAvatar(input:{userId:$userId}){user{id}}}");
export const WorkPackagePageDocument = /* @__PURE__ */ new TypedText<WorkPackagePageQuery, WorkPackagePageQueryVariables>("query WorkPackagePage($id:ID!){container:workPackage(id:$id){...ContainerHeading viewerCanComment viewerCanCommentInternally viewerCanViewFileLinks viewerCanManageFileLinks type{name color}status{name color isClosed isDefault}assignee{name}responsible{name}updatedAt description{html}}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const MeetingPageDocument = /* @__PURE__ */ new TypedText<MeetingPageQuery, MeetingPageQueryVariables>("query MeetingPage($id:ID!){container:meeting(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const PostPageDocument = /* @__PURE__ */ new TypedText<PostPageQuery, PostPageQueryVariables>("query PostPage($id:ID!){container:post(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const WikiPagePageDocument = /* @__PURE__ */ new TypedText<WikiPagePageQuery, WikiPagePageQueryVariables>("query WikiPagePage($id:ID!){container:wikiPage(id:$id){...ContainerHeading}}fragment ContainerHeading on Container{__typename id databaseId ...ContainerName createdAt viewerCanAddAttachment author{id name}project{id identifier name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const AttachmentsDocument = /* @__PURE__ */ new TypedText<AttachmentsQuery, AttachmentsQueryVariables>("query Attachments($containerId:ID!$first:Int!$after:String$orderBy:AttachmentOrder$search:String){container(id:$containerId){id attachments(first:$first after:$after orderBy:$orderBy filter:{search:$search}){totalCount pageInfo{hasNextPage endCursor}nodes{...AttachmentRow}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const WorkPackageFilesDocument = /* @__PURE__ */ new TypedText<WorkPackageFilesQuery, WorkPackageFilesQueryVariables>("query WorkPackageFiles($filter:FoundAttachmentFilter!$search:String$orderBy:AttachmentOrder!$first:Int!$after:String){attachments(filter:$filter search:$search orderBy:$orderBy first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...AttachmentRow author{databaseId}container{__typename id}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const WorkPackageFileCountsDocument = /* @__PURE__ */ new TypedText<WorkPackageFileCountsQuery, WorkPackageFileCountsQueryVariables>("query WorkPackageFileCounts($id:ID!){all:attachments(filter:{workPackageIds:[$id]}first:1){totalCount}here:attachments(filter:{workPackageIds:[$id]containerTypes:[WORK_PACKAGE]}first:1){totalCount}comments:attachments(filter:{workPackageIds:[$id]containerTypes:[ACTIVITY]}first:1){totalCount}}");
export const AttachmentNamesDocument = /* @__PURE__ */ new TypedText<AttachmentNamesQuery, AttachmentNamesQueryVariables>("query AttachmentNames($containerId:ID!$after:String){container(id:$containerId){id attachments(first:200 after:$after){pageInfo{hasNextPage endCursor}nodes{id databaseId fileName viewerCanMove}}}}");
export const ThumbnailsDocument = /* @__PURE__ */ new TypedText<ThumbnailsQuery, ThumbnailsQueryVariables>("query Thumbnails($ids:[ID!]!){nodes(ids:$ids){__typename ...on Attachment{id previewState thumbnail(size:SMALL){href}}}}");
export const AttachmentDetailsDocument = /* @__PURE__ */ new TypedText<AttachmentDetailsQuery, AttachmentDetailsQueryVariables>("query AttachmentDetails($id:ID!){attachment(id:$id){...AttachmentRow container{__typename id databaseId ...on Activity{workPackage{id databaseId}}}width height large:thumbnail(size:LARGE){href}preview{href}contentAddress{href}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const DescribeAttachmentDocument = /* @__PURE__ */ new TypedText<DescribeAttachmentMutation, DescribeAttachmentMutationVariables>("mutation DescribeAttachment($id:ID!$description:String!){updateAttachment(input:{id:$id description:$description}){attachment{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const RenameAttachmentDocument = /* @__PURE__ */ new TypedText<RenameAttachmentMutation, RenameAttachmentMutationVariables>("mutation RenameAttachment($id:ID!$fileName:String!){updateAttachment(input:{id:$id fileName:$fileName}){attachment{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const MoveAttachmentsDocument = /* @__PURE__ */ new TypedText<MoveAttachmentsMutation, MoveAttachmentsMutationVariables>("mutation MoveAttachments($ids:[ID!]!$to:ID!){moveAttachments(input:{ids:$ids to:$to}){attachments{id}}}");
export const CopyAttachmentsDocument = /* @__PURE__ */ new TypedText<CopyAttachmentsMutation, CopyAttachmentsMutationVariables>("mutation CopyAttachments($ids:[ID!]!$to:ID!){copyAttachments(input:{ids:$ids to:$to}){attachments{id}}}");
export const TargetsDocument = /* @__PURE__ */ new TypedText<TargetsQuery, TargetsQueryVariables>("query Targets($search:String$first:Int!){workPackages(filter:{search:$search}first:$first orderBy:[UPDATED_AT_DESC]){nodes{id databaseId subject viewerCanAddAttachment project{id name}}}}");
export const DeleteAttachmentsDocument = /* @__PURE__ */ new TypedText<DeleteAttachmentsMutation, DeleteAttachmentsMutationVariables>("mutation DeleteAttachments($ids:[ID!]!){deleteAttachments(input:{ids:$ids}){deletedAttachmentIds}}");
export const DeleteAttachmentDocument = /* @__PURE__ */ new TypedText<DeleteAttachmentMutation, DeleteAttachmentMutationVariables>("mutation DeleteAttachment($id:ID!){deleteAttachment(input:{id:$id}){deletedAttachmentId}}");
export const AttachmentChangedDocument = /* @__PURE__ */ new TypedText<AttachmentChangedSubscription, AttachmentChangedSubscriptionVariables>("subscription AttachmentChanged($containerId:ID!){attachmentChanged(containerId:$containerId){event attachmentId reason attachment{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const ArchiveAddressDocument = /* @__PURE__ */ new TypedText<ArchiveAddressQuery, ArchiveAddressQueryVariables>("query ArchiveAddress($containerId:ID!$ids:[ID!]!){container(id:$containerId){id attachmentsArchive(ids:$ids){href}}}");
export const HistoryDocument = /* @__PURE__ */ new TypedText<HistoryQuery, HistoryQueryVariables>("query History($id:ID!$last:Int!$before:String){workPackage(id:$id){id activities(last:$last before:$before){totalCount pageInfo{hasPreviousPage startCursor}nodes{...HistoryEntry}}}}fragment HistoryEntry on Activity{id databaseId kind internal createdAt viewerCanUpdate viewerCanDelete author{id databaseId name}comment{raw html}changes{action fileName formerName reason}attachments(first:50){totalCount nodes{...AttachmentRow}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}");
export const FileHistoryDocument = /* @__PURE__ */ new TypedText<FileHistoryQuery, FileHistoryQueryVariables>("query FileHistory($id:ID!){workPackage(id:$id){id activities(last:200){nodes{id createdAt author{name}changes{action attachmentDatabaseId fileName formerName reason}}}}}");
export const WriteCommentDocument = /* @__PURE__ */ new TypedText<WriteCommentMutation, WriteCommentMutationVariables>("mutation WriteComment($workPackageId:ID!$comment:String!$internal:Boolean!){createComment(input:{workPackageId:$workPackageId comment:$comment internal:$internal}){comment{id}}}");
export const ChangeCommentDocument = /* @__PURE__ */ new TypedText<ChangeCommentMutation, ChangeCommentMutationVariables>("mutation ChangeComment($id:ID!$comment:String!){updateComment(input:{id:$id comment:$comment}){comment{id}}}");
export const DeleteCommentDocument = /* @__PURE__ */ new TypedText<DeleteCommentMutation, DeleteCommentMutationVariables>("mutation DeleteComment($id:ID!){deleteComment(input:{id:$id}){deletedActivityId}}");
export const WorkPackageChangedDocument = /* @__PURE__ */ new TypedText<WorkPackageChangedSubscription, WorkPackageChangedSubscriptionVariables>("subscription WorkPackageChanged($workPackageId:ID!){workPackageChanged(workPackageId:$workPackageId){subjectId commentId}}");
export const ProjectsDocument = /* @__PURE__ */ new TypedText<ProjectsQuery, ProjectsQueryVariables>("query Projects($search:String$first:Int!$after:String){projects(filter:{search:$search active:true}first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...ProjectCard}}}fragment ProjectCard on Project{id databaseId identifier name active storages{id name}}");
export const FoundFilesDocument = /* @__PURE__ */ new TypedText<FoundFilesQuery, FoundFilesQueryVariables>("query FoundFiles($search:String$filter:FoundAttachmentFilter!$orderBy:AttachmentOrder!$first:Int!$after:String){attachments(search:$search filter:$filter orderBy:$orderBy first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...FileWithPlace}}}fragment FileWithPlace on Attachment{...AttachmentRow author{databaseId}container{__typename databaseId ...ContainerName ...on WorkPackage{project{name}}...on Meeting{project{name}}...on Post{project{name}}...on WikiPage{project{name}}...on Activity{workPackage{databaseId subject project{name}}}}}fragment AttachmentRow on Attachment{id databaseId fileName fileSize contentType status createdAt downloadLocation previewState thumbnail(size:SMALL){href}viewerCanDelete viewerCanUpdate viewerCanMove viewerCanDownload description{raw}digest{algorithm hash}author{id name}}fragment ContainerName on Container{...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}}");
export const MyWorkPackagesDocument = /* @__PURE__ */ new TypedText<MyWorkPackagesQuery, MyWorkPackagesQueryVariables>("query MyWorkPackages($person:ID!$first:Int!$after:String){workPackages(filter:{assigneeIds:[$person]closed:false}first:$first after:$after orderBy:[UPDATED_AT_DESC]){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...WorkPackageRow}}}fragment WorkPackageRow on WorkPackage{id databaseId subject updatedAt type{name color}status{name color isClosed isDefault}assignee{name}project{name identifier}}");
export const ProjectMembersDocument = /* @__PURE__ */ new TypedText<ProjectMembersQuery, ProjectMembersQueryVariables>("query ProjectMembers($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id memberships(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id createdAt user{id name}roles{id name}}}}}");
export const NotificationsDocument = /* @__PURE__ */ new TypedText<NotificationsQuery, NotificationsQueryVariables>("query Notifications($first:Int!$after:String$unread:Boolean){viewer{id notifications(first:$first after:$after filter:{unread:$unread}){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId read reason updatedAt actor{name}addedFiles{totalCount names}workPackage{databaseId subject}}}}}");
export const MarkNotificationsReadDocument = /* @__PURE__ */ new TypedText<MarkNotificationsReadMutation, MarkNotificationsReadMutationVariables>("mutation MarkNotificationsRead($ids:[ID!]$read:Boolean!){markNotificationsRead(input:{filter:{ids:$ids}read:$read}){changed}}");
export const MarkAllNotificationsReadDocument = /* @__PURE__ */ new TypedText<MarkAllNotificationsReadMutation, MarkAllNotificationsReadMutationVariables>("mutation MarkAllNotificationsRead{markNotificationsRead(input:{read:true}){changed}}");
export const NotificationReceivedDocument = /* @__PURE__ */ new TypedText<NotificationReceivedSubscription, NotificationReceivedSubscriptionVariables>("subscription NotificationReceived{notificationReceived{id}}");
export const ProjectDocument = /* @__PURE__ */ new TypedText<ProjectQuery, ProjectQueryVariables>("query Project($identifier:String!){project(identifier:$identifier){...ProjectCard viewerCanViewWorkPackages viewerCanViewMeetings viewerCanViewPosts viewerCanViewWikiPages viewerCanViewMembers viewerCanCreateWorkPackage}}fragment ProjectCard on Project{id databaseId identifier name active storages{id name}}");
export const ProjectCountsDocument = /* @__PURE__ */ new TypedText<ProjectCountsQuery, ProjectCountsQueryVariables>("query ProjectCounts($id:ID!$identifier:String!$workPackages:Boolean!$meetings:Boolean!$posts:Boolean!$wikiPages:Boolean!$members:Boolean!){files:attachments(filter:{projectIds:[$id]}first:1){totalCount totalIsAtLeast}workPackages(filter:{projectIds:[$id]}first:1)@include(if:$workPackages){totalCount totalIsAtLeast}storages:projectStorages(filter:{projectIds:[$id]}first:1){totalCount totalIsAtLeast}project(identifier:$identifier){meetings(first:1)@include(if:$meetings){totalCount totalIsAtLeast}posts(first:1)@include(if:$posts){totalCount totalIsAtLeast}wikiPages(first:1)@include(if:$wikiPages){totalCount totalIsAtLeast}members:memberships(first:1)@include(if:$members){totalCount totalIsAtLeast}}}");
export const ProjectWorkPackagesDocument = /* @__PURE__ */ new TypedText<ProjectWorkPackagesQuery, ProjectWorkPackagesQueryVariables>("query ProjectWorkPackages($id:ID!$search:String$first:Int!$after:String){workPackages(filter:{projectIds:[$id]search:$search}first:$first after:$after orderBy:[UPDATED_AT_DESC]){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{...WorkPackageRow}}}fragment WorkPackageRow on WorkPackage{id databaseId subject updatedAt type{name color}status{name color isClosed isDefault}assignee{name}project{name identifier}}");
export const ProjectMeetingsDocument = /* @__PURE__ */ new TypedText<ProjectMeetingsQuery, ProjectMeetingsQueryVariables>("query ProjectMeetings($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:meetings(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title updatedAt author{name}}}}}");
export const ProjectPostsDocument = /* @__PURE__ */ new TypedText<ProjectPostsQuery, ProjectPostsQueryVariables>("query ProjectPosts($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:posts(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title:subject updatedAt author{name}}}}}");
export const ProjectWikiPagesDocument = /* @__PURE__ */ new TypedText<ProjectWikiPagesQuery, ProjectWikiPagesQueryVariables>("query ProjectWikiPages($identifier:String!$first:Int!$after:String){project(identifier:$identifier){id list:wikiPages(first:$first after:$after orderBy:UPDATED_AT_DESC){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId title updatedAt author{name}}}}}");
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
export const MeDocument = /* @__PURE__ */ new TypedText<MeQuery, MeQueryVariables>("query Me{viewer{id databaseId login name firstName admin avatarUrl avatarThumbnail(size:SMALL){href}viewerCanChangePassword unread:notifications(filter:{unread:true}first:1){totalCount}}configuration{directUploadAvailable maximumAttachmentFileSize}}");
export const ChangePasswordDocument = /* @__PURE__ */ new TypedText<ChangePasswordMutation, ChangePasswordMutationVariables>("mutation ChangePassword($input:ChangePasswordInput!){changePassword(input:$input){user{id}}}");
