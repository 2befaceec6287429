/** Builds the executable schema from the resolvers. Its printed form is `schema.graphql`. */
import {
  GraphQLEnumType,
  GraphQLSchema,
  isAbstractType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { buildSchemaSync } from 'type-graphql';
import type { Context } from '../context.js';
import { errorCodes } from '../contract/error-codes.js';
import { globalId } from '../contract/ids.js';
import { callSimpleResolversDirectly } from './direct-resolvers.js';
import { AttachmentResolver, attachmentMutations } from '../resolvers/attachment.js';
import { AttachmentChangesResolver } from '../resolvers/attachment-changes.js';
import { AttachmentUploadResolver, uploadMutations } from '../resolvers/attachment-upload.js';
import { PreviewResolver } from '../resolvers/preview.js';
import {
  accessMutations,
  AuthorizationResolver,
  SessionResolver,
  UserAccessResolver,
} from '../resolvers/access.js';
import { administrationMutations } from '../resolvers/administration.js';
import { directoryImportMutations } from '../resolvers/directory-import.js';
import { AuditResolver } from '../resolvers/audit.js';
import { StorageUsageResolver } from '../resolvers/storage-usage.js';
import { SystemStateResolver } from '../resolvers/system-state.js';
import { AvatarResolver, avatarMutations } from '../resolvers/avatar.js';
import { FoundAttachmentsResolver } from '../resolvers/found-attachments.js';
import { FormattableResolver } from '../resolvers/formattable.js';
import { FileLinkResolver, fileLinkMutations } from '../resolvers/file-link.js';
import {
  FileLinkConnectionResolver,
  FoundFileLinksResolver,
  WorkPackageFileLinksResolver,
} from '../resolvers/file-links.js';
import { FileLinkChangesResolver } from '../resolvers/file-link-changes.js';
import { demandAccess } from '../resolvers/for-applications.js';
import { WorkPackageChangesResolver } from '../resolvers/work-package-changes.js';
import { CommentResolver, commentMutations } from '../resolvers/comment.js';
import { ContainerResolver } from '../resolvers/container.js';
import { containerResolvers } from '../resolvers/containers.js';
import {
  OAuthApplicationResolver,
  OAuthClientCredentialsResolver,
  applicationMutations,
} from '../resolvers/oauth.js';
import { countResolvers } from '../resolvers/connections.js';
import {
  MembershipResolver,
  ProjectMembersResolver,
  RoleResolver,
  UserMembershipsResolver,
} from '../resolvers/members.js';
import { NodeResolver } from '../resolvers/nodes.js';
import { projectContentResolvers } from '../resolvers/project-contents.js';
import { ProjectStorageResolver, projectStorageMutations } from '../resolvers/project-storage.js';
import { ProjectResolver } from '../resolvers/project.js';
import { ProjectsResolver } from '../resolvers/projects.js';
import { manyAttachmentMutations } from '../resolvers/many-attachments.js';
import { QuarantineResolver, quarantineMutations } from '../resolvers/quarantine.js';
import {
  ContainerTrashResolver,
  DeletedAttachmentResolver,
  ProjectTrashResolver,
  trashMutations,
} from '../resolvers/trash.js';
import { RolePermissionsResolver, roleMutations } from '../resolvers/roles.js';
import { RootResolver } from '../resolvers/query.js';
import { StorageFileResolver, storageFileMutations } from '../resolvers/storage-file.js';
import { storageMutations } from '../resolvers/storage-mutations.js';
import { StorageOAuthResolver, storageOAuthMutations } from '../resolvers/storage-oauth.js';
import {
  StorageAccountResolver,
  StorageConnectionsResolver,
  UserConnectionsResolver,
} from '../resolvers/storage-accounts.js';
import { StorageResolver } from '../resolvers/storage.js';
import { UserResolver, userMutations } from '../resolvers/user.js';
import { PreparedAttachmentResolver, ViewerFilesResolver } from '../resolvers/viewer-files.js';
import {
  WebhookDeliveryResolver,
  WebhookResolver,
  webhookMutations,
} from '../resolvers/webhook.js';
import { WorkPackageResolver } from '../resolvers/work-package.js';
import { WorkPackageFormResolver } from '../resolvers/work-package-form.js';
import { mailMutations, UserMailResolver } from '../resolvers/mail.js';
import {
  NotificationGroupResolver,
  NotificationResolver,
  UserNotificationsResolver,
  notificationMutations,
} from '../resolvers/notification.js';
import { ProjectWorkPackagesResolver, WorkPackagesResolver } from '../resolvers/work-packages.js';
import {
  ProjectTypesResolver,
  StatusResolver,
  TypeResolver,
} from '../resolvers/statuses-and-types.js';

/** type-graphql cannot describe the root types. */
const rootDescriptions = [
  ['Query', 'Read operations. They return only what the caller can see.'],
  [
    'Mutation',
    'Write operations. Several mutations in one document run one after the other. ' +
      'Access tokens of applications may write attachments, uploads, comments, containers and ' +
      'file links, files and folders of storages, and the marks of notifications. ' +
      'To them, all others answer MISSING_PERMISSION.',
  ],
  ['Subscription', 'Events, sent over `/graphql/stream`.'],
] as const;

/** No field has this type, so type-graphql would leave it out. */
const errorCode = new GraphQLEnumType({
  name: 'ErrorCode',
  description: 'What `extensions.code` of an error can be. Later versions can have more.',
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, description]) => [code, { description }]),
  ),
});

export const schema: GraphQLSchema = buildSchema();

/** The text of `schema.graphql`. */
export const printedSchema = (): string => `${printSchema(lexicographicSortSchema(schema))}\n`;

/** Builds another instance of the schema. */
export function buildSchema(): GraphQLSchema {
  const config = buildSchemaSync({
    validate: false,
    // The check is an introspection query, which takes 0.1 s at each start. Apollo validates the schema.
    skipCheck: true,
    // type-graphql requires one for subscriptions. These read the outbox instead.
    pubSub: { publish: unused, subscribe: unused },
    resolvers: [
      RootResolver,
      NodeResolver,
      UserResolver,
      AvatarResolver,
      SessionResolver,
      AuthorizationResolver,
      UserAccessResolver,
      ProjectResolver,
      AttachmentResolver,
      PreviewResolver,
      FormattableResolver,
      ContainerResolver,
      WorkPackageResolver,
      CommentResolver,
      AttachmentUploadResolver,
      FoundAttachmentsResolver,
      ViewerFilesResolver,
      PreparedAttachmentResolver,
      QuarantineResolver,
      ContainerTrashResolver,
      DeletedAttachmentResolver,
      ProjectTrashResolver,
      AttachmentChangesResolver,
      AuditResolver,
      StorageUsageResolver,
      SystemStateResolver,
      WorkPackageChangesResolver,
      ...containerResolvers,
      ...countResolvers,
      ProjectsResolver,
      WorkPackagesResolver,
      NotificationResolver,
      NotificationGroupResolver,
      UserNotificationsResolver,
      UserMailResolver,
      ProjectWorkPackagesResolver,
      ...projectContentResolvers,
      WorkPackageFormResolver,
      MembershipResolver,
      ProjectMembersResolver,
      UserMembershipsResolver,
      RoleResolver,
      RolePermissionsResolver,
      StatusResolver,
      TypeResolver,
      ProjectTypesResolver,
      StorageResolver,
      StorageAccountResolver,
      StorageConnectionsResolver,
      UserConnectionsResolver,
      StorageOAuthResolver,
      StorageFileResolver,
      ProjectStorageResolver,
      FileLinkResolver,
      FileLinkConnectionResolver,
      FoundFileLinksResolver,
      WorkPackageFileLinksResolver,
      FileLinkChangesResolver,
      OAuthApplicationResolver,
      OAuthClientCredentialsResolver,
      WebhookResolver,
      WebhookDeliveryResolver,
      ...[
        attachmentMutations,
        uploadMutations,
        avatarMutations,
        commentMutations,
        fileLinkMutations,
        notificationMutations,
        mailMutations,
        projectStorageMutations,
        quarantineMutations,
        manyAttachmentMutations,
        trashMutations,
        storageFileMutations,
        storageMutations,
        storageOAuthMutations,
        userMutations,
        accessMutations,
        administrationMutations,
        directoryImportMutations,
        roleMutations,
        applicationMutations,
        webhookMutations,
      ].flat(2),
    ],
  }).toConfig();
  const built = new GraphQLSchema({ ...config, types: [...config.types, errorCode] });
  for (const [name, description] of rootDescriptions) {
    const type = built.getType(name);
    if (type) type.description = description;
  }
  for (const type of Object.values(built.getTypeMap())) {
    // The resolveType of type-graphql is asynchronous, which plans do not support.
    if (isAbstractType(type)) type.resolveType = (row: object) => row.constructor.name;
    if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')) {
      const { id } = type.getFields();
      if (id) id.resolve = (row: { id: number }) => globalId(type.name, row.id);
    }
  }
  callSimpleResolversDirectly(built);
  prepareMutations(built);
  return built;
}

/**
 * Every mutation first refuses applications that may not call it. Then it forgets the rows that an
 * earlier mutation of the same document has loaded, so that it does not return them.
 */
function prepareMutations(built: GraphQLSchema) {
  for (const field of Object.values(built.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    field.resolve = (root, args, context: Context, info) => {
      demandAccess(context, field);
      context.forgetLoaded();
      return resolve?.(root, args, context, info);
    };
  }
}

function unused(): never {
  throw new Error('Subscriptions read the outbox.');
}
