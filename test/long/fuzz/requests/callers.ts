/** Who asks. */
export const roles = ['admin', 'member', 'stranger', 'visitor'] as const;
export type Role = (typeof roles)[number];

/** Things with ids, by the word that stands for them in paths. */
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

/** The GraphQL types of the things, which global ids name. */
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

/** Gives an id of a kind of thing, as digits. */
export type Draw = (noun: Noun) => string;
