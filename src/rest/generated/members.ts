/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */
import { words } from '../documents/words.js';
import type { FormattableMembersFragment, DigestMembersFragment, AttachmentMembersFragment, AttachmentUploadMembersFragment, WorkPackageMembersFragment, ActivityMembersFragment, OriginDataMembersFragment, FileLinkMembersFragment, StorageFileMembersFragment, StorageFilesMembersFragment, UploadLinkMembersFragment, StatusMembersFragment, TypeMembersFragment, MembershipMembersFragment, RoleMembersFragment, NotificationMembersFragment, ProjectMembersFragment, ConfigurationMembersFragment, StorageMembersFragment, OAuthApplicationMembersFragment, OAuthClientCredentialsMembersFragment, ProjectStorageMembersFragment, UserMembersFragment } from './documents.js';
export const formattableMembers = (of: FormattableMembersFragment) => ({ format: words.textFormat[of.format], raw: of.raw, html: of.html });

export const digestMembers = (of: DigestMembersFragment) => ({ algorithm: words.digestAlgorithm[of.algorithm], hash: of.hash });

export const attachmentMembers = (of: AttachmentMembersFragment) => ({ _type: of._type, id: of.id, title: of.title, fileName: of.fileName, fileSize: of.fileSize, description: formattableMembers(of.description), status: words.attachmentStatus[of.status], contentType: of.contentType, digest: digestMembers(of.digest), createdAt: of.createdAt });

export const attachmentUploadMembers = (of: AttachmentUploadMembersFragment) => ({ _type: of._type, id: of.id, fileName: of.fileName, description: formattableMembers(of.description), createdAt: of.createdAt });

export const workPackageMembers = (of: WorkPackageMembersFragment) => ({ _type: of._type, id: of.id, subject: of.subject, description: formattableMembers(of.description), lockVersion: of.lockVersion, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const activityMembers = (of: ActivityMembersFragment) => ({ _type: of._type, id: of.id, comment: formattableMembers(of.comment), details: of.details.map((one) => formattableMembers(one)), internal: of.internal, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const originDataMembers = (of: OriginDataMembersFragment) => ({ id: of.id, name: of.name, mimeType: of.mimeType, size: of.size, createdAt: of.createdAt, lastModifiedAt: of.lastModifiedAt, createdByName: of.createdByName, lastModifiedByName: of.lastModifiedByName });

export const fileLinkMembers = (of: FileLinkMembersFragment) => ({ _type: of._type, id: of.id, createdAt: of.createdAt, updatedAt: of.updatedAt, originData: originDataMembers(of.originData) });

export const storageFileMembers = (of: StorageFileMembersFragment) => ({ _type: of._type, id: of.id, name: of.name, mimeType: of.mimeType, size: of.size, createdAt: of.createdAt, lastModifiedAt: of.lastModifiedAt, createdByName: of.createdByName, lastModifiedByName: of.lastModifiedByName, location: of.location, permissions: of.permissions.map((one) => words.filePermission[one]) });

export const storageFilesMembers = (of: StorageFilesMembersFragment) => ({ _type: of._type, files: of.files.map((one) => storageFileMembers(one)), parent: storageFileMembers(of.parent), ancestors: of.ancestors.map((one) => storageFileMembers(one)) });

export const uploadLinkMembers = (of: UploadLinkMembersFragment) => ({ _type: of._type });

export const statusMembers = (of: StatusMembersFragment) => ({ _type: of._type, id: of.id, name: of.name, isClosed: of.isClosed, color: of.color, isDefault: of.isDefault, position: of.position });

export const typeMembers = (of: TypeMembersFragment) => ({ _type: of._type, id: of.id, name: of.name, color: of.color, position: of.position, isDefault: of.isDefault, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const membershipMembers = (of: MembershipMembersFragment) => ({ _type: of._type, id: of.id, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const roleMembers = (of: RoleMembersFragment) => ({ _type: of._type, id: of.id, name: of.name });

export const notificationMembers = (of: NotificationMembersFragment) => ({ _type: of._type, id: of.id, readIAN: of.readIAN, reason: words.notificationReason[of.reason], createdAt: of.createdAt, updatedAt: of.updatedAt });

export const projectMembers = (of: ProjectMembersFragment) => ({ _type: of._type, id: of.id, identifier: of.identifier, name: of.name, public: of.public, active: of.active, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const configurationMembers = (of: ConfigurationMembersFragment) => ({ _type: of._type, maximumAttachmentFileSize: of.maximumAttachmentFileSize });

export const storageMembers = (of: StorageMembersFragment) => ({ _type: of._type, id: of.id, name: of.name, storageAudience: of.storageAudience, tokenExchangeScope: of.tokenExchangeScope, hasApplicationPassword: of.hasApplicationPassword, automaticallyManagedFolders: of.automaticallyManagedFolders, tenantId: of.tenantId, driveId: of.driveId, configured: of.configured, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const oAuthApplicationMembers = (of: OAuthApplicationMembersFragment) => ({ _type: of._type, id: of.id, name: of.name, clientId: of.clientId, confidential: of.confidential, createdAt: of.createdAt, updatedAt: of.updatedAt, scopes: of.scopes });

export const oAuthClientCredentialsMembers = (of: OAuthClientCredentialsMembersFragment) => ({ _type: of._type, id: of.id, clientId: of.clientId, confidential: of.confidential, createdAt: of.createdAt, updatedAt: of.updatedAt });

export const projectStorageMembers = (of: ProjectStorageMembersFragment) => ({ _type: of._type, id: of.id, createdAt: of.createdAt, updatedAt: of.updatedAt, projectFolderMode: words.projectFolderMode[of.projectFolderMode] });

export const userMembers = (of: UserMembersFragment) => ({ _type: of._type, id: of.id, login: of.login, name: of.name, firstName: of.firstName, lastName: of.lastName, admin: of.admin, avatar: of.avatar, email: of.email, status: words.userStatus[of.status], createdAt: of.createdAt, updatedAt: of.updatedAt });
