/** The words of HAL for the names of enums in the answers of documents, and back. */
import { namesOf, wordsOf } from '../../graphql/enum-words.js';
import type { StorageType as TypeOfStorage } from '../../storages/types.js';
import type {
  AttachmentStatus,
  AuthenticationMethod,
  AuthorizationState,
  DigestAlgorithm,
  FileLinkStatus,
  FilePermission,
  NotificationReason,
  ProjectFolderMode,
  StorageType,
  TextFormat,
  UploadMethod,
  UserStatus,
} from '../generated/documents.js';

export const words = {
  attachmentStatus: wordsOf<AttachmentStatus>('AttachmentStatus'),
  authenticationMethod: wordsOf<AuthenticationMethod>('AuthenticationMethod'),
  authorizationState: wordsOf<AuthorizationState>('AuthorizationState'),
  digestAlgorithm: wordsOf<DigestAlgorithm>('DigestAlgorithm'),
  fileLinkStatus: wordsOf<FileLinkStatus>('FileLinkStatus'),
  filePermission: wordsOf<FilePermission>('FilePermission'),
  notificationReason: wordsOf<NotificationReason>('NotificationReason'),
  projectFolderMode: wordsOf<ProjectFolderMode>('ProjectFolderMode'),
  storageType: wordsOf<StorageType, TypeOfStorage>('StorageType'),
  textFormat: wordsOf<TextFormat>('TextFormat'),
  uploadMethod: wordsOf<UploadMethod>('UploadMethod'),
  userStatus: wordsOf<UserStatus>('UserStatus'),
};

export const names = {
  authenticationMethod: namesOf<'TwoWayOAuth2' | 'OAuth2SSO', AuthenticationMethod>(
    'AuthenticationMethod',
  ),
  digestAlgorithm: namesOf<string, DigestAlgorithm>('DigestAlgorithm'),
  notificationReason: namesOf<string, NotificationReason>('NotificationReason'),
  storageType: namesOf<TypeOfStorage, StorageType>('StorageType'),
};

/** The name of a word that may be absent. */
export const named = <Word extends string, Name>(
  by: { readonly [word in Word]: Name },
  word: Word | null | undefined,
): Name | null | undefined => (word === null || word === undefined ? word : by[word]);
