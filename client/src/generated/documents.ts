/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */
import { TypedText } from '../document.js';
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

/** What a browser does with a file. */
export type ContentDisposition =
  /** It saves the file. */
  | 'ATTACHMENT'
  /** It shows the file, if that is safe. */
  | 'INLINE';

/** A file to upload through the service. */
export type CreateAttachmentInput = {
  /** Global id of the container. An integer does not say which kind of container it is. Without it, the attachment is unclaimed: only the caller sees it. It is deleted if no container claims it in time (after 3 hours by default). */
  containerId?: string | null | undefined;
  /** Description of the file, at most 255 characters. Default: empty. */
  description?: string | null | undefined;
  /** The content. `configuration.maximumAttachmentFileSize` is the largest size in bytes. */
  file: null;
  /** Required. Name of the file: 1 to 255 characters, without path separators and control characters. */
  fileName?: string | null | undefined;
  /** Chosen by the client: 1 to 64 visible ASCII characters, other ones for each file. Whoever repeats an upload with its key gets the attachment that the first one stored. If that one is not stored yet, the repeated upload replaces it. It has no effect for anonymous users. */
  uploadKey?: string | null | undefined;
};

/** New file links. Either all are created or none. */
export type CreateFileLinksInput = {
  /** Required. 1 to 20 file links. */
  fileLinks?: Array<FileLinkInput> | null | undefined;
  /** Global id or integer id of the work package. Without it, the links are unclaimed: only the caller sees them. They are removed if no work package claims them in time (after 3 hours by default). */
  workPackageId?: string | null | undefined;
};

/** How a checksum is computed. */
export type DigestAlgorithm =
  /** MD5 (RFC 1321), 32 hexadecimal digits. */
  | 'MD5'
  /** SHA-1 (RFC 3174), 40 hexadecimal digits. The service itself never uses it. */
  | 'SHA1'
  /** SHA-256 (RFC 6234), 64 hexadecimal digits. */
  | 'SHA256';

/** A digest of the content that the client has computed. */
export type DigestInput = {
  /** Required. How it is computed. */
  algorithm?: DigestAlgorithm | null | undefined;
  /** The digest in hexadecimal digits. */
  hash: string;
};

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

/** A file that the client will upload to the object store itself. */
export type PrepareAttachmentUploadInput = {
  /** Global id of the container. An integer does not say which kind of container it is. Without it the attachment is unclaimed: a container can claim it later. */
  containerId?: string | null | undefined;
  /** Media type, such as `image/png`. Default: unknown. The service determines the final media type from the content. */
  contentType?: string | null | undefined;
  /** Description of the file, at most 255 characters. Default: empty. */
  description?: string | null | undefined;
  /** The service compares it with the content after the upload. If they differ, the attachment is deleted. */
  digest?: DigestInput | null | undefined;
  /** Required. Name of the file: 1 to 255 characters, without path separators and control characters. */
  fileName?: string | null | undefined;
  /** Required. Exact size in bytes. `configuration.maximumAttachmentFileSize` is the largest. */
  fileSize?: number | null | undefined;
  /** Global id or integer id of an attachment that gets the new content, as with `replaceAttachment`. It needs the permission of that, also when the upload is complete. The upload then ends as deleted. Leave out `containerId` and `description`. */
  replaces?: string | null | undefined;
};

/** A file that the client will upload to a storage itself. */
export type PrepareStorageUploadInput = {
  /** Required. Name of the file: 1 to 255 characters, without path separators and control characters. */
  fileName?: string | null | undefined;
  /** Required. The folder that will contain it: an id, or a path that begins with `/`; at most 4,096 characters. */
  parent?: string | null | undefined;
  /** Required. Global id or integer id of a project that uses the storage. */
  projectId?: string | null | undefined;
  /** Global id or integer id of the storage. */
  storageId: string;
};

/** The method of HTTP that sends a file. */
export type UploadMethod =
  /** The file is a part of a form. */
  | 'POST'
  /** The content of the file is the body. */
  | 'PUT';

export type ContentAddressQueryVariables = Exact<{
  id: string;
  disposition: ContentDisposition;
}>;


export type ContentAddressQuery = { attachment: { contentAddress: { href: string, expiresAt: string } | null } | null };

export type WorkPackageProjectQueryVariables = Exact<{
  id: string;
}>;


export type WorkPackageProjectQuery = { workPackage: { id: string, project: { id: string } } | null };

export type PrepareStorageUploadMutationVariables = Exact<{
  input: PrepareStorageUploadInput;
}>;


export type PrepareStorageUploadMutation = { prepareStorageUpload: { uploadLink: { href: string, method: UploadMethod } } };

export type StorageFolderQueryVariables = Exact<{
  storageId: string;
  parent: string;
}>;


export type StorageFolderQuery = { storage: { files: { files: Array<{ id: string, name: string, size: number | null }> } | null } | null };

export type CreateFileLinksMutationVariables = Exact<{
  input: CreateFileLinksInput;
}>;


export type CreateFileLinksMutation = { createFileLinks: { fileLinks: Array<{ id: string, databaseId: number, createdAt: string, status: FileLinkStatus, originData: { id: string, name: string, mimeType: string | null, size: number | null } }> } };

export type AttachmentPartsFragment = { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string };

export type UploadTargetQueryVariables = Exact<{
  containerId: string;
  hasContainer: boolean;
}>;


export type UploadTargetQuery = { viewer: { id: string }, configuration: { directUploadAvailable: boolean, maximumAttachmentFileSize: number, virusScanning: boolean }, container?:
    | { viewerCanPrepareAttachment: boolean }
    | { viewerCanPrepareAttachment: boolean }
    | { viewerCanPrepareAttachment: boolean }
    | { viewerCanPrepareAttachment: boolean }
    | { viewerCanPrepareAttachment: boolean }
   | null };

export type RecentAttachmentsQueryVariables = Exact<{ [key: string]: never; }>;


export type RecentAttachmentsQuery = { viewer: { recentAttachments: { nodes: Array<{ uploadKey: string | null, id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string }> } } };

export type AttachmentStatesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type AttachmentStatesQuery = { nodes: Array<
    | { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string }
    | Record<PropertyKey, never>
   | null> };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { id: string } };

export type CreateAttachmentMutationVariables = Exact<{
  input: CreateAttachmentInput;
}>;


export type CreateAttachmentMutation = { createAttachment: { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string } } };

export type PrepareAttachmentUploadMutationVariables = Exact<{
  input: PrepareAttachmentUploadInput;
}>;


export type PrepareAttachmentUploadMutation = { prepareAttachmentUpload: { upload: { databaseId: number, addAttachment: { href: string, formFields: Array<{ name: string, value: string }> } } } };

export type CompleteAttachmentUploadMutationVariables = Exact<{
  id: string;
}>;


export type CompleteAttachmentUploadMutation = { completeAttachmentUpload: { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string } } };

export type DeleteAttachmentMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAttachmentMutation = { deleteAttachment: { deletedAttachmentId: string } };

export type AttachmentChangesSubscriptionVariables = Exact<{
  containerId?: string | null | undefined;
  attachmentId?: string | null | undefined;
}>;


export type AttachmentChangesSubscription = { attachmentChanged: { event: AttachmentEvent, reason: string | null, attachmentId: string, attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string } | null } };

export type AttachmentByIdQueryVariables = Exact<{
  id: string;
}>;


export type AttachmentByIdQuery = { attachment: { id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string } | null };

export type ReplacedAttachmentQueryVariables = Exact<{
  id: string;
}>;


export type ReplacedAttachmentQuery = { attachment: { updatedAt: string, id: string, databaseId: number, fileName: string, fileSize: number, contentType: string, status: AttachmentStatus, createdAt: string, digest: { hash: string } } | null };

export const ContentAddressDocument = /* @__PURE__ */ new TypedText<ContentAddressQuery, ContentAddressQueryVariables>("query ContentAddress($id:ID!$disposition:ContentDisposition!){attachment(id:$id){contentAddress(disposition:$disposition){href expiresAt}}}");
export const WorkPackageProjectDocument = /* @__PURE__ */ new TypedText<WorkPackageProjectQuery, WorkPackageProjectQueryVariables>("query WorkPackageProject($id:ID!){workPackage(id:$id){id project{id}}}");
export const PrepareStorageUploadDocument = /* @__PURE__ */ new TypedText<PrepareStorageUploadMutation, PrepareStorageUploadMutationVariables>("mutation PrepareStorageUpload($input:PrepareStorageUploadInput!){prepareStorageUpload(input:$input){uploadLink{href method}}}");
export const StorageFolderDocument = /* @__PURE__ */ new TypedText<StorageFolderQuery, StorageFolderQueryVariables>("query StorageFolder($storageId:ID!$parent:String!){storage(id:$storageId){files(parent:$parent){files{id name size}}}}");
export const CreateFileLinksDocument = /* @__PURE__ */ new TypedText<CreateFileLinksMutation, CreateFileLinksMutationVariables>("mutation CreateFileLinks($input:CreateFileLinksInput!){createFileLinks(input:$input){fileLinks{id databaseId createdAt status originData(refresh:false){id name mimeType size}}}}");
export const UploadTargetDocument = /* @__PURE__ */ new TypedText<UploadTargetQuery, UploadTargetQueryVariables>("query UploadTarget($containerId:ID!$hasContainer:Boolean!){viewer{id}configuration{directUploadAvailable maximumAttachmentFileSize virusScanning}container(id:$containerId)@include(if:$hasContainer){viewerCanPrepareAttachment}}");
export const RecentAttachmentsDocument = /* @__PURE__ */ new TypedText<RecentAttachmentsQuery, RecentAttachmentsQueryVariables>("query RecentAttachments{viewer{recentAttachments(first:100){nodes{...AttachmentParts uploadKey}}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const AttachmentStatesDocument = /* @__PURE__ */ new TypedText<AttachmentStatesQuery, AttachmentStatesQueryVariables>("query AttachmentStates($ids:[ID!]!){nodes(ids:$ids){...on Attachment{...AttachmentParts}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const ViewerDocument = /* @__PURE__ */ new TypedText<ViewerQuery, ViewerQueryVariables>("query Viewer{viewer{id}}");
export const CreateAttachmentDocument = /* @__PURE__ */ new TypedText<CreateAttachmentMutation, CreateAttachmentMutationVariables>("mutation CreateAttachment($input:CreateAttachmentInput!){createAttachment(input:$input){attachment{...AttachmentParts}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const PrepareAttachmentUploadDocument = /* @__PURE__ */ new TypedText<PrepareAttachmentUploadMutation, PrepareAttachmentUploadMutationVariables>("mutation PrepareAttachmentUpload($input:PrepareAttachmentUploadInput!){prepareAttachmentUpload(input:$input){upload{databaseId addAttachment{href formFields{name value}}}}}");
export const CompleteAttachmentUploadDocument = /* @__PURE__ */ new TypedText<CompleteAttachmentUploadMutation, CompleteAttachmentUploadMutationVariables>("mutation CompleteAttachmentUpload($id:ID!){completeAttachmentUpload(input:{id:$id}){attachment{...AttachmentParts}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const DeleteAttachmentDocument = /* @__PURE__ */ new TypedText<DeleteAttachmentMutation, DeleteAttachmentMutationVariables>("mutation DeleteAttachment($id:ID!){deleteAttachment(input:{id:$id}){deletedAttachmentId}}");
export const AttachmentChangesDocument = /* @__PURE__ */ new TypedText<AttachmentChangesSubscription, AttachmentChangesSubscriptionVariables>("subscription AttachmentChanges($containerId:ID$attachmentId:ID){attachmentChanged(containerId:$containerId attachmentId:$attachmentId){event reason attachmentId attachment{...AttachmentParts}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const AttachmentByIdDocument = /* @__PURE__ */ new TypedText<AttachmentByIdQuery, AttachmentByIdQueryVariables>("query AttachmentById($id:ID!){attachment(id:$id){...AttachmentParts}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
export const ReplacedAttachmentDocument = /* @__PURE__ */ new TypedText<ReplacedAttachmentQuery, ReplacedAttachmentQueryVariables>("query ReplacedAttachment($id:ID!){attachment(id:$id){...AttachmentParts updatedAt digest{hash}}}fragment AttachmentParts on Attachment{id databaseId fileName fileSize contentType status createdAt}");
