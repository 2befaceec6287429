/* Generated from schema.graphql: npm run generate */
import { pages, type PagePolicy } from '../apollo-pages.js';

/** The object types of each interface and union, for `new InMemoryCache({ possibleTypes })`. */
export const possibleTypes: { [type: string]: string[] } = {
  "Container": [
    "Activity",
    "Meeting",
    "Post",
    "WikiPage",
    "WorkPackage"
  ],
  "Node": [
    "Activity",
    "ApiKey",
    "Attachment",
    "AuditEvent",
    "Authorization",
    "FileLink",
    "Meeting",
    "Membership",
    "Notification",
    "OAuthApplication",
    "OAuthClientCredentials",
    "Post",
    "Project",
    "ProjectStorage",
    "Role",
    "Session",
    "Status",
    "Storage",
    "StorageAccount",
    "Type",
    "User",
    "Webhook",
    "WebhookDelivery",
    "WikiPage",
    "WorkPackage"
  ]
};

/** Lists that grow with `fetchMore`, for `new InMemoryCache({ typePolicies })`. */
export const typePolicies: {
  [type: string]: { fields: { [field: string]: PagePolicy } };
} = {
  Activity: { fields: { attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]) } },
  Container: { fields: { attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]) } },
  Meeting: { fields: { attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]) } },
  Post: { fields: { attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]) } },
  Project: { fields: { deletedAttachments: pages([]), meetings: pages(["orderBy"]), members: pages(["filter","orderBy"]), memberships: pages(["orderBy"]), posts: pages(["orderBy"]), wikiPages: pages(["orderBy"]), workPackages: pages(["filter","orderBy"]) } },
  Query: { fields: { attachments: pages(["filter","orderBy","search"]), auditEvents: pages(["filter"]), fileLinks: pages(["orderBy","search"]), memberships: pages(["filter","orderBy"]), oauthApplications: pages(["orderBy"]), projectStorages: pages(["filter"]), projects: pages(["filter","orderBy"]), quarantinedAttachments: pages([]), storages: pages([]), users: pages(["filter","orderBy"]), usersSessions: pages(["orderBy","userId"]), webhooks: pages([]), workPackages: pages(["filter","orderBy"]) } },
  Storage: { fields: { connections: pages(["orderBy"]), projectStorages: pages(["orderBy"]) } },
  User: { fields: { authorizations: pages(["orderBy"]), connections: pages(["orderBy"]), memberships: pages(["orderBy"]), notifications: pages(["filter","orderBy"]), pendingUploads: pages(["orderBy"]), recentAttachments: pages(["orderBy"]), sessions: pages(["orderBy"]) } },
  Webhook: { fields: { deliveries: pages(["filter"]) } },
  WikiPage: { fields: { attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]) } },
  WorkPackage: { fields: { activities: pages([]), attachments: pages(["filter","orderBy"]), deletedAttachments: pages([]), fileLinks: pages(["filter","orderBy"]) } },
};
