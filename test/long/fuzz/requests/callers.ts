/** The callers. */
export const roles = ['admin', 'member', 'stranger', 'anonymous'] as const;
export type Role = (typeof roles)[number];

/** Records with ids, by their word in paths. */
export const nouns = [
  'work_packages',
  'activities',
  'meetings',
  'posts',
  'wiki_pages',
  'projects',
  'users',
  'storages',
  'project_storages',
  'file_links',
  'attachments',
  'oauth_applications',
  'oauth_client_credentials',
  'webhooks',
  'api_keys',
  'events',
] as const;
export type Noun = (typeof nouns)[number];

/** The GraphQL types of the records, for global ids. */
export const typeNames: { readonly [noun in Noun]: string } = {
  work_packages: 'WorkPackage',
  activities: 'Activity',
  meetings: 'Meeting',
  posts: 'Post',
  wiki_pages: 'WikiPage',
  projects: 'Project',
  users: 'User',
  storages: 'Storage',
  project_storages: 'ProjectStorage',
  file_links: 'FileLink',
  attachments: 'Attachment',
  oauth_applications: 'OAuthApplication',
  oauth_client_credentials: 'OAuthClientCredentials',
  webhooks: 'Webhook',
  api_keys: 'ApiKey',
  events: 'WebhookDelivery',
};

/** Returns an id of a kind of record, as digits. */
export type Draw = (noun: Noun) => string;
