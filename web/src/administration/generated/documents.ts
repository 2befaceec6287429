/* Generated from schema.graphql and the .graphql files of `documents`: npm run generate */
import { TypedText } from 'moorage-client';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** With what somebody acted. */
export type AuditCredential =
  /** The token of an application, or of the OpenID provider. */
  | 'ACCESS_TOKEN'
  /** An API key. */
  | 'API_KEY'
  /** The command `moorage`, where the service runs. */
  | 'COMMAND'
  /** A link to set up the service, or to set a password. */
  | 'ONE_TIME_LINK'
  /** The session of a browser. */
  | 'SESSION';

/** Entries of the audit. Members narrow the list together. */
export type AuditEventFilter = {
  /** Only what this person did: a global id or an integer id. Error: INVALID_QUERY for others. */
  actorId?: string | null | undefined;
  /** Only at this time or later. */
  after?: string | null | undefined;
  /** Only at this time or earlier. */
  before?: string | null | undefined;
  /** Only of these kinds. */
  kinds?: Array<AuditKind> | null | undefined;
  /** Only what concerns this object: its global id, also after it was deleted. An integer does not say which kind of object it is. Error: INVALID_QUERY. */
  subjectId?: string | null | undefined;
};

/** What happened. */
export type AuditKind =
  /** An API key was created. */
  | 'API_KEY_CREATED'
  /** An API key was revoked. */
  | 'API_KEY_DELETED'
  /** An API key was renamed. */
  | 'API_KEY_UPDATED'
  /** A file was released from quarantine. */
  | 'ATTACHMENT_RELEASED'
  /** An application may no longer act for a person. */
  | 'AUTHORIZATION_ENDED'
  /** The connection of a person with a storage was ended. */
  | 'CONNECTION_ENDED'
  /** A directory file was imported. It can change people, roles and projects. */
  | 'DIRECTORY_IMPORTED'
  /** A person was removed from a project. The subject is the person. */
  | 'MEMBERSHIP_REMOVED'
  /** A person got other roles in a project. The subject is the person. */
  | 'MEMBERSHIP_SET'
  /** An OAuth application was created. */
  | 'OAUTH_APPLICATION_CREATED'
  /** An OAuth application was deleted. */
  | 'OAUTH_APPLICATION_DELETED'
  /** The OAuth application of a storage got another secret. */
  | 'OAUTH_APPLICATION_SECRET_ROTATED'
  /** Somebody changed their own password. */
  | 'PASSWORD_CHANGED'
  /** A change of a password was refused: the present one was wrong. */
  | 'PASSWORD_CHANGE_REFUSED'
  /** A project was created. */
  | 'PROJECT_CREATED'
  /** A storage was added to a project. */
  | 'PROJECT_STORAGE_CREATED'
  /** A storage was removed from a project. */
  | 'PROJECT_STORAGE_DELETED'
  /** The folder of a project in a storage was changed. */
  | 'PROJECT_STORAGE_UPDATED'
  /** A project was changed. */
  | 'PROJECT_UPDATED'
  /** A file in quarantine was deleted. */
  | 'QUARANTINED_ATTACHMENT_DELETED'
  /** A role was created. */
  | 'ROLE_CREATED'
  /** A role was deleted. */
  | 'ROLE_DELETED'
  /** A role was changed. */
  | 'ROLE_UPDATED'
  /** All sessions of a person were ended. The subject is the person. */
  | 'SESSIONS_ENDED'
  /** A session was ended from another browser, or by an administrator. */
  | 'SESSION_ENDED'
  /** Somebody signed in with a browser. */
  | 'SIGNED_IN'
  /** A sign-in was refused. The subject is the person, if the login exists. */
  | 'SIGN_IN_REFUSED'
  /** A storage was created. */
  | 'STORAGE_CREATED'
  /** The client credentials for a storage were set. */
  | 'STORAGE_CREDENTIALS_SET'
  /** A storage was deleted. */
  | 'STORAGE_DELETED'
  /** The application password of a storage was set or removed. */
  | 'STORAGE_PASSWORD_SET'
  /** A storage was changed. */
  | 'STORAGE_UPDATED'
  /** A person was created. */
  | 'USER_CREATED'
  /** A person was erased. */
  | 'USER_ERASED'
  /** A person got an identity at the OpenID provider. */
  | 'USER_IDENTITY_LINKED'
  /** A person was locked. */
  | 'USER_LOCKED'
  /** A link was made with which a person sets a password. */
  | 'USER_PASSWORD_LINK_CREATED'
  /** A person got another password. */
  | 'USER_PASSWORD_SET'
  /** The lock of a person was taken back. */
  | 'USER_UNLOCKED'
  /** A person was changed. */
  | 'USER_UPDATED'
  /** A webhook was created. */
  | 'WEBHOOK_CREATED'
  /** A webhook was deleted. */
  | 'WEBHOOK_DELETED'
  /** An event is delivered again. The subject is the webhook. */
  | 'WEBHOOK_EVENT_REDELIVERED'
  /** A webhook got another secret. */
  | 'WEBHOOK_SECRET_ROTATED'
  /** A webhook was changed. */
  | 'WEBHOOK_UPDATED';

/** How a self-hosted file server identifies users. */
export type AuthenticationMethod =
  /** With tokens of an OpenID provider that both sides trust. */
  | 'OAUTH2_SSO'
  /** Each side is an OAuth 2 client of the other. */
  | 'TWO_WAY_OAUTH2';

/** Whether the storage accepts the caller. The service requests it from the storage. */
export type AuthorizationState =
  /** The storage accepts the caller. */
  | 'CONNECTED'
  /** The storage did not answer, or not as it should. */
  | 'ERROR'
  /** The caller has not connected yet, or the storage rejects the caller's token. */
  | 'FAILED_AUTHORIZATION';

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

/** A new OAuth application. */
export type CreateOAuthApplicationInput = {
  /** Whether it can keep a secret. A program on the computer of a person cannot. */
  confidential?: boolean;
  /** Name on the page where people decide, 1 to 255 characters. */
  name: string;
  /** Where the browser may return to: 1 to 10 addresses without a fragment: https, http on this computer, or a scheme of a program such as `com.example.app:/done`. */
  redirectUris: Array<string>;
};

/** A new project. */
export type CreateProjectInput = {
  /** Short name, unique, 1 to 255 characters. It cannot be changed. */
  identifier: string;
  /** Full name, 1 to 255 characters. */
  name: string;
  /** Whether people who are not members can view it. Default: false. */
  public?: boolean | null | undefined;
};

/** The storage to add to a project. */
export type CreateProjectStorageInput = {
  /** Id of the folder in the storage, at most 255 characters. Required for `MANUAL`, ignored for `INACTIVE`. With `AUTOMATIC`, the service replaces it by the id of the folder that it makes. */
  projectFolderId?: string | null | undefined;
  /** Whether the project has its own folder in the storage. Default: `INACTIVE`. `AUTOMATIC` needs a storage with an application password, or a drive that allows it. */
  projectFolderMode?: ProjectFolderMode | null | undefined;
  /** Global id or integer id of the project. */
  projectId: string;
  /** Global id or integer id of the storage. */
  storageId: string;
};

/** A new role. */
export type CreateRoleInput = {
  /** Name of the role, unique, 1 to 255 characters. */
  name: string;
  /** What it permits. */
  permissions: Array<Permission>;
};

/** A new storage. Members that do not belong to its type are ignored. Defaults: `name` is the name of the type, `authenticationMethod` is `TWO_WAY_OAUTH2`. A self-hosted file server needs an `origin`. */
export type CreateStorageInput = {
  /** Password with which the service manages project folders. The service checks it. Null unsets it. Ignored for storages without their own address. */
  applicationPassword?: string | null | undefined;
  /** How users sign in to the storage. Ignored for storages without their own address. */
  authenticationMethod?: AuthenticationMethod | null | undefined;
  /** Whether the application may manage the folders of projects in a cloud drive. Null means false. Ignored for storages with an application password. */
  automaticallyManagedFolders?: boolean | null | undefined;
  /** Id of the drive at the cloud service, at least 17 characters. Ignored for other types. */
  driveId?: string | null | undefined;
  /** Name of the storage, unique, 1 to 255 characters. */
  name?: string | null | undefined;
  /** Address of the storage, at most 255 characters. It may have a path. It must be https, or http on the machine of the service. The service checks that a storage of the type answers there. Ignored for storages without their own address. */
  origin?: string | null | undefined;
  /** Audience of the tokens for the storage, with `OAUTH2_SSO`; at most 255 characters. `__op-idp__` passes on the token of the sign-in without an exchange. Null unsets it. Ignored for storages without their own address. */
  storageAudience?: string | null | undefined;
  /** Tenant (directory) of a cloud drive: a GUID, or `consumers` for personal accounts. Ignored for other types. */
  tenantId?: string | null | undefined;
  /** Scope to ask for when a token is exchanged for the storage, with `OAUTH2_SSO`; at most 255 characters. Several are separated by blanks. Null unsets it. Ignored for storages without their own address. */
  tokenExchangeScope?: string | null | undefined;
  /** Required. Type of the storage. It cannot be changed later. */
  type?: StorageType | null | undefined;
};

/** A new person. */
export type CreateUserInput = {
  /** Whether the person is an administrator. Default: false. */
  admin?: boolean | null | undefined;
  /** E-mail address, at most 255 characters. */
  email?: string | null | undefined;
  /** First name, 1 to 255 characters. */
  firstName: string;
  /** Last name, at most 255 characters. */
  lastName?: string | null | undefined;
  /** Sign-in name, unique, 1 to 255 characters. It cannot be changed. */
  login: string;
  /** A password, 1 to 1,024 characters. Without one, a link is made to set it. */
  password?: string | null | undefined;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** Whether events are posted. Default: true. */
  enabled?: boolean | null | undefined;
  /** The events to post, at least one. */
  events: Array<WebhookEvent>;
  /** URL to which events are posted, at most 2,000 characters. It may have a query. It must be https, or http on the machine of the service. */
  url: string;
};

/** The API key to revoke. */
export type DeleteApiKeyInput = {
  /** Global id or integer id of the API key. */
  id: string;
};

/** The attachment to delete. */
export type DeleteAttachmentInput = {
  /** Global id or integer id of the attachment. */
  id: string;
};

/** The OAuth application to delete. */
export type DeleteOAuthApplicationInput = {
  /** Global id or integer id of the application. */
  id: string;
};

/** The project storage to remove. */
export type DeleteProjectStorageInput = {
  /** Whether the folder that the service made for the project is deleted too, a few seconds later. It needs an administrator. Default: it stays and is hidden. */
  deleteFolder?: boolean | null | undefined;
  /** Global id or integer id of the project storage. */
  id: string;
};

/** The role to delete. */
export type DeleteRoleInput = {
  /** Global id or integer id of the role. */
  id: string;
};

/** The storage to delete. */
export type DeleteStorageInput = {
  /** Global id or integer id of the storage. */
  id: string;
};

/** The webhook to delete. */
export type DeleteWebhookInput = {
  /** Global id or integer id of the webhook. */
  id: string;
};

/** State of the delivery of an event to a webhook. */
export type DeliveryState =
  /** The service stopped after ten attempts or three days of waiting. An administrator can start the delivery again. */
  | 'DEAD'
  /** The receiver answered with a status from 200 to 299. */
  | 'DELIVERED'
  /** The delivery waits for its next attempt. */
  | 'PENDING';

/** The authorization to end. */
export type EndAuthorizationInput = {
  /** Global id or integer id of the authorization. */
  id: string;
};

/** The connection to end. */
export type EndConnectionInput = {
  /** Global id or integer id of the connection. */
  id: string;
};

/** The session to end. */
export type EndSessionInput = {
  /** Global id or integer id of the session. */
  id: string;
};

/** The person whose sessions end. */
export type EndSessionsOfInput = {
  /** Global id or integer id of the person. */
  userId: string;
};

/** The person to erase. */
export type EraseUserInput = {
  /** Global id or integer id of the person. */
  id: string;
};

/** The person to lock. */
export type LockUserInput = {
  /** Global id or integer id of the person. */
  id: string;
};

/** What a role permits in a project. */
export type Permission =
  /** Add work packages. */
  | 'ADD_WORK_PACKAGES'
  /** Add work package attachments. */
  | 'ADD_WORK_PACKAGE_ATTACHMENTS'
  /** Add work package comments. */
  | 'ADD_WORK_PACKAGE_COMMENTS'
  /** Create files. */
  | 'CREATE_FILES'
  /** Delete files. */
  | 'DELETE_FILES'
  /** Edit meetings. */
  | 'EDIT_MEETINGS'
  /** Edit messages. */
  | 'EDIT_MESSAGES'
  /** Edit wiki pages. */
  | 'EDIT_WIKI_PAGES'
  /** Edit work packages. */
  | 'EDIT_WORK_PACKAGES'
  /** Manage files in project. */
  | 'MANAGE_FILES_IN_PROJECT'
  /** Manage file links. */
  | 'MANAGE_FILE_LINKS'
  /** Read files. */
  | 'READ_FILES'
  /** Share files. */
  | 'SHARE_FILES'
  /** View file links. */
  | 'VIEW_FILE_LINKS'
  /** View internal comments. */
  | 'VIEW_INTERNAL_COMMENTS'
  /** View meetings. */
  | 'VIEW_MEETINGS'
  /** View messages. */
  | 'VIEW_MESSAGES'
  /** View wiki pages. */
  | 'VIEW_WIKI_PAGES'
  /** View work packages. */
  | 'VIEW_WORK_PACKAGES'
  /** Write files. */
  | 'WRITE_FILES';

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

/** The delivery to repeat. */
export type RedeliverEventInput = {
  /** Global id or integer id of the delivery. */
  id: string;
};

/** The file to release from quarantine. */
export type ReleaseAttachmentInput = {
  /** Global id or integer id of the attachment. */
  id: string;
};

/** The member to remove. */
export type RemoveMembershipInput = {
  /** Global id or integer id of the project. */
  projectId: string;
  /** Global id or integer id of the person. */
  userId: string;
};

/** The storage whose OAuth application gets a new secret. */
export type RotateOAuthApplicationSecretInput = {
  /** Global id or integer id of the storage. */
  storageId: string;
};

/** The webhook that gets a new secret. */
export type RotateWebhookSecretInput = {
  /** Global id or integer id of the webhook. */
  id: string;
};

/** The roles of a member. */
export type SetMembershipInput = {
  /** Global id or integer id of the project. */
  projectId: string;
  /** Global ids or integer ids of the roles, at least one. */
  roleIds: Array<string>;
  /** Global id or integer id of the person. */
  userId: string;
};

/** Client credentials of this service at a storage. They replace earlier ones. All users must connect to the storage again. */
export type SetOAuthClientCredentialsInput = {
  /** Required. Client id that the storage issued, at most 255 characters. */
  clientId?: string | null | undefined;
  /** Required. Client secret that the storage issued, at most 4,000 characters. It cannot be read again. */
  clientSecret?: string | null | undefined;
  /** Global id or integer id of the storage. */
  storageId: string;
};

/** The person that gets another password. */
export type SetUserPasswordInput = {
  /** Global id or integer id of the person. */
  id: string;
  /** A password, 1 to 1,024 characters. Without one, a link is made to set it. */
  password?: string | null | undefined;
};

/** Outcome of a check. */
export type StorageCheckStatus =
  /** The check found a problem. */
  | 'FAILED'
  /** The check found no problem. */
  | 'OK'
  /** There was nothing to check, or a required earlier check did not succeed. */
  | 'SKIPPED';

/** Kind of external file service. */
export type StorageType =
  /** One drive of a cloud tenant (Microsoft 365). */
  | 'CLOUD_DRIVE'
  /** A self-hosted file server with its own address. */
  | 'SELF_HOSTED_FILE_SERVER';

/** The person to unlock. */
export type UnlockUserInput = {
  /** Global id or integer id of the person. */
  id: string;
};

/** Changes of a project. Omitted members stay unchanged. */
export type UpdateProjectInput = {
  /** Whether people still work on it. False archives it. */
  active?: boolean | null | undefined;
  /** Global id or integer id of the project. */
  id: string;
  /** Full name, 1 to 255 characters. */
  name?: string | null | undefined;
  /** Whether people who are not members can view it. */
  public?: boolean | null | undefined;
  /** The most bytes that the files of the project may have together. Null: no limit. Files that are there stay, also above it. */
  storageQuota?: number | null | undefined;
};

/** Changes of a role. Omitted members stay unchanged. */
export type UpdateRoleInput = {
  /** Global id or integer id of the role. */
  id: string;
  /** Name of the role, unique, 1 to 255 characters. */
  name?: string | null | undefined;
  /** What it permits from now on. */
  permissions?: Array<Permission> | null | undefined;
};

/** Changes of a storage. Omitted members stay unchanged. Members that do not belong to its type are ignored. A new origin or tenant deletes every secret of the storage: its client credentials, the connections of users, the application password and the secret of its OAuth application. */
export type UpdateStorageInput = {
  /** Password with which the service manages project folders. The service checks it. Null unsets it. Ignored for storages without their own address. */
  applicationPassword?: string | null | undefined;
  /** How users sign in to the storage. Ignored for storages without their own address. */
  authenticationMethod?: AuthenticationMethod | null | undefined;
  /** Whether the application may manage the folders of projects in a cloud drive. Null means false. Ignored for storages with an application password. */
  automaticallyManagedFolders?: boolean | null | undefined;
  /** Id of the drive at the cloud service, at least 17 characters. Ignored for other types. */
  driveId?: string | null | undefined;
  /** Global id or integer id of the storage. */
  id: string;
  /** Name of the storage, unique, 1 to 255 characters. */
  name?: string | null | undefined;
  /** Address of the storage, at most 255 characters. It may have a path. It must be https, or http on the machine of the service. The service checks that a storage of the type answers there. Ignored for storages without their own address. */
  origin?: string | null | undefined;
  /** Audience of the tokens for the storage, with `OAUTH2_SSO`; at most 255 characters. `__op-idp__` passes on the token of the sign-in without an exchange. Null unsets it. Ignored for storages without their own address. */
  storageAudience?: string | null | undefined;
  /** Tenant (directory) of a cloud drive: a GUID, or `consumers` for personal accounts. Ignored for other types. */
  tenantId?: string | null | undefined;
  /** Scope to ask for when a token is exchanged for the storage, with `OAUTH2_SSO`; at most 255 characters. Several are separated by blanks. Null unsets it. Ignored for storages without their own address. */
  tokenExchangeScope?: string | null | undefined;
  /** The current type. Error: PROPERTY_CONSTRAINT_VIOLATION for another type. */
  type?: StorageType | null | undefined;
};

/** Changes of a person. Omitted members stay unchanged. */
export type UpdateUserInput = {
  /** Whether the person is an administrator. */
  admin?: boolean | null | undefined;
  /** E-mail address, at most 255 characters. Null removes it. */
  email?: string | null | undefined;
  /** First name, 1 to 255 characters. */
  firstName?: string | null | undefined;
  /** Global id or integer id of the person. */
  id: string;
  /** Last name, at most 255 characters. */
  lastName?: string | null | undefined;
};

/** Changes of a webhook. Omitted members stay unchanged. */
export type UpdateWebhookInput = {
  /** Whether events are posted. */
  enabled?: boolean | null | undefined;
  /** The events to post, at least one. */
  events?: Array<WebhookEvent> | null | undefined;
  /** Global id or integer id of the webhook. */
  id: string;
  /** URL to which events are posted, as in `createWebhook`. */
  url?: string | null | undefined;
};

/** Whether a user can sign in. */
export type UserStatus =
  /** The user can sign in. */
  | 'ACTIVE'
  /** An administrator or the directory has locked the account. */
  | 'LOCKED';

/** Deliveries. */
export type WebhookDeliveryFilter = {
  /** Only those in this state. */
  state?: DeliveryState | null | undefined;
};

/** Event that a webhook can receive. In the request body, `type` is e.g. `attachment:created`. */
export type WebhookEvent =
  /** `attachment:created`: a regular upload was stored, a direct upload was finalised, or a file was copied. */
  | 'ATTACHMENT_CREATED'
  /** `attachment:deleted`: an attachment was deleted. */
  | 'ATTACHMENT_DELETED'
  /** `attachment:moved`: an attachment was moved. It is sent twice: for the container where it was, and for the one where it is. */
  | 'ATTACHMENT_MOVED'
  /** `attachment:quarantined`: the virus scan found malware. */
  | 'ATTACHMENT_QUARANTINED'
  /** `attachment:replaced`: an attachment got a new content. */
  | 'ATTACHMENT_REPLACED'
  /** `attachment:restored`: an attachment was restored from the trash. */
  | 'ATTACHMENT_RESTORED'
  /** `attachment:scanned`: the virus scan found nothing, or an administrator released the file. */
  | 'ATTACHMENT_SCANNED'
  /** `attachment:updated`: the name or the description of an attachment changed. */
  | 'ATTACHMENT_UPDATED'
  /** `file_link:created`: a file link was created. */
  | 'FILE_LINK_CREATED'
  /** `file_link:deleted`: a file link was deleted. */
  | 'FILE_LINK_DELETED'
  /** `storage:folders_failed`: project folders of a storage were not in step three times in a row. */
  | 'STORAGE_FOLDERS_FAILED'
  /** `storage:folders_recovered`: after that, the project folders are in step again. */
  | 'STORAGE_FOLDERS_RECOVERED';

export type ImportDirectoryMutationVariables = Exact<{
  file: null;
  dryRun: boolean;
}>;


export type ImportDirectoryMutation = { importDirectory: { errorCount: number, added: Array<{ list: string, count: number, examples: Array<string> }>, changed: Array<{ list: string, count: number, examples: Array<string> }>, ended: Array<{ list: string, count: number, examples: Array<string> }>, errors: Array<{ path: string, message: string }> } };

export type ImportedListFragment = { list: string, count: number, examples: Array<string> };

export type AdministeredPeopleQueryVariables = Exact<{
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AdministeredPeopleQuery = { users: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, login: string, name: string, email: string | null, admin: boolean, status: UserStatus, erasedAt: string | null }> } };

export type FindPeopleQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type FindPeopleQuery = { users: { nodes: Array<{ id: string, name: string }> } };

export type PersonSettingsFragment = { id: string, databaseId: number, login: string, name: string, firstName: string, lastName: string, email: string | null, admin: boolean, status: UserStatus, erasedAt: string | null, createdAt: string, updatedAt: string };

export type PersonQueryVariables = Exact<{
  id: string;
}>;


export type PersonQuery = { user: { id: string, databaseId: number, login: string, name: string, firstName: string, lastName: string, email: string | null, admin: boolean, status: UserStatus, erasedAt: string | null, createdAt: string, updatedAt: string } | null };

export type PersonAccessQueryVariables = Exact<{
  id: string;
}>;


export type PersonAccessQuery = { user: { sessions: { nodes: Array<{ id: string, browser: string | null, system: string | null, network: string | null, lastUsedAt: string | null, createdAt: string, current: boolean }> }, authorizations: { nodes: Array<{ id: string, applicationName: string, lastUsedAt: string | null, createdAt: string }> }, connections: { nodes: Array<{ id: string, originUserId: string | null, createdAt: string, storage: { name: string } | null }> }, apiKeys: Array<{ id: string, name: string, lastUsedAt: string | null, createdAt: string }> } | null };

export type PersonMembershipsQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type PersonMembershipsQuery = { user: { memberships: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, project: { id: string, databaseId: number, name: string }, roles: Array<{ id: string, name: string }> }> } } | null };

export type RolesQueryVariables = Exact<{ [key: string]: never; }>;


export type RolesQuery = { roles: Array<{ id: string, databaseId: number, name: string }> };

export type CreatePersonMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreatePersonMutation = { createUser: { invited: boolean, passwordLink: string | null, passwordLinkExpiresAt: string | null, user: { databaseId: number, name: string, email: string | null } } };

export type UpdatePersonMutationVariables = Exact<{
  input: UpdateUserInput;
}>;


export type UpdatePersonMutation = { updateUser: { user: { updatedAt: string } } };

export type LockPersonMutationVariables = Exact<{
  input: LockUserInput;
}>;


export type LockPersonMutation = { lockUser: { user: { updatedAt: string } } };

export type UnlockPersonMutationVariables = Exact<{
  input: UnlockUserInput;
}>;


export type UnlockPersonMutation = { unlockUser: { user: { updatedAt: string } } };

export type SetPersonPasswordMutationVariables = Exact<{
  input: SetUserPasswordInput;
}>;


export type SetPersonPasswordMutation = { setUserPassword: { passwordLink: string | null, passwordLinkExpiresAt: string | null } };

export type EndSessionsOfPersonMutationVariables = Exact<{
  input: EndSessionsOfInput;
}>;


export type EndSessionsOfPersonMutation = { endSessionsOf: { user: { id: string } } };

export type EndSessionOfPersonMutationVariables = Exact<{
  input: EndSessionInput;
}>;


export type EndSessionOfPersonMutation = { endSession: { endedSessionId: string } };

export type EndAuthorizationOfPersonMutationVariables = Exact<{
  input: EndAuthorizationInput;
}>;


export type EndAuthorizationOfPersonMutation = { endAuthorization: { endedAuthorizationId: string } };

export type EndConnectionOfPersonMutationVariables = Exact<{
  input: EndConnectionInput;
}>;


export type EndConnectionOfPersonMutation = { endConnection: { endedConnectionId: string } };

export type EndApiKeyOfPersonMutationVariables = Exact<{
  input: DeleteApiKeyInput;
}>;


export type EndApiKeyOfPersonMutation = { deleteApiKey: { deletedApiKeyId: string } };

export type SetMembershipMutationVariables = Exact<{
  input: SetMembershipInput;
}>;


export type SetMembershipMutation = { setMembership: { membership: { id: string } } };

export type RemoveMembershipMutationVariables = Exact<{
  input: RemoveMembershipInput;
}>;


export type RemoveMembershipMutation = { removeMembership: { removedMembershipId: string } };

export type AdministeredRolesQueryVariables = Exact<{ [key: string]: never; }>;


export type AdministeredRolesQuery = { roles: Array<{ id: string, databaseId: number, name: string, permissions: Array<Permission> | null }>, publicRoles: Array<{ id: string, databaseId: number, name: string, permissions: Array<Permission> | null }> };

export type CreateRoleMutationVariables = Exact<{
  input: CreateRoleInput;
}>;


export type CreateRoleMutation = { createRole: { role: { databaseId: number } } };

export type UpdateRoleMutationVariables = Exact<{
  input: UpdateRoleInput;
}>;


export type UpdateRoleMutation = { updateRole: { role: { id: string } } };

export type DeleteRoleMutationVariables = Exact<{
  input: DeleteRoleInput;
}>;


export type DeleteRoleMutation = { deleteRole: { deletedRoleId: string } };

export type ErasePersonMutationVariables = Exact<{
  input: EraseUserInput;
}>;


export type ErasePersonMutation = { eraseUser: { user: { id: string } } };

export type AdministeredProjectsQueryVariables = Exact<{
  search?: string | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AdministeredProjectsQuery = { projects: { totalCount: number, totalIsAtLeast: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, identifier: string, name: string, active: boolean, public: boolean, memberships: { totalCount: number } }> } };

export type AdministeredProjectQueryVariables = Exact<{
  id: string;
}>;


export type AdministeredProjectQuery = { project: { id: string, databaseId: number, identifier: string, name: string, active: boolean, public: boolean, storageQuota: number | null, storageUsed: number | null, updatedAt: string } | null };

export type AdministeredMembersQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type AdministeredMembersQuery = { project: { memberships: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, user: { id: string, databaseId: number, name: string }, roles: Array<{ id: string, name: string }> }> } } | null };

export type CreateProjectMutationVariables = Exact<{
  input: CreateProjectInput;
}>;


export type CreateProjectMutation = { createProject: { project: { databaseId: number } } };

export type UpdateProjectMutationVariables = Exact<{
  input: UpdateProjectInput;
}>;


export type UpdateProjectMutation = { updateProject: { project: { updatedAt: string } } };

export type AdministeredStoragesQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type AdministeredStoragesQuery = { storages: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, name: string, type: StorageType, origin: string | null, configured: boolean, connections: { totalCount: number }, projectStorages: { totalCount: number } }> } };

export type StorageSettingsFragment = { id: string, databaseId: number, name: string, type: StorageType, origin: string | null, tenantId: string | null, driveId: string | null, configured: boolean, authenticationMethod: AuthenticationMethod | null, storageAudience: string | null, tokenExchangeScope: string | null, hasApplicationPassword: boolean | null, automaticallyManagedFolders: boolean | null, createdAt: string, updatedAt: string, oauthApplication: { clientId: string } | null, oauthClientCredentials: { clientId: string, updatedAt: string } | null, connections: { totalCount: number }, projectStorages: { totalCount: number } };

export type AdministeredStorageQueryVariables = Exact<{
  id: string;
}>;


export type AdministeredStorageQuery = { storage: { id: string, databaseId: number, name: string, type: StorageType, origin: string | null, tenantId: string | null, driveId: string | null, configured: boolean, authenticationMethod: AuthenticationMethod | null, storageAudience: string | null, tokenExchangeScope: string | null, hasApplicationPassword: boolean | null, automaticallyManagedFolders: boolean | null, createdAt: string, updatedAt: string, oauthApplication: { clientId: string } | null, oauthClientCredentials: { clientId: string, updatedAt: string } | null, connections: { totalCount: number }, projectStorages: { totalCount: number } } | null };

export type StorageHealthQueryVariables = Exact<{
  id: string;
}>;


export type StorageHealthQuery = { storage: { health: { checkedAt: string, checks: Array<{ check: string, code: string, status: StorageCheckStatus, hint: string }> } | null } | null };

export type StorageTrialsQueryVariables = Exact<{
  id: string;
}>;


export type StorageTrialsQuery = { storage: { failingSince: string | null, workedAt: string | null } | null };

export type StorageConnectionQueryVariables = Exact<{
  id: string;
}>;


export type StorageConnectionQuery = { storage: { authorizationState: AuthorizationState, authorizeUrl: string | null } | null };

export type StorageProjectsQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type StorageProjectsQuery = { storage: { projectStorages: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, projectFolderMode: ProjectFolderMode, projectFolderState: ProjectFolderState, projectFolderMessage: string | null, projectFolderUpdatedAt: string | null, project: { id: string, identifier: string, name: string } }> } } | null };

export type FindProjectsQueryVariables = Exact<{
  search?: string | null | undefined;
}>;


export type FindProjectsQuery = { projects: { nodes: Array<{ id: string, name: string }> } };

export type CreateStorageMutationVariables = Exact<{
  input: CreateStorageInput;
}>;


export type CreateStorageMutation = { createStorage: { clientSecret: string | null, storage: { id: string, databaseId: number, name: string, type: StorageType, oauthApplication: { clientId: string } | null } } };

export type UpdateStorageMutationVariables = Exact<{
  input: UpdateStorageInput;
}>;


export type UpdateStorageMutation = { updateStorage: { storage: { updatedAt: string } } };

export type SetClientCredentialsMutationVariables = Exact<{
  input: SetOAuthClientCredentialsInput;
}>;


export type SetClientCredentialsMutation = { setOAuthClientCredentials: { storage: { updatedAt: string } } };

export type RotateApplicationSecretMutationVariables = Exact<{
  input: RotateOAuthApplicationSecretInput;
}>;


export type RotateApplicationSecretMutation = { rotateOAuthApplicationSecret: { clientSecret: string } };

export type DeleteStorageMutationVariables = Exact<{
  input: DeleteStorageInput;
}>;


export type DeleteStorageMutation = { deleteStorage: { deletedStorageId: string } };

export type AddProjectStorageMutationVariables = Exact<{
  input: CreateProjectStorageInput;
}>;


export type AddProjectStorageMutation = { createProjectStorage: { projectStorage: { id: string } } };

export type RemoveProjectStorageMutationVariables = Exact<{
  input: DeleteProjectStorageInput;
}>;


export type RemoveProjectStorageMutation = { deleteProjectStorage: { deletedProjectStorageId: string } };

export type QuarantineQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type QuarantineQuery = { quarantinedAttachments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, fileName: string, fileSize: number, createdAt: string, author: { name: string }, container:
        | { __typename: 'Activity', databaseId: number, workPackage: { databaseId: number, title: string } }
        | { __typename: 'Meeting', title: string, databaseId: number }
        | { __typename: 'Post', databaseId: number, title: string }
        | { __typename: 'WikiPage', title: string, databaseId: number }
        | { __typename: 'WorkPackage', databaseId: number, title: string }
       | null }> } };

export type ReleaseFileMutationVariables = Exact<{
  input: ReleaseAttachmentInput;
}>;


export type ReleaseFileMutation = { releaseAttachment: { attachment: { id: string } } };

export type DeleteQuarantinedMutationVariables = Exact<{
  input: DeleteAttachmentInput;
}>;


export type DeleteQuarantinedMutation = { deleteAttachment: { deletedAttachmentId: string } };

export type WebhookRowFragment = { id: string, databaseId: number, url: string, events: Array<WebhookEvent>, enabled: boolean, updatedAt: string, dead: { nodes: Array<{ createdAt: string, lastStatus: number | null, lastError: string | null }> }, firstDead: { nodes: Array<{ createdAt: string }> }, delivered: { nodes: Array<{ createdAt: string }> } };

export type WebhooksQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type WebhooksQuery = { webhooks: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, url: string, events: Array<WebhookEvent>, enabled: boolean, updatedAt: string, dead: { nodes: Array<{ createdAt: string, lastStatus: number | null, lastError: string | null }> }, firstDead: { nodes: Array<{ createdAt: string }> }, delivered: { nodes: Array<{ createdAt: string }> } }> } };

export type WebhookQueryVariables = Exact<{
  id: string;
}>;


export type WebhookQuery = { webhook: { id: string, databaseId: number, url: string, events: Array<WebhookEvent>, enabled: boolean, updatedAt: string, dead: { nodes: Array<{ createdAt: string, lastStatus: number | null, lastError: string | null }> }, firstDead: { nodes: Array<{ createdAt: string }> }, delivered: { nodes: Array<{ createdAt: string }> } } | null };

export type DeliveriesQueryVariables = Exact<{
  id: string;
  filter?: WebhookDeliveryFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type DeliveriesQuery = { webhook: { deliveries: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, deliveryId: string, event: WebhookEvent, state: DeliveryState, attempts: number, lastStatus: number | null, lastError: string | null, nextAttemptAt: string | null, createdAt: string, body: string }> } } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { secret: string, webhook: { databaseId: number } } };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook: { webhook: { updatedAt: string } } };

export type DeleteWebhookMutationVariables = Exact<{
  input: DeleteWebhookInput;
}>;


export type DeleteWebhookMutation = { deleteWebhook: { deletedWebhookId: string } };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: RotateWebhookSecretInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string } };

export type RedeliverMutationVariables = Exact<{
  input: RedeliverEventInput;
}>;


export type RedeliverMutation = { redeliverEvent: { delivery: { id: string } } };

export type AuditQueryVariables = Exact<{
  filter?: AuditEventFilter | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AuditQuery = { auditEvents: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, kind: AuditKind, createdAt: string, address: string | null, credential: AuditCredential | null, subjectName: string | null, before: string | null, after: string | null, actor: { name: string } | null }> } };

export type OAuthApplicationsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type OAuthApplicationsQuery = { oauthApplications: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string, clientId: string, confidential: boolean, redirectUris: Array<string>, createdAt: string, integration: { databaseId: number, name: string } | null }> } };

export type SystemStateQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemStateQuery = { systemState: { version: string, nodeVersion: string, database: string, lastBackupAt: string | null, pendingUploads: number, queues: Array<{ name: string, waiting: number, oldestSeconds: number }>, checks: Array<{ name: string, isDone: boolean, detail: string }> } };

export type StorageUsageQueryVariables = Exact<{
  first: number;
}>;


export type StorageUsageQuery = { storageUsage: { bytes: number, files: number, kinds: Array<{ kind: ContainerType, bytes: number, files: number }>, projects: Array<{ bytes: number, files: number, project: { id: string, databaseId: number, name: string, storageQuota: number | null } }> } };

export type CreateOAuthApplicationMutationVariables = Exact<{
  input: CreateOAuthApplicationInput;
}>;


export type CreateOAuthApplicationMutation = { createOAuthApplication: { clientSecret: string | null, oauthApplication: { clientId: string } } };

export type DeleteOAuthApplicationMutationVariables = Exact<{
  input: DeleteOAuthApplicationInput;
}>;


export type DeleteOAuthApplicationMutation = { deleteOAuthApplication: { deletedOAuthApplicationId: string } };

export const ImportDirectoryDocument = /* @__PURE__ */ new TypedText<ImportDirectoryMutation, ImportDirectoryMutationVariables>("mutation ImportDirectory($file:Upload!$dryRun:Boolean!){importDirectory(input:{file:$file dryRun:$dryRun}){added{...ImportedList}changed{...ImportedList}ended{...ImportedList}errors{path message}errorCount}}fragment ImportedList on DirectoryChange{list count examples}");
export const AdministeredPeopleDocument = /* @__PURE__ */ new TypedText<AdministeredPeopleQuery, AdministeredPeopleQueryVariables>("query AdministeredPeople($search:String$first:Int!$after:String){users(filter:{search:$search}first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId login name email admin status erasedAt}}}");
export const FindPeopleDocument = /* @__PURE__ */ new TypedText<FindPeopleQuery, FindPeopleQueryVariables>("query FindPeople($search:String){users(filter:{search:$search}first:20){nodes{id name}}}");
export const PersonDocument = /* @__PURE__ */ new TypedText<PersonQuery, PersonQueryVariables>("query Person($id:ID!){user(id:$id){...PersonSettings}}fragment PersonSettings on User{id databaseId login name firstName lastName email admin status erasedAt createdAt updatedAt}");
export const PersonAccessDocument = /* @__PURE__ */ new TypedText<PersonAccessQuery, PersonAccessQueryVariables>("query PersonAccess($id:ID!){user(id:$id){sessions(first:100){nodes{id browser system network lastUsedAt createdAt current}}authorizations(first:100){nodes{id applicationName lastUsedAt createdAt}}connections(first:100){nodes{id originUserId createdAt storage{name}}}apiKeys{id name lastUsedAt createdAt}}}");
export const PersonMembershipsDocument = /* @__PURE__ */ new TypedText<PersonMembershipsQuery, PersonMembershipsQueryVariables>("query PersonMemberships($id:ID!$first:Int!$after:String){user(id:$id){memberships(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id project{id databaseId name}roles{id name}}}}}");
export const RolesDocument = /* @__PURE__ */ new TypedText<RolesQuery, RolesQueryVariables>("query Roles{roles{id databaseId name}}");
export const CreatePersonDocument = /* @__PURE__ */ new TypedText<CreatePersonMutation, CreatePersonMutationVariables>("mutation CreatePerson($input:CreateUserInput!){createUser(input:$input){invited passwordLink passwordLinkExpiresAt user{databaseId name email}}}");
export const UpdatePersonDocument = /* @__PURE__ */ new TypedText<UpdatePersonMutation, UpdatePersonMutationVariables>("mutation UpdatePerson($input:UpdateUserInput!){updateUser(input:$input){user{updatedAt}}}");
export const LockPersonDocument = /* @__PURE__ */ new TypedText<LockPersonMutation, LockPersonMutationVariables>("mutation LockPerson($input:LockUserInput!){lockUser(input:$input){user{updatedAt}}}");
export const UnlockPersonDocument = /* @__PURE__ */ new TypedText<UnlockPersonMutation, UnlockPersonMutationVariables>("mutation UnlockPerson($input:UnlockUserInput!){unlockUser(input:$input){user{updatedAt}}}");
export const SetPersonPasswordDocument = /* @__PURE__ */ new TypedText<SetPersonPasswordMutation, SetPersonPasswordMutationVariables>("mutation SetPersonPassword($input:SetUserPasswordInput!){setUserPassword(input:$input){passwordLink passwordLinkExpiresAt}}");
export const EndSessionsOfPersonDocument = /* @__PURE__ */ new TypedText<EndSessionsOfPersonMutation, EndSessionsOfPersonMutationVariables>("mutation EndSessionsOfPerson($input:EndSessionsOfInput!){endSessionsOf(input:$input){user{id}}}");
export const EndSessionOfPersonDocument = /* @__PURE__ */ new TypedText<EndSessionOfPersonMutation, EndSessionOfPersonMutationVariables>("mutation EndSessionOfPerson($input:EndSessionInput!){endSession(input:$input){endedSessionId}}");
export const EndAuthorizationOfPersonDocument = /* @__PURE__ */ new TypedText<EndAuthorizationOfPersonMutation, EndAuthorizationOfPersonMutationVariables>("mutation EndAuthorizationOfPerson($input:EndAuthorizationInput!){endAuthorization(input:$input){endedAuthorizationId}}");
export const EndConnectionOfPersonDocument = /* @__PURE__ */ new TypedText<EndConnectionOfPersonMutation, EndConnectionOfPersonMutationVariables>("mutation EndConnectionOfPerson($input:EndConnectionInput!){endConnection(input:$input){endedConnectionId}}");
export const EndApiKeyOfPersonDocument = /* @__PURE__ */ new TypedText<EndApiKeyOfPersonMutation, EndApiKeyOfPersonMutationVariables>("mutation EndApiKeyOfPerson($input:DeleteApiKeyInput!){deleteApiKey(input:$input){deletedApiKeyId}}");
export const SetMembershipDocument = /* @__PURE__ */ new TypedText<SetMembershipMutation, SetMembershipMutationVariables>("mutation SetMembership($input:SetMembershipInput!){setMembership(input:$input){membership{id}}}");
export const RemoveMembershipDocument = /* @__PURE__ */ new TypedText<RemoveMembershipMutation, RemoveMembershipMutationVariables>("mutation RemoveMembership($input:RemoveMembershipInput!){removeMembership(input:$input){removedMembershipId}}");
export const AdministeredRolesDocument = /* @__PURE__ */ new TypedText<AdministeredRolesQuery, AdministeredRolesQueryVariables>("query AdministeredRoles{roles{id databaseId name permissions}publicRoles{id databaseId name permissions}}");
export const CreateRoleDocument = /* @__PURE__ */ new TypedText<CreateRoleMutation, CreateRoleMutationVariables>("mutation CreateRole($input:CreateRoleInput!){createRole(input:$input){role{databaseId}}}");
export const UpdateRoleDocument = /* @__PURE__ */ new TypedText<UpdateRoleMutation, UpdateRoleMutationVariables>("mutation UpdateRole($input:UpdateRoleInput!){updateRole(input:$input){role{id}}}");
export const DeleteRoleDocument = /* @__PURE__ */ new TypedText<DeleteRoleMutation, DeleteRoleMutationVariables>("mutation DeleteRole($input:DeleteRoleInput!){deleteRole(input:$input){deletedRoleId}}");
export const ErasePersonDocument = /* @__PURE__ */ new TypedText<ErasePersonMutation, ErasePersonMutationVariables>("mutation ErasePerson($input:EraseUserInput!){eraseUser(input:$input){user{id}}}");
export const AdministeredProjectsDocument = /* @__PURE__ */ new TypedText<AdministeredProjectsQuery, AdministeredProjectsQueryVariables>("query AdministeredProjects($search:String$first:Int!$after:String){projects(filter:{search:$search}first:$first after:$after){totalCount totalIsAtLeast pageInfo{hasNextPage endCursor}nodes{id databaseId identifier name active public memberships(first:1){totalCount}}}}");
export const AdministeredProjectDocument = /* @__PURE__ */ new TypedText<AdministeredProjectQuery, AdministeredProjectQueryVariables>("query AdministeredProject($id:ID!){project(id:$id){id databaseId identifier name active public storageQuota storageUsed updatedAt}}");
export const AdministeredMembersDocument = /* @__PURE__ */ new TypedText<AdministeredMembersQuery, AdministeredMembersQueryVariables>("query AdministeredMembers($id:ID!$first:Int!$after:String){project(id:$id){memberships(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id user{id databaseId name}roles{id name}}}}}");
export const CreateProjectDocument = /* @__PURE__ */ new TypedText<CreateProjectMutation, CreateProjectMutationVariables>("mutation CreateProject($input:CreateProjectInput!){createProject(input:$input){project{databaseId}}}");
export const UpdateProjectDocument = /* @__PURE__ */ new TypedText<UpdateProjectMutation, UpdateProjectMutationVariables>("mutation UpdateProject($input:UpdateProjectInput!){updateProject(input:$input){project{updatedAt}}}");
export const AdministeredStoragesDocument = /* @__PURE__ */ new TypedText<AdministeredStoragesQuery, AdministeredStoragesQueryVariables>("query AdministeredStorages($first:Int!$after:String){storages(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id databaseId name type origin configured connections(first:1){totalCount}projectStorages(first:1){totalCount}}}}");
export const AdministeredStorageDocument = /* @__PURE__ */ new TypedText<AdministeredStorageQuery, AdministeredStorageQueryVariables>("query AdministeredStorage($id:ID!){storage(id:$id){...StorageSettings}}fragment StorageSettings on Storage{id databaseId name type origin tenantId driveId configured authenticationMethod storageAudience tokenExchangeScope hasApplicationPassword automaticallyManagedFolders createdAt updatedAt oauthApplication{clientId}oauthClientCredentials{clientId updatedAt}connections(first:1){totalCount}projectStorages(first:1){totalCount}}");
export const StorageHealthDocument = /* @__PURE__ */ new TypedText<StorageHealthQuery, StorageHealthQueryVariables>("query StorageHealth($id:ID!){storage(id:$id){health{checkedAt checks{check code status hint}}}}");
export const StorageTrialsDocument = /* @__PURE__ */ new TypedText<StorageTrialsQuery, StorageTrialsQueryVariables>("query StorageTrials($id:ID!){storage(id:$id){failingSince workedAt}}");
export const StorageConnectionDocument = /* @__PURE__ */ new TypedText<StorageConnectionQuery, StorageConnectionQueryVariables>("query StorageConnection($id:ID!){storage(id:$id){authorizationState authorizeUrl}}");
export const StorageProjectsDocument = /* @__PURE__ */ new TypedText<StorageProjectsQuery, StorageProjectsQueryVariables>("query StorageProjects($id:ID!$first:Int!$after:String){storage(id:$id){projectStorages(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id projectFolderMode projectFolderState projectFolderMessage projectFolderUpdatedAt project{id identifier name}}}}}");
export const FindProjectsDocument = /* @__PURE__ */ new TypedText<FindProjectsQuery, FindProjectsQueryVariables>("query FindProjects($search:String){projects(filter:{search:$search active:true}first:20){nodes{id name}}}");
export const CreateStorageDocument = /* @__PURE__ */ new TypedText<CreateStorageMutation, CreateStorageMutationVariables>("mutation CreateStorage($input:CreateStorageInput!){createStorage(input:$input){clientSecret storage{id databaseId name type oauthApplication{clientId}}}}");
export const UpdateStorageDocument = /* @__PURE__ */ new TypedText<UpdateStorageMutation, UpdateStorageMutationVariables>("mutation UpdateStorage($input:UpdateStorageInput!){updateStorage(input:$input){storage{updatedAt}}}");
export const SetClientCredentialsDocument = /* @__PURE__ */ new TypedText<SetClientCredentialsMutation, SetClientCredentialsMutationVariables>("mutation SetClientCredentials($input:SetOAuthClientCredentialsInput!){setOAuthClientCredentials(input:$input){storage{updatedAt}}}");
export const RotateApplicationSecretDocument = /* @__PURE__ */ new TypedText<RotateApplicationSecretMutation, RotateApplicationSecretMutationVariables>("mutation RotateApplicationSecret($input:RotateOAuthApplicationSecretInput!){rotateOAuthApplicationSecret(input:$input){clientSecret}}");
export const DeleteStorageDocument = /* @__PURE__ */ new TypedText<DeleteStorageMutation, DeleteStorageMutationVariables>("mutation DeleteStorage($input:DeleteStorageInput!){deleteStorage(input:$input){deletedStorageId}}");
export const AddProjectStorageDocument = /* @__PURE__ */ new TypedText<AddProjectStorageMutation, AddProjectStorageMutationVariables>("mutation AddProjectStorage($input:CreateProjectStorageInput!){createProjectStorage(input:$input){projectStorage{id}}}");
export const RemoveProjectStorageDocument = /* @__PURE__ */ new TypedText<RemoveProjectStorageMutation, RemoveProjectStorageMutationVariables>("mutation RemoveProjectStorage($input:DeleteProjectStorageInput!){deleteProjectStorage(input:$input){deletedProjectStorageId}}");
export const QuarantineDocument = /* @__PURE__ */ new TypedText<QuarantineQuery, QuarantineQueryVariables>("query Quarantine($first:Int!$after:String){quarantinedAttachments(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id fileName fileSize createdAt author{name}container{__typename databaseId ...on WorkPackage{title:subject}...on Meeting{title}...on Post{title:subject}...on WikiPage{title}...on Activity{workPackage{databaseId title:subject}}}}}}");
export const ReleaseFileDocument = /* @__PURE__ */ new TypedText<ReleaseFileMutation, ReleaseFileMutationVariables>("mutation ReleaseFile($input:ReleaseAttachmentInput!){releaseAttachment(input:$input){attachment{id}}}");
export const DeleteQuarantinedDocument = /* @__PURE__ */ new TypedText<DeleteQuarantinedMutation, DeleteQuarantinedMutationVariables>("mutation DeleteQuarantined($input:DeleteAttachmentInput!){deleteAttachment(input:$input){deletedAttachmentId}}");
export const WebhooksDocument = /* @__PURE__ */ new TypedText<WebhooksQuery, WebhooksQueryVariables>("query Webhooks($first:Int!$after:String){webhooks(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{...WebhookRow}}}fragment WebhookRow on Webhook{id databaseId url events enabled updatedAt dead:deliveries(filter:{state:DEAD}first:1){nodes{createdAt lastStatus lastError}}firstDead:deliveries(filter:{state:DEAD}last:1){nodes{createdAt}}delivered:deliveries(filter:{state:DELIVERED}first:1){nodes{createdAt}}}");
export const WebhookDocument = /* @__PURE__ */ new TypedText<WebhookQuery, WebhookQueryVariables>("query Webhook($id:ID!){webhook(id:$id){...WebhookRow}}fragment WebhookRow on Webhook{id databaseId url events enabled updatedAt dead:deliveries(filter:{state:DEAD}first:1){nodes{createdAt lastStatus lastError}}firstDead:deliveries(filter:{state:DEAD}last:1){nodes{createdAt}}delivered:deliveries(filter:{state:DELIVERED}first:1){nodes{createdAt}}}");
export const DeliveriesDocument = /* @__PURE__ */ new TypedText<DeliveriesQuery, DeliveriesQueryVariables>("query Deliveries($id:ID!$filter:WebhookDeliveryFilter$first:Int!$after:String){webhook(id:$id){deliveries(filter:$filter first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id deliveryId event state attempts lastStatus lastError nextAttemptAt createdAt body}}}}");
export const CreateWebhookDocument = /* @__PURE__ */ new TypedText<CreateWebhookMutation, CreateWebhookMutationVariables>("mutation CreateWebhook($input:CreateWebhookInput!){createWebhook(input:$input){secret webhook{databaseId}}}");
export const UpdateWebhookDocument = /* @__PURE__ */ new TypedText<UpdateWebhookMutation, UpdateWebhookMutationVariables>("mutation UpdateWebhook($input:UpdateWebhookInput!){updateWebhook(input:$input){webhook{updatedAt}}}");
export const DeleteWebhookDocument = /* @__PURE__ */ new TypedText<DeleteWebhookMutation, DeleteWebhookMutationVariables>("mutation DeleteWebhook($input:DeleteWebhookInput!){deleteWebhook(input:$input){deletedWebhookId}}");
export const RotateWebhookSecretDocument = /* @__PURE__ */ new TypedText<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>("mutation RotateWebhookSecret($input:RotateWebhookSecretInput!){rotateWebhookSecret(input:$input){secret}}");
export const RedeliverDocument = /* @__PURE__ */ new TypedText<RedeliverMutation, RedeliverMutationVariables>("mutation Redeliver($input:RedeliverEventInput!){redeliverEvent(input:$input){delivery{id}}}");
export const AuditDocument = /* @__PURE__ */ new TypedText<AuditQuery, AuditQueryVariables>("query Audit($filter:AuditEventFilter$first:Int!$after:String){auditEvents(filter:$filter first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id kind createdAt address credential subjectName before after actor{name}}}}");
export const OAuthApplicationsDocument = /* @__PURE__ */ new TypedText<OAuthApplicationsQuery, OAuthApplicationsQueryVariables>("query OAuthApplications($first:Int!$after:String){oauthApplications(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}nodes{id name clientId confidential redirectUris createdAt integration{databaseId name}}}}");
export const SystemStateDocument = /* @__PURE__ */ new TypedText<SystemStateQuery, SystemStateQueryVariables>("query SystemState{systemState{version nodeVersion database lastBackupAt pendingUploads queues{name waiting oldestSeconds}checks{name isDone detail}}}");
export const StorageUsageDocument = /* @__PURE__ */ new TypedText<StorageUsageQuery, StorageUsageQueryVariables>("query StorageUsage($first:Int!){storageUsage{bytes files kinds{kind bytes files}projects(first:$first){bytes files project{id databaseId name storageQuota}}}}");
export const CreateOAuthApplicationDocument = /* @__PURE__ */ new TypedText<CreateOAuthApplicationMutation, CreateOAuthApplicationMutationVariables>("mutation CreateOAuthApplication($input:CreateOAuthApplicationInput!){createOAuthApplication(input:$input){clientSecret oauthApplication{clientId}}}");
export const DeleteOAuthApplicationDocument = /* @__PURE__ */ new TypedText<DeleteOAuthApplicationMutation, DeleteOAuthApplicationMutationVariables>("mutation DeleteOAuthApplication($input:DeleteOAuthApplicationInput!){deleteOAuthApplication(input:$input){deletedOAuthApplicationId}}");
