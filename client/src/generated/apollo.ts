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
  Activity: { fields: { attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]) } },
  Container: { fields: { attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]) } },
  Meeting: { fields: { attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]) } },
  Post: { fields: { attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]) } },
  Project: { fields: { meetings: pages(["orderBy"]), members: pages(["orderBy","search"]), memberships: pages(["orderBy"]), posts: pages(["orderBy"]), wikiPages: pages(["orderBy"]), workPackages: pages(["assigned","assigneeIds","authorIds","closed","createdAt","except","fileLink","ids","linkableTo","orderBy","responsible","responsibleIds","search","statusIds","subject","subjectOrId","text","typeIds","updatedAt"]) } },
  Query: { fields: { memberships: pages(["except","orderBy","projectIds","roleIds","userIds"]), oauthApplications: pages(["orderBy"]), projectStorages: pages(["projectIds","storageIds","storageUrls"]), projects: pages(["active","createdAt","exceptIds","ids","name","orderBy","public","search","storage","viewerCan"]), quarantinedAttachments: pages([]), storages: pages([]), users: pages(["orderBy","search"]), webhooks: pages([]), workPackages: pages(["assigned","assigneeIds","authorIds","closed","createdAt","except","fileLink","ids","linkableTo","orderBy","projectIds","projectTreeIds","responsible","responsibleIds","rootProjectId","search","statusIds","subject","subjectOrId","text","typeIds","updatedAt"]) } },
  Storage: { fields: { connections: pages(["orderBy"]), projectStorages: pages(["orderBy"]) } },
  User: { fields: { connections: pages(["orderBy"]), memberships: pages(["orderBy"]), notifications: pages(["filter","orderBy","unread"]), pendingUploads: pages(["orderBy"]), recentAttachments: pages(["orderBy"]) } },
  Webhook: { fields: { deliveries: pages(["state"]) } },
  WikiPage: { fields: { attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]) } },
  WorkPackage: { fields: { activities: pages([]), attachments: pages(["authorIds","contentTypes","orderBy","search","statuses"]), fileLinks: pages(["orderBy","storageIds"]) } },
};
